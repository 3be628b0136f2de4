import { describe, expect, it } from '@jest/globals';
import { checkModel } from './check-model.js';
import { compiledShop, compileShop, type Question, roman } from './testing/shop-database.js';
import { shopDefinition } from './testing/shop-model.js';

const hostile = [`'; drop table shop.item; --`, '"', '$1', '\\', '%_', "' or '1' = '1", '\u202e', '{a,b}', '💥'];

const many = (formula: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `G${index}`, expression: `${formula}${index}` }));

describe('a compiled question', () => {
  it('is the same text for the same question, whatever its values are', () => {
    const question = (text: string): Question => ({
      fields: ['ITEM.PRODUCT', 'CUSTOMER.PLACE'],
      kpis: ['PER_ORDER', 'SHARE'],
      filterExpressions: [`ITEM.PRODUCT eq '${text.replaceAll("'", "''")}' and SALES gt ${text.length}`],
      search: { term: text, precision: 100, fields: ['CUSTOMER.NAME'] },
    });
    const { rows, count } = compiledShop(question('plain'), roman);
    for (const text of hostile) {
      const other = compiledShop(question(text), roman);
      expect([other.rows.text, other.count.text]).toEqual([rows.text, count.text]);
      expect(other.rows.values).toContain(text);
    }
  });

  it('is the same text for every page, and counts the same for every page, order and choice of fields', () => {
    const question = { record: 'ITEM', fields: ['AMOUNT', 'DUE'], filterExpressions: ['AMOUNT gt 10'] };
    const [first, later] = [compiledShop(question), compiledShop({ ...question, page: 7, pageSize: 1 })];
    expect(later.rows.text).toBe(first.rows.text);
    const other = compiledShop({ ...question, fields: ['DUE', 'PRODUCT'], sort: '-DUE' });
    expect([later.count, other.count]).toEqual([first.count, first.count]);
  });

  it('says what it answers, of which rows, from which tables', () => {
    const { columns, sort, grain, tables, settings } = compiledShop({
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
    expect(settings).toEqual({ 'pg_trgm.word_similarity_threshold': '0.799999' });
  });

  it('orders texts of other databases by code points, whatever their columns do', () => {
    const external = checkModel({ ...shopDefinition, source: { schema: 'shop', database: 'erp' } }, new Map());
    const textOf = (question: Question) => {
      const compiled = compileShop(question, undefined, external);
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

  it('is refused when its formulas together would keep everybody waiting, wherever they are named', () => {
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
    const code = (question: Question) => {
      const compiled = compileShop(question, undefined, large);
      return compiled.ok ? compiled.value.rows.values.length : compiled.failure.code;
    };
    const ids = Array.from({ length: 60 }, (_, index) => `G${index}`);
    const conditions = ids.map((id) => `${id} gt 1`);
    expect(code({ record: 'ITEM', fields: ids.slice(0, 20) })).toBeGreaterThan(4_000);
    const refused = 'GENERAL_CONSTRAINT_VIOLATION';
    expect(code({ record: 'ITEM', fields: ids })).toBe(refused);
    expect(code({ record: 'ITEM', fields: ['AMOUNT'], filterExpressions: conditions })).toBe(refused);
    expect(code({ fields: ids.map((id) => `ITEM.${id}`), kpis: ['SUM'] })).toBe(refused);
    expect(code({ kpis: ids })).toBe(refused);
    expect(code({ kpis: ['SUM'], filterExpressions: conditions })).toBe(refused);
  });

  it('fails with what its stages refuse', () => {
    const code = (question: Question) => {
      const compiled = compileShop(question);
      return compiled.ok ? undefined : compiled.failure.code;
    };
    expect(code({ record: 'ITEM', fields: ['AMUONT'] })).toBe('KM_FIELD_NOTFOUND');
    expect(code({ fields: ['ITEM.AMOUNT', 'ISLAND.ID'] })).toBe('KM_JOIN_NOTFOUND');
    expect(code({ record: 'ITEM', fields: ['AMOUNT'] })).toBeUndefined();
  });
});
