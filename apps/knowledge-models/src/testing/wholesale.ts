/**
 * A normalised shop of six tables whose policies follow its relationships, and which rows each caller sees of it, as SQL written by
 * hand: who asks with countries sees the orders that go there, their lines of products that are not secret, and suppliers there.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { TestCaller, TestTable } from './fixture.js';

const unless = { scope: 'shop:all' };

export const wholesaleModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'wholesale',
  source: { schema: 'shop' },
  records: [
    {
      id: 'CUSTOMER',
      table: 'customer',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'NAME', column: 'name' },
        { id: 'COUNTRY', column: 'country' },
      ],
    },
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'CUSTOMER_ID', column: 'customer_id' },
        { id: 'SHIP_COUNTRY', column: 'ship_country' },
        { id: 'ORDERED_ON', column: 'ordered_on', type: 'date' },
        { id: 'FREIGHT', column: 'freight', type: 'float' },
      ],
    },
    {
      id: 'LINE',
      table: 'line',
      identifier: ['ORDER_ID', 'NO'],
      attributes: [
        { id: 'ORDER_ID', column: 'order_id' },
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'PRODUCT_ID', column: 'product_id' },
        { id: 'AMOUNT', column: 'amount', type: 'float', nullable: false },
        { id: 'QUANTITY', column: 'quantity', type: 'integer' },
        { id: 'NOTE', column: 'note' },
      ],
    },
    {
      id: 'PRODUCT',
      table: 'product',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'NAME', column: 'name' },
        { id: 'CATEGORY_ID', column: 'category_id' },
        { id: 'SUPPLIER_ID', column: 'supplier_id' },
        { id: 'PRICE', column: 'price', type: 'integer', nullable: false },
      ],
    },
    {
      id: 'CATEGORY',
      table: 'category',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'NAME', column: 'name', nullable: false },
      ],
    },
    {
      id: 'SUPPLIER',
      table: 'supplier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'COUNTRY', column: 'country' },
      ],
    },
  ],
  relationships: [
    { from: 'ORDER', to: 'CUSTOMER', on: { CUSTOMER_ID: 'ID' }, cardinality: 'many-to-one' },
    { from: 'LINE', to: 'ORDER', on: { ORDER_ID: 'ID' }, cardinality: 'many-to-one' },
    { from: 'LINE', to: 'PRODUCT', on: { PRODUCT_ID: 'ID' }, cardinality: 'many-to-one' },
    { from: 'CATEGORY', to: 'PRODUCT', on: { ID: 'CATEGORY_ID' }, cardinality: 'one-to-many' },
    { from: 'PRODUCT', to: 'SUPPLIER', on: { SUPPLIER_ID: 'ID' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'REVENUE', expression: 'sum(LINE.AMOUNT)' },
    { id: 'LINES', expression: 'count(LINE.*)' },
    { id: 'ORDERS', expression: 'count(ORDER.*)' },
    { id: 'FREIGHT', expression: 'sum(ORDER.FREIGHT)' },
    { id: 'PER_ORDER', expression: 'REVENUE / ORDERS' },
    { id: 'GERMAN', expression: "sum(LINE.AMOUNT) filter (where ORDER.SHIP_COUNTRY = 'DE')" },
    { id: 'PRODUCTS', expression: 'count(PRODUCT.*)' },
    { id: 'SUPPLIERS', expression: 'count(SUPPLIER.*)' },
    { id: 'CUSTOMERS', expression: 'count(CUSTOMER.*)' },
  ],
  policies: [
    { record: 'ORDER', rows: 'SHIP_COUNTRY in caller.countries', unless },
    { record: 'LINE', rows: 'ORDER.SHIP_COUNTRY in caller.countries', unless },
    { record: 'LINE', rows: 'QUANTITY lt 9 or PRODUCT.PRICE lt 50', unless },
    { record: 'PRODUCT', rows: "CATEGORY.NAME ne 'Secret'", unless },
    { record: 'SUPPLIER', rows: 'COUNTRY in caller.countries', unless },
  ],
  rollups: [
    {
      id: 'BY_COUNTRY',
      fields: ['ORDER.SHIP_COUNTRY', 'CATEGORY.NAME', 'LINE.QUANTITY', 'PRODUCT.PRICE'],
      kpis: ['REVENUE', 'LINES'],
    },
  ],
};

const text = 'text collate pg_c_utf8';
const tableOf = (name: string, columns: string, rows: string): TestTable => ({
  ...{ schema: 'shop', name, columns, rows },
  then: ['analyze $table'],
});

/** Some lines have no order or no product, some orders no customer or country, some products no category or supplier. */
export const wholesaleTables: readonly TestTable[] = [
  tableOf(
    'customer',
    `id ${text} primary key, name ${text}, country ${text}`,
    `select 'C' || g, 'Customer ' || g, (array['DE', 'FR', 'ES'])[1 + g % 3] from generate_series(1, 12) g`,
  ),
  tableOf(
    'order',
    `id ${text} primary key, customer_id ${text}, ship_country ${text}, ordered_on date, freight numeric`,
    `select 'O' || g, 'C' || g % 14, (array['DE', 'FR', 'ES', 'IT', null])[1 + g % 5], date '2026-01-05' + g, (g % 9) / 4.0
    from generate_series(1, 120) g`,
  ),
  tableOf(
    'line',
    `order_id ${text}, no bigint, product_id ${text}, amount numeric not null, quantity bigint, note ${text},
      primary key (order_id, no)`,
    `select 'O' || g % 130, g / 130, 'P' || g % 37, (g * 37 % 400) / 4.0, g % 12,
      (array['red', 'blue green', '', null])[1 + g % 4] from generate_series(0, 599) g`,
  ),
  tableOf(
    'product',
    `id ${text} primary key, name ${text}, category_id ${text}, supplier_id ${text}, price bigint not null`,
    `select 'P' || g, 'Product ' || g || (array[' brush', ' hammer', ''])[1 + g % 3], 'K' || g % 5, 'S' || g % 7, g * 2
    from generate_series(1, 32) g`,
  ),
  tableOf(
    'category',
    `id ${text} primary key, name ${text} not null`,
    `values ('K1', 'Tools'), ('K2', 'Paint'), ('K3', 'Secret'), ('K4', 'Food')`,
  ),
  tableOf(
    'supplier',
    `id ${text} primary key, country ${text}`,
    `select 'S' || g, (array['DE', 'FR', 'ES'])[1 + g % 3] from generate_series(1, 6) g`,
  ),
];

