import { describe, expect, it } from '@jest/globals';
import { readAnswerViews, readKnownModel, type AnswerShape } from './answer-data.js';

const plant = { id: 'PURCHASE_ORDER.PLANT', type: 'STRING', displayName: 'Plant' };
const month = { id: 'PO_ITEM.ORDER_MONTH', type: 'STRING', displayName: 'Order month' };
const day = { id: 'PO_ITEM.ORDER_DATE', type: 'DATE', displayName: 'Order date' };
const rate = { id: 'MAVERICK_RATE', type: 'FLOAT', displayName: 'Maverick buying', format: '.1%' };
const share = { unit: '%', digits: 2, factor: 1 };

const callWith = (
  schema: readonly { readonly id: string }[],
  rows: readonly (readonly (string | number | null)[])[],
) => ({
  arguments: { columns: schema.map(({ id }) => id) },
  result: JSON.stringify({
    total: rows.length,
    data_frame_content: {
      schema,
      data: rows.map((row) => Object.fromEntries(schema.map(({ id }, at) => [id, row[at]]))),
    },
  }),
  isError: false,
});
const shapeWith = (...given: Parameters<typeof callWith>): AnswerShape | undefined =>
  readAnswerViews([callWith(...given)], undefined)[0]?.shape;

describe('the view of an answer', () => {
  it('is a figure for one row, with what it is of', () => {
    expect(shapeWith([rate], [[0.042]])).toEqual({
      ...{ kind: 'figures', of: [] },
      figures: [{ id: 'MAVERICK_RATE', name: 'Maverick buying', value: 0.042, format: share }],
    });
    expect(shapeWith([plant, rate], [['3010', null]])).toMatchObject({
      of: [{ name: 'Plant', value: '3010' }],
      figures: [{ value: undefined }],
    });
  });

  it('is bars for a few groups; a group without a value has none', () => {
    const rows = [
      ['3010', 0.0993],
      ['2010', 0.0948],
      ['9999', null],
    ];
    expect(shapeWith([plant, rate], rows)).toEqual({
      ...{ kind: 'bars', measure: { name: 'Maverick buying', format: share } },
      bars: [
        { id: '0', label: '3010', value: 0.0993 },
        { id: '1', label: '2010', value: 0.0948 },
      ],
    });
  });

  it('is a line over months, in their order, with gaps', () => {
    const rows = [
      ['2026-03', 0.05],
      ['2026-01', 0.04],
      ['2026-02', null],
    ];
    expect(shapeWith([month, rate], rows)).toMatchObject({
      ...{ kind: 'lines', grain: 'month', timesMs: ['2026-01-01', '2026-02-01', '2026-03-01'].map(Date.parse) },
      series: [{ label: 'Maverick buying', values: [0.04, null, 0.05] }],
    });
  });

  it('is a line for each group beside the time', () => {
    const rows = [
      ['1010', '2026-01-01', 1],
      ['1020', '2026-02-03', 2],
    ];
    expect(shapeWith([plant, day, rate], rows)).toMatchObject({
      ...{ kind: 'lines', grain: 'day' },
      series: [
        { label: '1010', values: [1, null] },
        { label: '1020', values: [null, 2] },
      ],
    });
  });

  it('is a table for many groups, many lines, and rows without a figure', () => {
    const many = Array.from({ length: 21 }, (_, at) => [String(at), at]);
    expect(shapeWith([plant, rate], many)).toEqual({ kind: 'rows' });
    const lines = Array.from({ length: 7 }, (_, at) => [
      [String(at), '2026-01', 1],
      [String(at), '2026-02', 1],
    ]).flat();
    expect(shapeWith([plant, month, rate], lines)).toEqual({ kind: 'rows' });
    expect(
      shapeWith(
        [plant, day],
        [
          ['1010', '2026-01-01'],
          ['1020', null],
        ],
      ),
    ).toEqual({ kind: 'rows' });
  });

  it('is none for what only looked something up, failed, was cut, or is of another tool', () => {
    const good = callWith([plant, rate], [['1010', 1]]);
    const calls = [
      callWith([day], [['2026-06-30']]),
      callWith([rate], []),
      { ...good, isError: true },
      { ...good, result: good.result.slice(0, 60) },
      { ...good, arguments: { search_terms: ['maverick'] } },
      { ...good, result: 'A text.' },
    ];
    expect(readAnswerViews(calls, 'm')).toEqual([]);
  });

  it('has the query that made it where the model is known', () => {
    const call = callWith([plant, rate], [['1010', 1]]);
    expect(readAnswerViews([call], 'p2p.base-km')[0]?.query).toMatchObject({
      ...{ model: 'p2p.base-km', fields: ['PURCHASE_ORDER.PLANT'], kpis: ['MAVERICK_RATE'] },
    });
    expect(readAnswerViews([call], undefined)[0]?.query).toBeUndefined();
  });
});

describe('the model that was asked', () => {
  const model = JSON.stringify({
    ...{ id: 'p2p.base-km', name: 'Purchase to pay', description: '' },
    records: [{ id: 'PURCHASE_ORDER', name: 'Order', fields: [{ id: 'PURCHASE_ORDER.PLANT', name: 'Plant' }] }],
    ...{ kpis: [{ id: 'RATE', name: 'Rate' }], filters: [{ id: 'OPEN', name: 'Open items' }] },
  });
  const told = (result: string, isError = false) => ({ arguments: {}, result, isError });

  it('is what get-knowledge-model told, with the names of its parts', () => {
    const known = readKnownModel([told('{"count":1}'), told(model)]);
    expect(known?.id).toBe('p2p.base-km');
    expect(Object.fromEntries(known?.names ?? [])).toEqual({
      ...{ PURCHASE_ORDER: 'Order', 'PURCHASE_ORDER.PLANT': 'Plant', RATE: 'Rate', OPEN: 'Open items' },
    });
  });

  it('is known by the beginning of what was cut, without names', () => {
    expect(readKnownModel([told(model.slice(0, 120))])).toEqual({ id: 'p2p.base-km', names: new Map() });
  });

  it('is not known from other results', () => {
    for (const result of ['', '{"id":"x","name":"y"}', 'He said {"id":"x","name":"y","records":['])
      expect(readKnownModel([told(result)])).toBeUndefined();
    expect(readKnownModel([told(model, true)])).toBeUndefined();
  });
});
