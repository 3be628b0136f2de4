import { describe, expect, it } from '@jest/globals';
import { emptyQuestion, type Question } from './question.js';
import { purchases } from './testing/purchases.js';
import { toolCallOf } from './tool-call.js';

const question: Question = { ...emptyQuestion, kpis: ['RATE'], fields: ['ORDER.PLANT'] };
const call = (change: Partial<Question>): unknown => {
  const told = toolCallOf({ ...question, ...change }, purchases);
  return told.ok ? JSON.parse(told.text) : told.why;
};
const filtersOf = (...conditions: readonly string[]): unknown => {
  const told = call({ conditions });
  return typeof told === 'object' && told !== null && 'applied_filters' in told ? told.applied_filters : told;
};

describe('the arguments of load-data', () => {
  it('have the columns, the page and the order', () => {
    expect(call({ sort: '-RATE', page: 2, filters: ['LARGE'] })).toEqual({
      ...{ columns: ['ORDER.PLANT', 'RATE'], page: 2, page_size: 50, order_by: 'RATE', ascending: false },
      filters: ['LARGE'],
    });
    expect(call({ sort: 'RATE' })).toMatchObject({ ascending: true });
  });

  it.each<readonly [string, unknown]>([
    [
      "ORDER.PLANT eq '2010'",
      { string_filters: [{ column_id: 'ORDER.PLANT', values: ['2010'], case_sensitive: true }] },
    ],
    ["ORDER.PLANT ne '2010'", { string_filters: [expect.objectContaining({ negation: true })] }],
    ["ORDER.PLANT in ('1', '2')", { string_filters: [expect.objectContaining({ values: ['1', '2'] })] }],
    [
      "contains(ORDER.PLANT, '1')",
      { string_filters: [expect.objectContaining({ add_wildcard_before: true, add_wildcard_after: true })] },
    ],
    ["startswith(ORDER.PLANT, '1')", { string_filters: [expect.objectContaining({ add_wildcard_after: true })] }],
    ["endswith(ORDER.PLANT, '1')", { string_filters: [expect.objectContaining({ add_wildcard_before: true })] }],
    ['ITEM.AMOUNT gt 5.5', { numeric_filters: [{ column_id: 'ITEM.AMOUNT', value: 5.5, comparator: '>' }] }],
    ['RATE ge 0.1', { numeric_filters: [{ column_id: 'RATE', value: 0.1, comparator: '>=' }] }],
    [
      'ITEM.AMOUNT ge 1 and ITEM.AMOUNT le 2',
      { numeric_filters: [expect.objectContaining({ value: 1 }), expect.objectContaining({ value: 2 })] },
    ],
    [
      'ORDER.ORDERED eq 2026-01-31',
      { date_filters: [{ column_id: 'ORDER.ORDERED', start_date: '2026-01-31', end_date: '2026-01-31' }] },
    ],
    ['ORDER.ORDERED gt 2026-01-31', { date_filters: [{ column_id: 'ORDER.ORDERED', start_date: '2026-02-01' }] }],
    ['ORDER.ORDERED ge 2026-01-31', { date_filters: [{ column_id: 'ORDER.ORDERED', start_date: '2026-01-31' }] }],
    ['ORDER.ORDERED lt 2026-03-01', { date_filters: [{ column_id: 'ORDER.ORDERED', end_date: '2026-02-28' }] }],
    ['ORDER.ORDERED le 2026-03-01', { date_filters: [{ column_id: 'ORDER.ORDERED', end_date: '2026-03-01' }] }],
    [
      'ORDER.ORDERED ge 2026-01-01 and ORDER.ORDERED le 2026-01-31',
      { date_filters: [{ column_id: 'ORDER.ORDERED', start_date: '2026-01-01', end_date: '2026-01-31' }] },
    ],
    ['ORDER.PLANT eq null', { null_filters: [{ column_id: 'ORDER.PLANT', is_null: true }] }],
    ['ITEM.MAVERICK ne null', { null_filters: [{ column_id: 'ITEM.MAVERICK', is_null: false }] }],
  ])('have filters for %s', (condition, expected) => expect(filtersOf(condition)).toEqual(expected));

  it('have the period', () => {
    const period = { field: 'ORDER.ORDERED', from: '2026-01-01', to: '' };
    expect(call({ period })).toMatchObject({ applied_filters: { date_filters: [{ start_date: '2026-01-01' }] } });
    expect(call({ period: { ...period, from: '' } })).not.toHaveProperty('applied_filters');
  });

  it.each<readonly [Partial<Question>, string]>([
    [{ fields: ['ORDER.ORDERED:month'] }, 'grain'],
    [{ search: 'blue' }, 'search'],
    [{ sort: 'RATE,ORDER.PLANT' }, 'sort'],
    [{ conditions: ['ITEM.AMOUNT gt 5 or ITEM.AMOUNT lt 1'] }, 'condition'],
    [{ conditions: ["ORDER.PLANT gt '2'"] }, 'condition'],
    [{ conditions: ['ITEM.MAVERICK eq true'] }, 'condition'],
    [{ conditions: ["ITEM.AMOUNT eq 'many'"] }, 'condition'],
    [{ conditions: ["ORDER.ORDERED eq 'soon'"] }, 'condition'],
    [{ conditions: ['ORDER.ORDERED ne 2026-01-01'] }, 'condition'],
    [{ conditions: ['ORDER.CREATED gt 2026-01-01'] }, 'condition'],
  ])('are not there for %j: %s', (change, why) => expect(call(change)).toBe(why));
});