export type WholesaleCaller = TestCaller & { readonly name: string; readonly countries?: readonly string[] };

export const wholesaleCallers: readonly WholesaleCaller[] = [
  { name: 'two countries', attributes: { countries: ['DE', 'FR'] }, countries: ['DE', 'FR'] },
  { name: 'one country', attributes: { countries: 'ES' }, countries: ['ES'] },
  { name: 'everything', scopes: [unless.scope] },
];

/** Views of the rows that the caller sees, named like the tables. `tables`: the schema of these. */
export const visibleRowsSql = (tables: string, { countries }: WholesaleCaller): string => {
  const names = ['customer', '"order"', 'line', 'product', 'category', 'supplier'];
  if (!countries) return names.map((name) => `create view ${name} as select * from ${tables}.${name};`).join('\n');
  const listed = countries.map((country) => `'${country}'`).join(', ');
  return `
    create view customer as select * from ${tables}.customer;
    create view category as select * from ${tables}.category;
    create view supplier as select * from ${tables}.supplier where country in (${listed});
    create view "order" as select * from ${tables}."order" where ship_country in (${listed});
    create view product as select p.* from ${tables}.product p join ${tables}.category c on c.id = p.category_id
      where c.name <> 'Secret';
    create view line as select l.* from ${tables}.line l
      join ${tables}."order" o on o.id = l.order_id
      join ${tables}.product p on p.id = l.product_id
      join ${tables}.category c on c.id = p.category_id
      where o.ship_country in (${listed}) and c.name <> 'Secret' and (l.quantity < 9 or p.price < 50);`;
};
