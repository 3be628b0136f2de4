import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { DataQuery, QueryCaller } from '../../query/data-query.js';
import { isRational, valueToText, type FormulaValue } from '../evaluate.js';
import { parseRational } from '../rational.js';
import { type ExpectedAnswer, evaluateQuery } from './evaluate-query.js';
import type { SampleWorld } from './sample-world.js';

const definition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'shop',
  source: { schema: 'shop' },
  records: [
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'TOTAL', column: 'total', type: 'integer' },
        { id: 'CITY', column: 'city' },
      ],
      augmentedAttributes: [{ id: 'SURE_TOTAL', type: 'integer', expression: 'coalesce(TOTAL, 0)' }],
      flags: [{ id: 'UNKNOWN', expression: 'CITY is null' }],
    },
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_NO', column: 'order', type: 'integer' },
        { id: 'KIND', column: 'kind' },
        { id: 'QTY', column: 'qty', type: 'integer' },
      ],
      flags: [{ id: 'MANY', expression: 'QTY > 2' }],
    },
    {
      id: 'NOTE',
      table: 'note',
      identifier: ['TEXT'],
      attributes: [
        { id: 'TEXT', column: 'text' },
        { id: 'ORDER_NO', column: 'order', type: 'integer' },
      ],
    },
    {
      id: 'STORE',
      table: 'store',
      identifier: ['ID'],
      attributes: [{ id: 'ID', column: 'id', type: 'integer' }],
    },
  ],
  relationships: [
    { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'NO' }, cardinality: 'many-to-one' },
    { from: 'ORDER', to: 'NOTE', on: { NO: 'ORDER_NO' }, cardinality: 'one-to-many' },
  ],
  kpis: [
    { id: 'AMOUNT', expression: 'sum(ORDER.TOTAL)' },
    { id: 'ITEMS', expression: 'count(ITEM.*)' },
    { id: 'PER_ITEM', expression: 'AMOUNT / ITEMS' },
    { id: 'KINDS', expression: "count(distinct ITEM.KIND) filter (where ORDER.CITY = 'Rome')" },
    { id: 'STORES', expression: 'count(STORE.*)' },
  ],
  filters: [{ id: 'BIG', expression: 'ORDER.TOTAL ge 20' }],
  policies: [
    { record: 'ORDER', rows: 'CITY in caller.cities', unless: { scope: 'all' } },
    { record: 'ITEM', hide: ['QTY'], unless: { scope: 'all' } },
  ],
};

const table = (columns: string, ...rows: readonly string[]) =>
  rows.map((row) => {
    const values = row.split(' ');
    const value = (text: string): FormulaValue =>
      text === '-' ? null : /^\d+$/.test(text) ? parseRational(text) : text;
    return new Map(columns.split(' ').map((column, at) => [column, value(values[at] ?? '-')]));
  });

/** Order 1 has three items and 10, order 2 none, order 3 one; an item has no order that is there. */
const world: SampleWorld = {
  definition,
  tables: new Map([
    ['order', table('no total city', '1 10 Rome', '2 20 Bonn', '3 30 -')],
    ['item', table('id order kind qty', '11 1 a 5', '12 1 a -', '13 1 b 7', '14 3 - 1', '15 9 b 2')],
    ['note', table('text order', 'x 1', 'y 1', 'z 2')],
    ['store', table('id', '1')],
  ]),
};

const everything: QueryCaller = { scopes: ['all'], attributes: {} };
const plain: DataQuery = {
  fields: [],
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 100,
};

const shown = (value: FormulaValue): string => {
  if (value === null) return '-';
  return isRational(value) && value.under !== 1n ? `${value.over}/${value.under}` : valueToText(value);
};
const answer = (asked: Partial<DataQuery>, caller = everything): readonly string[] => {
  const found: ExpectedAnswer = evaluateQuery(world, { ...plain, ...asked }, caller);
  return found.ok ? [...found.rows.map((row) => row.map(shown).join(' ')), `of ${found.total}`] : found.codes;
};

