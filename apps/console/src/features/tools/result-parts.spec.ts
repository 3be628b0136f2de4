import { describe, expect, it } from '@jest/globals';
import { readFormat, readResult } from './result-parts.js';

const kindsOf = (result: unknown) => readResult(result).map(({ kind, title }) => [kind, title]);

describe('a result', () => {
  it('of rows of a model is a table with names, units and formats', () => {
    const result = {
      ...{ page: 0, total: 2 },
      data_frame_content: {
        data: [
          { PLANT: '1010', RATE: 0.04 },
          { PLANT: null, RATE: null },
        ],
        schema: [
          { id: 'PLANT', type: 'STRING', displayName: 'Plant' },
          { id: 'RATE', type: 'FLOAT', displayName: '', unit: 'EUR', format: '.1%' },
        ],
      },
    };
    expect(readResult(result)).toEqual([
      {
        kind: 'facts',
        title: '',
        facts: [
          ['page', 0],
          ['total', 2],
        ],
      },
      {
        ...{ kind: 'table', title: 'data_frame_content' },
        columns: [
          { id: 'PLANT', title: 'Plant', isNumeric: false },
          { id: 'RATE', title: 'RATE', isNumeric: true, unit: 'EUR', format: '.1%' },
        ],
        rows: [
          { id: '0', cells: { PLANT: '1010', RATE: 0.04 } },
          { id: '1', cells: { PLANT: null, RATE: null } },
        ],
      },
    ]);
  });

  it('of other rows is a table of all their members; what is in cells is JSON', () => {
    const [table] = readResult({
      elements: [
        { id: 'a', size: 1 },
        { id: 'b', tags: ['x'] },
      ],
    });
    expect(table).toMatchObject({
      columns: [{ id: 'id' }, { id: 'size', isNumeric: true }, { id: 'tags', isNumeric: false }],
      rows: [{ cells: { id: 'a', size: 1 } }, { cells: { tags: '["x"]' } }],
    });
  });

  it('that is a text stays one, whatever is in it', () => {
    const hostile = '<img src=x onerror=alert(1)> {not JSON';
    expect(readResult(hostile)).toEqual([{ kind: 'text', title: '', text: hostile }]);
    expect(readResult('{not JSON')).toMatchObject([{ kind: 'text', text: '{not JSON' }]);
    expect(readResult(7)).toMatchObject([{ kind: 'text', text: '7' }]);
    expect(readResult(['a', 1])).toMatchObject([{ kind: 'text', text: 'a\n1' }]);
  });

  it('that has JSON in a text is read as that', () => {
    const result = { search_result: JSON.stringify({ supplier: [{ id: 'SUPPLIER.NAME' }], nothing: [] }) };
    expect(kindsOf(result)).toEqual([
      ['table', 'search_result › supplier'],
      ['none', 'search_result › nothing'],
    ]);
  });

  it.each([
    [{}, [['none', '']]],
    [[], [['none', '']]],
    [{ a: [[1]] }, [['json', 'a']]],
    [{ data: [], schema: [] }, [['none', '']]],
    [undefined, []],
  ])('%j is shown as %j', (result, kinds) => {
    expect(kindsOf(result)).toEqual(kinds);
  });

  it('is JSON below a few levels', () => {
    const deep = { a: { b: { c: { d: { e: 1 } } } } };
    expect(readResult(deep)).toEqual([{ kind: 'json', title: 'a › b › c › d', text: '{\n  "e": 1\n}' }]);
  });
});

it.each([
  ['.1%', { isShare: true, digits: 1 }],
  [',.2f', { isShare: false, digits: 2 }],
  ['%', { isShare: true }],
  [',', { isShare: false }],
  ['$~s', { isShare: false }],
  [undefined, { isShare: false }],
])('the format %j is %j', (format, read) => {
  expect(readFormat(format)).toEqual(read);
});
