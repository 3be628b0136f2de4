import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compileValidShopQuery,
  openShopDatabase,
  type QueryMembers,
  romeCaller,
  type ShopDatabase,
} from '../testing/shop-database.js';

/** As the loader makes them: identifiers are the primary keys, both sides of relationships, sortable fields. */
const indexes = `
  create index on shop.item (due nulls first, order_no, item_no);
  create index on shop.item ("net ""amount""", order_no, item_no);
  create index on shop.item using gin (product public.gin_trgm_ops);
  create index on shop.delivery (order_no, item_no);
  create index on shop."order" (customer);
  create index on shop.invoice (order_no);
  analyze shop.item, shop.delivery, shop."order", shop.invoice, shop.customer;
`;

describe('PostgreSQL executes', () => {
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShopDatabase();
    await shop.client.query(indexes);
  });
  afterAll(() => shop?.end());

  const planOf = (question: QueryMembers, caller = romeCaller) =>
    shop.explain(compileValidShopQuery(question, caller).rows);

  it.each([
    [undefined, 'item_pkey'],
    ['DUE', 'item_due_order_no_item_no_idx'],
    ['-DUE', 'Backward using item_due_order_no_item_no_idx'],
    ['AMOUNT', 'item_net "amount"_order_no_item_no_idx'],
    ['-AMOUNT', 'Backward using "item_net ""amount""_order_no_item_no_idx"'],
  ])('a page sorted by %s with an index, without a sort', async (sort, index) => {
    const plan = await planOf({ record: 'ITEM', fields: ['DUE', 'AMOUNT'], ...(sort !== undefined && { sort }) });
    expect(plan.replaceAll('"', '')).toContain(index.replaceAll(/"+/g, ''));
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });

  it('a page of joined rows with the index of the root, without a sort', async () => {
    const plan = await planOf({ fields: ['ITEM.DUE', 'CUSTOMER.NAME'], sort: '-ITEM.DUE', pageSize: 5 });
    expect(plan).toContain('Backward using item_due_order_no_item_no_idx');
    expect(plan).not.toContain('Sort');
  });

  it('a keyset page with related rows by an index scan that starts at the keyset', async () => {
    const keyset = { skip: 0, after: ['2026-02-03', 'C', '1'] };
    const related = { record: 'ITEM', relatedFields: ['ORDER.MADE'], sort: '-DUE', pageSize: 5 };
    const plan = await planOf({ ...related, fields: ['DUE'], keyset });
    expect(plan).toContain('Backward using item_due_order_no_item_no_idx');
    expect(plan).toMatch(/Left Join[^]*Index Scan using order_pkey/);
    expect(plan).not.toMatch(/-> +(?:Incremental )?Sort|Seq Scan/);
  });

  it.each(['AMOUNT gt 100', 'DUE eq 2026-01-05'])('a filter %s with its index', async (filter) => {
    const { count } = compileValidShopQuery({ record: 'ITEM', fields: ['AMOUNT'], filterExpressions: [filter] });
    expect(await shop.explain(count)).toMatch(/Index Cond: \(("net ""amount"""|due) [>=] /);
  });

  it.each([
    ['pump', 100],
    ['pump', 50],
    ['caf\u00e9', 100],
    ['caf\u00e9', 50],
  ])('a search for %s of precision %i with the trigram index', async (term, precision) => {
    const search = { term, precision, fields: ['PRODUCT'] };
    const { count } = compileValidShopQuery({ record: 'ITEM', fields: ['AMOUNT'], search });
    expect(await shop.explain(count)).toContain('item_product_idx');
  });

  it('a filter on related rows as a semi-join', async () => {
    const plan = await planOf({ record: 'ITEM', fields: ['AMOUNT'], filterExpressions: ["DELIVERY.CARRIER eq 'x'"] });
    expect(plan).toMatch(/Semi Join|HashAggregate|Unique/);
    expect(plan).not.toContain('SubPlan');
  });

  it('a filter on a joined record as if it were an inner join', async () => {
    const plan = await planOf({ record: 'ITEM', fields: ['AMOUNT'], filterExpressions: ["CUSTOMER.NAME eq 'Ada'"] });
    expect(plan).not.toMatch(/Left|Right/);
  });

  it('KPIs of one grain in one aggregation', async () => {
    const plan = await planOf({ fields: ['ITEM.PRODUCT'], kpis: ['SALES', 'AVERAGE'] });
    expect(plan.match(/Aggregate/g)).toHaveLength(1);
    expect(plan).not.toContain('Subquery');
  });
});
