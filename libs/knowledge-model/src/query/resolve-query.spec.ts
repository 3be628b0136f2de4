import { describe, expect, it } from '@jest/globals';
import { createQuery, fullAccessCaller, purchaseViewFor } from '../testing/purchase-model.js';
import { fieldsOfFilter } from './conditions.js';
import type { DataQuery, ResolvedQuery } from './data-query.js';
import { resolveQuery } from './resolve-query.js';

const view = purchaseViewFor(fullAccessCaller);

const resolved = (members: Partial<DataQuery>): ResolvedQuery => {
  const result = resolveQuery(view, createQuery(members));
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};
const ofItem = (members: Partial<DataQuery>) => resolved({ record: 'ITEM', fields: 'all', ...members });
const idsOf = ({ columns }: ResolvedQuery) => columns.map(({ column }) => column.id);

describe('the columns of a query', () => {
  it('are the requested fields in order, each once, followed by the KPIs', () => {
    const query = resolved({
      fields: ['SUPPLIER.CITY', 'ITEM.AMOUNT', 'SUPPLIER.CITY'],
      kpis: ['INVOICED', 'ORDER_VALUE', 'INVOICED'],
    });
    expect(idsOf(query)).toEqual(['SUPPLIER.CITY', 'ITEM.AMOUNT', 'INVOICED', 'ORDER_VALUE']);
    expect(query.record).toBeUndefined();
  });

  it('are all fields of the record in the order of the model by default', () => {
    expect(idsOf(ofItem({}))).toEqual([
      'ORDER_NO',
      'ITEM_NO',
      'AMOUNT',
      'PLANT',
      'DUE',
      'NOTE',
      'BANK',
      'SIZE',
      'BRANCH',
      'BRANCH_LENGTH',
      'LATE',
    ]);
  });

  it('have the metadata of their fields', () => {
    expect(ofItem({ fields: ['AMOUNT', 'NOTE'] }).columns).toMatchObject([
      {
        isKpi: false,
        record: 'ITEM',
        field: 'AMOUNT',
        expression: { kind: 'column', column: 'amount' },
        column: {
          id: 'AMOUNT',
          name: 'Net amount',
          type: 'float',
          format: ',.2f',
          unit: 'EUR',
          aggregation: false,
          filterable: true,
          sortable: true,
          exact: true,
        },
      },
      { column: { id: 'NOTE', name: 'NOTE', filterable: false, sortable: false, exact: false } },
    ]);
    const [kpi] = resolved({ kpis: ['ORDER_VALUE'] }).columns;
    expect(kpi).toMatchObject({ isKpi: true, kpi: 'ORDER_VALUE', typed: { records: ['ITEM'] } });
    expect(kpi?.column).toEqual({
      id: 'ORDER_VALUE',
      name: 'Order value',
      type: 'float',
      unit: 'EUR',
      aggregation: true,
      filterable: true,
      sortable: true,
      exact: false,
    });
  });

  it('may be null where a row may be missing', () => {
    const nullable = (members: Partial<DataQuery>) => resolved(members).columns.map((column) => column.nullable);
    expect(nullable({ record: 'ITEM', fields: ['ORDER_NO', 'AMOUNT'] })).toEqual([false, true]);
    expect(nullable({ fields: ['ITEM.ORDER_NO'] })).toEqual([true]);
  });
});

describe('the filters of a query', () => {
  const named = (query: ResolvedQuery) => JSON.stringify([query.rowFilters, query.groupFilters].map(namesIn));
  const namesIn = (filters: readonly object[]) =>
    filters.map((filter) =>
      [...JSON.stringify(filter).matchAll(/"name":"([A-Z_.]+)","field":/g)].map(([, name]) => name),
    );

  it('are split where `and` joins them', () => {
    const query = ofItem({
      filterIds: ['LARGE', 'LARGE', 'NOTED'],
      filterExpressions: [
        "PLANT eq 'a,b' and (AMOUNT gt 1 and ITEM.DUE ne null),LATE eq true",
        "SUPPLIER.CITY eq 'x' or ITEM_NO eq 1",
      ],
    });
    expect(named(query)).toBe(
      '[[["ITEM.SIZE"],["ITEM.NOTE"],["PLANT"],["AMOUNT"],["ITEM.DUE"],["LATE"],["SUPPLIER.CITY","ITEM_NO"]],[]]',
    );
  });

  it('are group filters when they name KPIs, requested or not', () => {
    const query = resolved({
      fields: ['ITEM.PLANT'],
      filterIds: ['VALUABLE_AND_OURS', 'VALUABLE_OR_OURS'],
      filterExpressions: ["INVOICED gt 5 and ORDER.YEAR eq 2020 and (INVOICED lt 9 or ITEM.PLANT eq 'P2')"],
    });
    expect(named(query)).toBe(
      '[[["ITEM.PLANT"],["SUPPLIER.CITY"],["ORDER.YEAR"]],[["ORDER_VALUE"],["ORDER_VALUE","ITEM.PLANT"],["INVOICED"],["INVOICED","ITEM.PLANT"]]]',
    );
  });

  it('stay group filters when a KPI comparison can never hold', () => {
    const query = resolved({
      kpis: ['ORDER_VALUE'],
      filterExpressions: ['ORDER_VALUE gt null and ITEM.PLANT gt null'],
    });
    expect([query.rowFilters, query.groupFilters]).toMatchObject([
      [{ kind: 'constant', value: false }],
      [{ kind: 'constant', value: false }],
    ]);
  });

  it('mark fields of the queried record that are never null as not nullable', () => {
    const { rowFilters } = ofItem({ filterExpressions: ['ORDER_NO ne null,ITEM.ORDER_NO ne null,ORDER.NO ne null'] });
    expect(rowFilters.flatMap(fieldsOfFilter).map(({ nullable }) => nullable)).toEqual([false, false, true]);
  });
});