describe('the independent evaluator', () => {
  it('never multiplies an aggregate by a join', () => {
    expect(answer({ kpis: ['AMOUNT', 'ITEMS', 'PER_ITEM'] })).toEqual(['60 5 12', 'of 1']);
  });

  it('counts a row once in each group of its related rows', () => {
    expect(answer({ fields: ['ITEM.KIND'], kpis: ['AMOUNT', 'ITEMS'] })).toEqual([
      '- 50 1',
      'a 10 2',
      'b 10 2',
      'of 3',
    ]);
  });

  it('returns every group of any aggregate', () => {
    const asked = { fields: ['ORDER.CITY'], kpis: ['AMOUNT', 'ITEMS', 'KINDS'], sort: '-ITEMS' };
    expect(answer(asked)).toEqual(['Rome 10 3 2', '- 30 2 0', 'Bonn 20 0 0', 'of 3']);
  });

  it('returns a row once if one of its related rows matches', () => {
    const at = { record: 'ORDER', fields: ['NO'] };
    expect(answer({ ...at, filterExpressions: ["ITEM.KIND eq 'a'"] })).toEqual(['1', 'of 1']);
    expect(answer({ ...at, filterExpressions: ["ITEM.KIND ne 'a'"] })).toEqual(['1', '2', '3', 'of 3']);
    expect(answer({ ...at, filterExpressions: ["ITEM.KIND eq 'a'", 'ITEM.QTY eq 7'] })).toEqual(['of 0']);
    expect(answer({ kpis: ['AMOUNT'], filterExpressions: ['ITEM.QTY gt 4'] })).toEqual(['10', 'of 1']);
  });

  it('multiplies rows by requested records only if no record is one row away from all others', () => {
    expect(answer({ fields: ['ORDER.NO', 'ITEM.ID'], sort: '-ORDER.NO' })).toEqual([
      ...['3 14', '1 13', '1 12', '1 11', '- 15'],
      'of 5',
    ]);
    expect(answer({ fields: ['ORDER.NO', 'ITEM.ID', 'NOTE.TEXT'], filterIds: ['BIG'] })).toEqual([
      '2 - z',
      '3 14 -',
      'of 2',
    ]);
    expect(answer({ fields: ['NOTE.TEXT', 'ITEM.ID'] })).toEqual([
      ...['x 11', 'x 12', 'x 13', 'y 11', 'y 12', 'y 13', 'z -'],
      'of 7',
    ]);
  });

  it('returns null for every formula of a missing row', () => {
    const asked = { fields: ['ITEM.ID', 'ORDER.SURE_TOTAL', 'ORDER.UNKNOWN'], filterExpressions: ['ITEM.ID ge 14'] };
    expect(answer(asked)).toEqual(['14 30 true', '15 - -', 'of 2']);
  });

  it('returns one row without fields, even over no rows, unless a KPI filter does not match', () => {
    const none = { kpis: ['AMOUNT', 'ITEMS'], filterExpressions: ['ORDER.NO gt 9'] };
    expect(answer(none)).toEqual(['- 0', 'of 1']);
    expect(answer({ ...none, filterExpressions: ['ORDER.NO gt 9', 'ITEMS gt 0'] })).toEqual(['of 0']);
  });

  it('applies distinct, then the sort, then the page', () => {
    const asked = { record: 'ITEM', fields: ['KIND'], distinct: true, sort: '-KIND' };
    expect(answer(asked)).toEqual(['b', 'a', '-', 'of 3']);
    expect(answer({ ...asked, page: 1, pageSize: 2 })).toEqual(['-', 'of 3']);
    expect(answer({ ...asked, distinct: false, pageSize: 2 })).toEqual(['b', 'b', 'of 5']);
  });

  it('hides rows also as related rows, and names that read a hidden field', () => {
    const caller: QueryCaller = { scopes: [], attributes: { cities: ['Bonn'] } };
    expect(answer({ record: 'ITEM', fields: ['ID', 'KIND'], pageSize: 1 }, caller)).toEqual(['11 a', 'of 5']);
    expect(answer({ fields: ['ORDER.NO'], kpis: ['AMOUNT', 'ITEMS'] }, caller)).toEqual(['- - 5', '2 20 0', 'of 2']);
    expect(answer({ fields: ['ITEM.MANY'] }, caller)).toEqual(['KM_FIELD_NOTFOUND']);
    expect(answer({ kpis: ['AMOUNT'] }, { scopes: [], attributes: {} })).toEqual(['-', 'of 1']);
  });

  it('hides rows whose parents are hidden or missing where a policy reads these, and what leads to them in turn', () => {
    const records = definition.records ?? [];
    const mark = {
      id: 'MARK',
      table: 'mark',
      identifier: ['ID'],
      attributes: [{ id: 'ID', column: 'id', type: 'integer' as const }],
    };
    const restricted: SampleWorld = {
      definition: {
        ...definition,
        records: [...records, mark],
        relationships: [
          ...(definition.relationships ?? []),
          { from: 'MARK', to: 'ITEM', on: { ID: 'ID' }, cardinality: 'one-to-one' },
        ],
        policies: [
          { record: 'ORDER', rows: "CITY ne 'Bonn'" },
          { record: 'ITEM', rows: "ORDER.TOTAL ge 30 or KIND eq 'a'" },
          { record: 'MARK', rows: 'ITEM.QTY ne 7' },
        ],
      },
      tables: new Map([...world.tables, ['mark', table('id', '11', '13', '15', '16')]]),
    };
    const rowsOf = (record: string, field: string): readonly string[] => {
      const found = evaluateQuery(restricted, { ...plain, record, fields: [field] }, everything);
      return found.ok ? found.rows.flat().map(shown) : found.codes;
    };
    expect(rowsOf('ORDER', 'NO')).toEqual(['1', '3']);
    expect(rowsOf('ITEM', 'ID')).toEqual(['11', '12', '14']);
    expect(rowsOf('MARK', 'ID')).toEqual(['11']);
  });

  it('finds no path between records without relationships', () => {
    expect(answer({ fields: ['STORE.ID', 'ORDER.NO'] })).toEqual(['KM_JOIN_NOTFOUND']);
    expect(answer({ fields: ['STORE.ID'], kpis: ['AMOUNT'] })).toEqual(['KM_JOIN_NOTFOUND']);
    expect(answer({ kpis: ['AMOUNT', 'STORES'] })).toEqual(['60 1', 'of 1']);
  });

  it('searches without regard to case', () => {
    const search = { term: 'OM', precision: 100 };
    expect(answer({ record: 'ORDER', fields: ['NO'], search })).toEqual(['1', 'of 1']);
  });
});
