import { describe, expect, it } from '@jest/globals';
import { fieldsToShow, rowsBehind, rowsOfRecord } from './drill.js';
import { emptyQuestion, type Question } from './question.js';
import { schemaOf } from './schema.js';
import { field, header, kpi, kpiHeader, purchases, record } from './testing/purchases.js';

const question: Question = {
  ...emptyQuestion,
  ...{ kpis: ['RATE'], fields: ['ORDER.PLANT', 'ORDER.ORDERED:month'], filters: ['LARGE'], sort: '-RATE', page: 1 },
  ...{ conditions: ['ITEM.AMOUNT gt 5', 'RATE gt 0.01'], search: 'blue' },
  period: { field: 'ORDER.ORDERED', from: '2026-01-01', to: '2026-06-30', compare: 'year' },
};
const headers = [header('ORDER.PLANT'), header('ORDER.ORDERED:month', 'date', { grain: 'month' }), kpiHeader('RATE')];
const itemFields = ['ITEM.ORDER_NO', 'ITEM.ITEM_NO', 'ITEM.MAVERICK', 'ITEM.PLANT', 'ITEM.AMOUNT'];

describe('the rows behind a figure', () => {
  it('are those of the record of its KPI, of the same group', () => {
    const row = { 'ORDER.PLANT': "20'10", 'ORDER.ORDERED:month': '2026-03-01', RATE: 0.1 };
    expect(rowsBehind(question, purchases, { row, headers })).toEqual({
      ...question,
      ...{ kpis: [], sort: '', page: 0, fields: [...itemFields, 'ORDER.PLANT', 'ORDER.ORDERED'] },
      conditions: [
        'ITEM.AMOUNT gt 5',
        "ORDER.PLANT eq '20''10'",
        'ORDER.ORDERED ge 2026-03-01 and ORDER.ORDERED lt 2026-04-01',
      ],
      period: { field: 'ORDER.ORDERED', from: '2026-01-01', to: '2026-06-30' },
    });
  });

  it('of a group without a value have none', () => {
    const behind = rowsBehind(question, purchases, { row: { RATE: 1, 'ORDER.PLANT': null }, headers });
    expect(behind?.conditions).toEqual(['ITEM.AMOUNT gt 5', 'ORDER.PLANT eq null', 'ORDER.ORDERED eq null']);
  });

  it('of numbers and truth values are compared as such', () => {
    const of = [header('ITEM.ITEM_NO', 'integer'), header('ITEM.MAVERICK', 'boolean')];
    const group = { row: { 'ITEM.ITEM_NO': 10, 'ITEM.MAVERICK': true }, headers: of };
    expect(rowsBehind({ ...question, conditions: [] }, purchases, group)?.conditions).toEqual([
      ...['ITEM.ITEM_NO eq 10', 'ITEM.MAVERICK eq true'],
    ]);
  });

  it('of all groups have the conditions of the question', () => {
    expect(rowsBehind(question, purchases)?.conditions).toEqual(['ITEM.AMOUNT gt 5']);
  });

  it('are not known of a KPI whose records are not', () => {
    expect(rowsBehind({ ...question, kpis: ['HIDDEN'] }, purchases)).toBeUndefined();
    expect(rowsBehind({ ...question, kpis: ['NOWHERE'] }, purchases)).toBeUndefined();
    expect(rowsBehind({ ...question, kpis: [] }, purchases)).toBeUndefined();
    const other = schemaOf([], [kpi('RATE', ['ITEM'])], []);
    expect(rowsBehind(question, other)).toBeUndefined();
  });
});

describe('the fields of a record', () => {
  it('begin with what tells rows apart and what is true of them', () => {
    const item = purchases.recordById.get('ITEM');
    expect(item && rowsOfRecord(item)).toEqual({ ...emptyQuestion, fields: itemFields });
  });

  it('are a few, and none that is hidden', () => {
    const attributes = Array.from({ length: 30 }, (_, at) => field(`F${at}`));
    const wide = record({ id: 'WIDE', identifier: ['HIDDEN'], attributes, relationships: [] });
    expect(fieldsToShow(wide)).toHaveLength(10);
    expect(fieldsToShow(wide)).not.toContain('WIDE.HIDDEN');
  });
});
