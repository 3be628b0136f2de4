import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { findDefinitionPath } from './place.js';

const definition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'm',
  records: [
    { id: 'A' },
    {
      id: 'B',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'X', column: 'x' },
      ],
      flags: [{ id: 'F', expression: 'true' }],
    },
  ],
  kpis: [{ id: 'K', expression: '1', parameters: [{ id: 'p', value: '1' }] }],
};

describe('findDefinitionPath', () => {
  it.each([
    [
      ['records', 'B', 'attributes', 'X', 'column'],
      ['records', 1, 'attributes', 1, 'column'],
    ],
    [
      ['records', 'B', 'identifier'],
      ['records', 1, 'identifier'],
    ],
    [
      ['records', 'B', 'flags', 'F', 'expression'],
      ['records', 1, 'flags', 0, 'expression'],
    ],
    [
      ['kpis', 'K', 'parameters', 'p', 'value'],
      ['kpis', 0, 'parameters', 0, 'value'],
    ],
  ])('finds %j', (steps, path) => {
    expect(findDefinitionPath(definition, steps)).toEqual(path);
  });

  it.each([
    [
      ['records', 'B', 'attributes', 'X', 'type'],
      ['records', 1, 'attributes', 1],
    ],
    [
      ['records', 'B', 'attributes', 'Y', 'column'],
      ['records', 1],
    ],
    [
      ['records', 'B', 'augmentedAttributes', 'Y', 'expression'],
      ['records', 1],
    ],
    [
      ['kpis', 'K', 'parameters', 'q', 'value'],
      ['kpis', 0],
    ],
  ])('for %j returns the nearest existing ancestor', (steps, path) => {
    expect(findDefinitionPath(definition, steps)).toEqual(path);
  });

  it('returns the path of `extends` when the member is inherited', () => {
    expect(findDefinitionPath(definition, ['records', 'C', 'attributes', 'X'])).toEqual(['extends']);
    expect(findDefinitionPath(definition, ['filters', 'F', 'expression'])).toEqual(['extends']);
    expect(findDefinitionPath(definition, ['kpis', 'toString', 'expression'])).toEqual(['extends']);
  });
});
