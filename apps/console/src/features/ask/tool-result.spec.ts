import { describe, expect, it } from '@jest/globals';
import { prettyText, readResultRows, readToolError } from './tool-result.js';

const loaded = {
  ...{ page: 0, page_size: 50, total: 4 },
  data_frame_content: {
    data: [{ 'PURCHASE_ORDER.PLANT': '3010', MAVERICK_RATE: 0.0993 }],
    schema: [
      { id: 'PURCHASE_ORDER.PLANT', type: 'STRING', displayName: 'Plant' },
      { id: 'MAVERICK_RATE', type: 'FLOAT', displayName: 'Maverick buying', format: '.1%' },
      { id: 'PO_ITEM.ORDER_DATE', type: 'DATE', displayName: '' },
    ],
  },
};

describe('the rows of a result', () => {
  it('of load-data have the names, kinds and formats of its columns', () => {
    expect(readResultRows(JSON.stringify(loaded))).toEqual([
      {
        title: '',
        columns: [
          { id: 'PURCHASE_ORDER.PLANT', name: 'Plant', kind: 'text' },
          { id: 'MAVERICK_RATE', name: 'Maverick buying', kind: 'number', format: '.1%' },
          { id: 'PO_ITEM.ORDER_DATE', name: 'PO_ITEM.ORDER_DATE', kind: 'time' },
        ],
        rows: [{ 'PURCHASE_ORDER.PLANT': '3010', MAVERICK_RATE: 0.0993 }],
        total: 4,
      },
    ]);
  });

  it('of search-data stand beside the words that they were found for', () => {
    const search_result = JSON.stringify({
      maverick: [{ id: 'MAVERICK_RATE', display_name: 'Maverick buying' }],
      x: [],
    });
    const [found] = readResultRows(JSON.stringify({ search_result }));
    expect(found?.columns.map(({ id }) => id)).toEqual(['term', 'id', 'display_name']);
    expect(found?.rows).toEqual([{ term: 'maverick', id: 'MAVERICK_RATE', display_name: 'Maverick buying' }]);
  });

  it('of any other tool are its lists of objects, without what does not fit into a cell', () => {
    const result = {
      count: 1,
      elements: [{ name: 'Verify', state: 'released', path: ['a'] }],
      names: ['x'],
      empty: [],
    };
    expect(readResultRows(JSON.stringify(result))).toEqual([
      {
        title: 'elements',
        columns: [
          { id: 'name', name: 'name', kind: 'text' },
          { id: 'state', name: 'state', kind: 'text' },
        ],
        rows: [{ name: 'Verify', state: 'released' }],
      },
    ]);
  });

  it.each(['', 'Done.', '{"data_frame_content":{"data":[{"A', '[1,2]', 'null', '{"data_frame_content":{"schema":3}}'])(
    'are none in %j',
    (result) => {
      expect(readResultRows(result)).toEqual([]);
    },
  );

  it('are numbers where each one is', () => {
    const [found] = readResultRows('{"insights":[{"share":0.5,"value":"2010"},{"share":null}]}');
    expect(found?.columns.map(({ kind }) => kind)).toEqual(['number', 'text']);
  });
});

it('says why a call failed, in its message or as it is', () => {
  expect(readToolError('{"code":"TOOL_FAILED","message":"It is away."}')).toBe('It is away.');
  expect(readToolError('It is away.')).toBe('It is away.');
  expect(readToolError('{"code":"X"}')).toBe('{"code":"X"}');
});

it('shows JSON in lines and leaves a text alone', () => {
  expect(prettyText('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyText('{"a":')).toBe('{"a":');
});
