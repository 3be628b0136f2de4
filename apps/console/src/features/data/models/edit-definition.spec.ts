import { describe, expect, it } from '@jest/globals';
import { CallError } from '../../../api/failures.js';
import { definitionFaultsOf, readWritten } from './edit-definition.js';

const definition = { kind: 'KnowledgeModel', id: 'sales', records: [{ id: 'ITEM', table: 'item' }] };

describe('a written definition', () => {
  it('is that of the model', () => {
    expect(readWritten(JSON.stringify(definition), 'sales')).toEqual({ kind: 'definition', definition });
  });

  it.each([
    ['another model', JSON.stringify({ ...definition, id: 'other' })],
    ['a table', JSON.stringify({ kind: 'Table', id: 'sales' })],
    ['no object', '[]'],
    ['nothing', 'null'],
  ])('is not taken when it is %s', (_, text) => {
    expect(readWritten(text, 'sales')).toEqual({ kind: 'otherModel' });
  });

  it('that is no JSON says its line', () => {
    expect(readWritten('{\n  "kind": "KnowledgeModel"\n  "id": "x"\n}', 'x')).toEqual({
      ...{ kind: 'syntax', line: 3, said: expect.stringContaining('JSON') },
    });
    expect(readWritten('', 'x')).toMatchObject({ kind: 'syntax' });
  });
});

describe('the faults of a definition', () => {
  const refused = (...faults: readonly (readonly [place: string, path: string])[]) =>
    new CallError({
      ...{ kind: 'refused', status: 400, code: '', title: '', detail: '' },
      faults: faults.map(([place, path]) => ({ in: place, path, message: `wrong at ${path}` })),
    });

  it('stand by their lines, in order', () => {
    const error = refused(['body', 'definitions.0.records.0.table'], ['body', 'definitions.0'], ['models', 'other']);
    expect(definitionFaultsOf(error, definition)).toEqual([
      { line: 1, path: '', message: 'wrong at definitions.0' },
      { line: 7, path: 'records.0.table', message: 'wrong at definitions.0.records.0.table' },
    ]);
  });

  it('are none of another failure', () => {
    expect(definitionFaultsOf(new Error('x'), definition)).toEqual([]);
  });
});
