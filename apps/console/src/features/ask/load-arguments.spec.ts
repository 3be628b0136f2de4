import { describe, expect, it } from '@jest/globals';
import { readLoadArguments, toFilterText, toModelQuery, type LoadArguments } from './load-arguments.js';

const read = (given: object): LoadArguments => {
  const found = readLoadArguments({ columns: ['RATE'], ...given });
  if (found === undefined) throw new Error('no arguments of load-data');
  return found;
};
const filterOf = (applied_filters: object): readonly string[] => read({ applied_filters }).conditions.map(toFilterText);

it('a call of load-data is a query of the model with the same figures', () => {
  const given = {
    ...{
      columns: ['PURCHASE_ORDER.PLANT', 'MAVERICK_RATE'],
      order_by: 'MAVERICK_RATE',
      ascending: false,
      page_size: 50,
    },
    ...{ filters: ['LAST_12_MONTHS'] },
    applied_filters: { date_filters: [{ column_id: 'PURCHASE_ORDER.ORDER_DATE', start_date: '2026-03-01' }] },
  };
  expect(toModelQuery('p2p.base-km', read(given))).toEqual({
    ...{ model: 'p2p.base-km', fields: ['PURCHASE_ORDER.PLANT'], kpis: ['MAVERICK_RATE'], sort: '-MAVERICK_RATE' },
    ...{ filters: ['LAST_12_MONTHS'], filterExpr: ['PURCHASE_ORDER.ORDER_DATE ge 2026-03-01'] },
  });
});

describe('filters of a tool as text', () => {
  it.each([
    [{ values: ['2010'] }, "A.B eq '2010'"],
    [{ values: ['2010', '3010'] }, "A.B in ('2010', '3010')"],
    [{ values: ['2010'], negation: true }, "A.B ne '2010'"],
    [{ values: ['1', '2'], negation: true }, "not A.B in ('1', '2')"],
    [{ values: ["O'Neill"] }, "tolower(A.B) eq 'o''neill'"],
    [{ values: ['Bonn'], case_sensitive: true }, "A.B eq 'Bonn'"],
    [{ values: ['on'], add_wildcard_before: true, add_wildcard_after: true }, "contains(tolower(A.B), 'on')"],
    [{ values: ['1', '2'], add_wildcard_after: true }, "(startswith(A.B, '1') or startswith(A.B, '2'))"],
    [{ values: ['1'], add_wildcard_before: true, negation: true }, "not (endswith(A.B, '1'))"],
  ])('texts %j are %s', (filter, text) => {
    expect(filterOf({ string_filters: [{ column_id: 'A.B', ...filter }] })).toEqual([text]);
  });

  it.each([
    [{ value: 5 }, 'RATE eq 5'],
    [{ value: 0.05, comparator: '>' }, 'RATE gt 0.05'],
    [{ value: -1, comparator: '<=' }, 'RATE le -1'],
    [{ value: 1, comparator: '!=' }, 'RATE ne 1'],
  ])('a number %j is %s', (filter, text) => {
    expect(filterOf({ numeric_filters: [{ column_id: 'RATE', ...filter }] })).toEqual([text]);
  });

  it.each([
    [{ start_date: '2026-03-01' }, 'A.D ge 2026-03-01'],
    [{ start_date: '2026-03-01', end_date: '2026-03-31' }, 'A.D ge 2026-03-01 and A.D le 2026-03-31'],
    [{ end_date: '2026-03-31', negation: true }, 'not (A.D le 2026-03-31)'],
  ])('days %j are %s', (filter, text) => {
    expect(filterOf({ date_filters: [{ column_id: 'A.D', ...filter }] })).toEqual([text]);
  });

  it('a value that is there or not', () => {
    expect(filterOf({ null_filters: [{ column_id: 'A.B' }, { column_id: 'A.C', is_null: false }] })).toEqual([
      'A.B eq null',
      'A.C ne null',
    ]);
  });

  it('that are none are left out', () => {
    const filters = [{ column_id: 'A' }, { column_id: 3, values: ['x'] }, 'x', null];
    expect(
      filterOf({
        string_filters: filters,
        numeric_filters: filters,
        date_filters: [{ column_id: 'A', start_date: 'x' }],
      }),
    ).toEqual([]);
    expect(filterOf({ numeric_filters: [{ column_id: 'A', value: 1, comparator: 'toString' }] })).toEqual([]);
  });
});

it('arguments of other tools are none', () => {
  for (const given of [undefined, null, 'text', [], {}, { columns: [] }, { columns: 'A' }, { search_terms: ['x'] }])
    expect(readLoadArguments(given)).toBeUndefined();
});
