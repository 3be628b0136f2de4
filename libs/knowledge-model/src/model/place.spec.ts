import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { placeIn } from './place.js';

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

describe('placeIn', () => {
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
    expect(placeIn(definition, steps)).toEqual(path);
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
  ])('stops for %j at what is there', (steps, path) => {
    expect(placeIn(definition, steps)).toEqual(path);
  });

  it('returns the place of `extends` when the member is inherited', () => {
    expect(placeIn(definition, ['records', 'C', 'attributes', 'X'])).toEqual(['extends']);
    expect(placeIn(definition, ['filters', 'F', 'expression'])).toEqual(['extends']);
    expect(placeIn(definition, ['kpis', 'toString', 'expression'])).toEqual(['extends']);
  });
});