describe('the search of a query', () => {
  const searched = (query: ResolvedQuery) => query.search?.fields.map(({ record, field }) => `${record}.${field}`);
  const search = { term: 'a', precision: 90 };

  it('reads the fields that it names', () => {
    expect(searched(ofItem({ search: { ...search, fields: ['PLANT', 'SIZE', 'PLANT'] } }))).toEqual([
      'ITEM.PLANT',
      'ITEM.SIZE',
    ]);
    expect(searched(resolved({ kpis: ['INVOICED'], search: { ...search, fields: ['ORDER.COMPANY'] } }))).toEqual([
      'ORDER.COMPANY',
    ]);
  });

  it('reads every field of type string of the requested records', () => {
    const strings = ['ITEM.ORDER_NO', 'ITEM.PLANT', 'ITEM.NOTE', 'ITEM.BANK', 'ITEM.SIZE', 'ITEM.BRANCH'];
    expect(searched(ofItem({ fields: ['AMOUNT'], search }))).toEqual(strings);
    expect(searched(ofItem({ search: { ...search, fields: [] } }))).toEqual(strings);
    const query = resolved({ fields: ['ITEM.AMOUNT', 'SUPPLIER.ID', 'ITEM.DUE'], kpis: ['INVOICED'], search });
    expect(searched(query)).toEqual([...strings, 'SUPPLIER.ID', 'SUPPLIER.CITY']);
    expect(query.search).toMatchObject(search);
  });

  it('is absent without a search term', () => {
    expect(ofItem({})).not.toHaveProperty('search');
  });
});

describe('the sort of a query', () => {
  it.each([
    [undefined, []],
    ['AMOUNT', ['+AMOUNT']],
    ['+AMOUNT', ['+AMOUNT']],
    [' AMOUNT', ['+AMOUNT']],
    ['-AMOUNT', ['-AMOUNT']],
    [' -AMOUNT , PLANT ', ['-AMOUNT', '+PLANT']],
    ['-PLANT,+AMOUNT', ['-PLANT', '+AMOUNT']],
    ['-PLANT,AMOUNT,-PLANT', ['-PLANT', '+AMOUNT']],
  ])('%j is resolved to %j', (sort, expected) => {
    const query = ofItem({ fields: ['AMOUNT', 'PLANT'], ...(sort !== undefined && { sort }) });
    const items = query.sort.map(
      ({ column, descending }) => `${descending ? '-' : '+'}${query.columns[column]?.column.id}`,
    );
    expect(items).toEqual(expected);
  });
});

it('resolveQuery returns distinct, page and page size unchanged', () => {
  expect(ofItem({ distinct: true, page: 3, pageSize: 7 })).toMatchObject({
    view,
    record: 'ITEM',
    distinct: true,
    page: 3,
    pageSize: 7,
  });
});

it('resolveQuery reports a fault both in the list of faults and in the detail text', () => {
  const result = resolveQuery(
    view,
    createQuery({ record: 'ITEM', fields: 'all', filterExpressions: ['DUE ne null', 'AMUONT gt 1'] }),
  );
  expect(result).toEqual({
    ok: false,
    failure: {
      code: 'KM_FIELD_NOTFOUND',
      detail: 'filterExpr 2 of 2 (AMUONT gt 1), character 1: There is no field AMUONT in ITEM. Did you mean AMOUNT?',
      faults: [
        {
          in: 'query',
          path: 'filterExpr.1',
          message:
            'filterExpr 2 of 2 (AMUONT gt 1), character 1: There is no field AMUONT in ITEM. Did you mean AMOUNT?',
          rule: 'field',
          position: 0,
          suggestion: 'AMOUNT',
        },
      ],
    },
  });
});

it('resolveQuery reports at most five faults', () => {
  const wrong = Array.from({ length: 40 }, (_, at) => `X${at}`);
  const text = wrong.map((name) => `${name} eq 1`).join(' and ');
  for (const members of [
    { fields: wrong },
    { kpis: wrong },
    { fields: ['ITEM.DUE'], filterIds: wrong },
    { fields: ['ITEM.DUE'], filterExpressions: [text, text] },
    { fields: ['ITEM.DUE'], filterExpressions: wrong.map((name) => `${name} eq 1`) },
    { fields: ['ITEM.DUE'], sort: wrong.join() },
    { fields: ['ITEM.DUE'], search: { term: 'a', precision: 1, fields: wrong } },
  ]) {
    const result = resolveQuery(view, createQuery(members));
    expect(result.ok ? [] : result.failure.faults).toHaveLength(5);
  }
});
