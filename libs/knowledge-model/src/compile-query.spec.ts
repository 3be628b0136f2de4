import { describe, expect, it } from '@jest/globals';
import { checkModel } from './check-model.js';
import { compileQuery } from './compile-query.js';
import { createCallerView, type CallerView } from './query/caller-view.js';
import type { CompiledQuery, DataQuery } from './query/data-query.js';
import {
  compileValidShopQuery,
  compileShopQuery,
  emptyQuery,
  type QueryMembers,
  romeCaller,
} from './testing/shop-database.js';
import { shopDefinition } from './testing/shop-model.js';

const hostile = [`'; drop table shop.item; --`, '"', '$1', '\\', '%_', "' or '1' = '1", '\u202e', '{a,b}', '💥'];

const many = (formula: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `G${index}`, expression: `${formula}${index}` }));

const ofOrders: DataQuery = { ...emptyQuery, record: 'ORDER', fields: 'all' };

/** As if a policy hid every field but one. */
const withoutIdentifier = (record: string, field: string): CallerView => {
  const checked = checkModel(shopDefinition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const view = createCallerView(checked, romeCaller);
  const left = [...(view.names.fields.get(record) ?? [])].filter(([id]) => id === field);
  return { ...view, names: { ...view.names, fields: new Map([...view.names.fields, [record, new Map(left)]]) } };
};

describe('a compiled query', () => {
  it('has the same SQL text for the same query with other values', () => {
    const question = (text: string): QueryMembers => ({
      fields: ['ITEM.PRODUCT', 'CUSTOMER.PLACE'],
      kpis: ['PER_ORDER', 'SHARE'],
      filterExpressions: [`ITEM.PRODUCT eq '${text.replaceAll("'", "''")}' and SALES gt ${text.length}`],
      search: { term: text, precision: 100, fields: ['CUSTOMER.NAME'] },
    });
    // A term without three characters in a row is not looked for in an index.
    const plain = ['plain', 'x'].map((term) => compileValidShopQuery(question(term), romeCaller));
    for (const text of hostile) {
      const other = compileValidShopQuery(question(text), romeCaller);
      expect(plain.map(({ rows, count }) => [rows.text, count.text])).toContainEqual([
        other.rows.text,
        other.count.text,
      ]);
      expect(other.rows.values).toContain(text);
    }
  });

  it('has the same SQL text for every page, and the same count for every page, order and choice of fields', () => {
    const question = { record: 'ITEM', fields: ['AMOUNT', 'DUE'], filterExpressions: ['AMOUNT gt 10'] };
    const [first, later] = [
      compileValidShopQuery(question),
      compileValidShopQuery({ ...question, page: 7, pageSize: 1 }),
    ];
    expect(later.rows.text).toBe(first.rows.text);
    const other = compileValidShopQuery({ ...question, fields: ['DUE', 'PRODUCT'], sort: '-DUE' });
    const countOf = ({ count: { text, values } }: CompiledQuery) => [text, values];
    expect([later, other].map(countOf)).toEqual([countOf(first), countOf(first)]);
  });

  it('selects the keyset columns of each row, also those that are not requested', () => {
    const keyset = { skip: 0 };
    const question = { record: 'ITEM', fields: ['DUE', 'ITEM_NO'], sort: '-DUE', keyset };
    const { columns, order, count } = compileValidShopQuery(question);
    expect(columns.map(({ id }) => id)).toEqual(['DUE', 'ITEM_NO']);
    expect(order).toEqual([
      { column: 0, type: 'date', descending: true },
      { column: 2, type: 'string', descending: true },
      { column: 1, type: 'integer', descending: true },
    ]);
    const behind = compileValidShopQuery({ ...question, keyset: { skip: 0, after: ['2026-01-05', 'A', '1'] } });
    expect([behind.order, behind.count]).toEqual([order, count]);
    expect(compileValidShopQuery({ record: 'ITEM', fields: ['DUE'] })).toMatchObject({ order: [], count });
    const hidden = compileQuery(withoutIdentifier('ORDER', 'MADE'), { ...ofOrders, keyset }, { schema: 'shop' });
    expect(hidden).toMatchObject({
      ok: true,
      value: { columns: [{ id: 'MADE' }], order: [{ column: 1, type: 'string', descending: false }] },
    });
  });

  it('rejects a keyset of another order', () => {
    const asked = (...after: readonly string[]) =>
      compileShopQuery({ record: 'ITEM', fields: ['DUE'], keyset: { skip: 0, after } });
    expect(asked('A', '1').ok).toBe(true);
    for (const after of [[], ['A'], ['2026-01-05', 'A', '1']])
      expect(asked(...after)).toMatchObject({
        ok: false,
        failure: {
          code: 'GENERAL_PARAMETER_ILLEGAL',
          detail: 'The $skiptoken is of another order; ask for the first page again, without $skiptoken.',
          faults: [{ in: 'query', path: '$skiptoken', rule: 'order' }],
        },
      });
    expect(() => compileShopQuery({ kpis: ['SALES'], keyset: { skip: 0, after: ['1'] } })).toThrow(
      'Groups have no place',
    );
  });

  it('lists its columns, grain and tables', () => {
    const { columns, sort, grain, tables, settings } = compileValidShopQuery({
      fields: ['CUSTOMER.PLACE'],
      kpis: ['PER_ORDER'],
      sort: '-PER_ORDER, CUSTOMER.PLACE',
      filterExpressions: ['DELIVERY.QTY gt 1'],
      search: { term: 'a', precision: 80 },
    });
    expect(columns.map(({ id, type, aggregation }) => [id, type, aggregation])).toEqual([
      ['CUSTOMER.PLACE', 'string', false],
      ['PER_ORDER', 'float', true],
    ]);
    expect(sort).toEqual(['-PER_ORDER', '+CUSTOMER.PLACE']);
    expect(grain).toEqual(['ITEM', 'ORDER']);
    expect([...tables].sort()).toEqual(['customer', 'delivery', 'item', 'order']);
    expect(settings).toEqual({
      enable_seqscan: 'off',
      plan_cache_mode: 'force_custom_plan',
      'pg_trgm.word_similarity_threshold': '0.799999',
    });
  });

  it('orders texts of external databases by code points, whatever their collation is', () => {
    const external = checkModel({ ...shopDefinition, source: { schema: 'shop', database: 'erp' } }, new Map());
    const textOf = (question: QueryMembers) => {
      const compiled = compileShopQuery(question, undefined, external);
      return compiled.ok ? compiled.value.rows.text : compiled.failure.detail;
    };
    expect(textOf({ record: 'ITEM', fields: ['PRODUCT', 'AMOUNT'], sort: 'PRODUCT' })).toBe(
      `select ("ITEM"."product" collate "C"), "ITEM"."net ""amount""" from "shop"."item" as "ITEM" ` +
        `order by 1 nulls first, ("ITEM"."order_no" collate "C"), "ITEM"."item_no" limit $1::bigint offset $2::bigint`,
    );
    expect(textOf({ record: 'ITEM', fields: ['PRODUCT', 'AMOUNT'], sort: 'AMOUNT' })).toContain(
      'select "ITEM"."product",',
    );
  });

  it('is rejected when its formulas are too large in total', () => {
    const parts = Array.from({ length: 240 }, (_, index) => `AMOUNT + ${index}`).join(' + ');
    const large = checkModel(
      {
        ...shopDefinition,
        records: shopDefinition.records?.map((record) =>
          record.id === 'ITEM'
            ? { ...record, augmentedAttributes: [{ id: 'LARGE', expression: parts }, ...many('LARGE + ', 60)] }
            : record,
        ),
        kpis: [{ id: 'SUM', expression: 'sum(ITEM.LARGE)' }, ...many('sum(ITEM.LARGE) + ', 60)],
      },
      new Map(),
    );
    const code = (question: QueryMembers) => {
      const compiled = compileShopQuery(question, undefined, large);
      return compiled.ok ? compiled.value.rows.values.length : compiled.failure.code;
    };
    const ids = Array.from({ length: 60 }, (_, index) => `G${index}`);
    const conditions = ids.map((id) => `${id} gt 1`);
    expect(code({ record: 'ITEM', fields: ids.slice(0, 20) })).toBeGreaterThan(4_000);
    const refused = 'GENERAL_CONSTRAINT_VIOLATION';
    expect(code({ record: 'ITEM', fields: ids })).toBe(refused);
    // No page behind a row is refused when the first was not, however much larger its statement is.
    const pages = (sorted: number) =>
      [{ skip: 0 }, { skip: 0, after: [...ids.slice(0, sorted), 'A', '1'] }].map((keyset) => {
        const sort = ids.slice(0, sorted).map((id, at) => `${at % 2 === 0 ? '-' : ''}${id}`);
        return code({ record: 'ITEM', fields: ids.slice(0, 10), sort: sort.join(), keyset });
      });
    const [first, behind] = pages(6);
    expect(first).toBeGreaterThan(2_000);
    expect(behind).toBeGreaterThan(5_000);
    expect(pages(10)).toEqual([refused, refused]);
    expect(code({ record: 'ITEM', fields: ['AMOUNT'], filterExpressions: conditions })).toBe(refused);
    expect(code({ fields: ids.map((id) => `ITEM.${id}`), kpis: ['SUM'] })).toBe(refused);
    expect(code({ kpis: ids })).toBe(refused);
    expect(code({ kpis: ['SUM'], filterExpressions: conditions })).toBe(refused);
  });

  it('fails with the failure of the stage that rejects it', () => {
    const code = (question: QueryMembers) => {
      const compiled = compileShopQuery(question);
      return compiled.ok ? undefined : compiled.failure.code;
    };
    expect(code({ record: 'ITEM', fields: ['AMUONT'] })).toBe('KM_FIELD_NOTFOUND');
    expect(code({ fields: ['ITEM.AMOUNT', 'ISLAND.ID'] })).toBe('KM_JOIN_NOTFOUND');
    expect(code({ record: 'ITEM', fields: ['AMOUNT'] })).toBeUndefined();
  });
});
