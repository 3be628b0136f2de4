/**
 * A small shop for questions: composite keys, chains, a way that branches, rows without related rows, names in need of
 * quotes, and a record that nothing leads to.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';

export const shopDefinition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'shop',
  source: { schema: 'shop' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ORDER_NO', 'ITEM_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'ITEM_NO', column: 'item_no', type: 'integer' },
        { id: 'AMOUNT', column: 'net "amount"', type: 'float', nullable: false },
        { id: 'PRODUCT', column: 'product' },
        { id: 'DUE', column: 'due', type: 'date' },
      ],
      augmentedAttributes: [{ id: 'SIZE', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" }],
      flags: [{ id: 'UNPLANNED', expression: 'PRODUCT is null' }],
    },
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['ORDER_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'CUSTOMER', column: 'customer', type: 'integer' },
        { id: 'FREIGHT', column: 'freight', type: 'float' },
        { id: 'MADE', column: 'made', type: 'timestamp', nullable: false },
      ],
    },
    {
      id: 'CUSTOMER',
      table: 'customer',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'NAME', column: 'name', nullable: false },
        { id: 'CITY', column: 'city' },
      ],
      augmentedAttributes: [{ id: 'PLACE', expression: "coalesce(upper(CITY), 'NOWHERE')" }],
    },
    {
      id: 'DELIVERY',
      table: 'delivery',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_NO', column: 'order_no', nullable: false },
        { id: 'ITEM_NO', column: 'item_no', type: 'integer', nullable: false },
        { id: 'CARRIER', column: 'carrier', nullable: false },
        { id: 'QTY', column: 'qty', type: 'integer', nullable: false },
      ],
    },
    {
      id: 'INVOICE',
      table: 'invoice',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'TOTAL', column: 'total', type: 'float', nullable: false },
        { id: 'PAID', column: 'paid', type: 'boolean', nullable: false },
      ],
    },
    { id: 'ISLAND', table: 'island', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id', type: 'integer' }] },
  ],
  relationships: [
    { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
    { from: 'CUSTOMER', to: 'ORDER', on: { ID: 'CUSTOMER' }, cardinality: 'one-to-many' },
    {
      from: 'DELIVERY',
      to: 'ITEM',
      on: { ORDER_NO: 'ORDER_NO', ITEM_NO: 'ITEM_NO' },
      cardinality: 'many-to-one',
    },
    { from: 'INVOICE', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'SALES', expression: 'sum(ITEM.AMOUNT)' },
    { id: 'ITEMS', expression: 'count(ITEM.*)' },
    { id: 'FREIGHT', expression: 'sum(ORDER.FREIGHT)' },
    { id: 'ORDERS', expression: 'count(ORDER.*)' },
    { id: 'AVERAGE', expression: 'SALES / ITEMS' },
    { id: 'PER_ORDER', expression: 'SALES / ORDERS' },
    { id: 'BILLED', expression: 'sum(INVOICE.TOTAL)' },
    { id: 'UNBILLED', expression: 'SALES + coalesce(FREIGHT, 0) - coalesce(BILLED, 0)' },
    { id: 'SHARE', expression: 'sum(ITEM.AMOUNT) filter (where ORDER.FREIGHT > 0) / sum(ITEM.AMOUNT)' },
    { id: 'LAST_CITY', expression: 'max(CUSTOMER.PLACE)' },
    {
      id: 'LARGE',
      expression: ":size || ': ' || cast(count(ITEM.*) filter (where ITEM.SIZE = :size) as string)",
      parameters: [{ id: 'size', value: 'large' }],
    },
  ],
  filters: [
    { id: 'DEAR', expression: 'ITEM.AMOUNT ge 100' },
    { id: 'UNPAID', expression: 'INVOICE.PAID eq false' },
  ],
  policies: [
    { record: 'ORDER', rows: 'FREIGHT ne 99', unless: { scope: 'all' } },
    { record: 'CUSTOMER', rows: 'CITY in caller.cities', unless: { scope: 'all' } },
    { record: 'ITEM', rows: 'all' },
    { record: 'DELIVERY', rows: 'all' },
    { record: 'INVOICE', rows: 'all' },
  ],
};

export const shopTablesSql = `
  create schema shop;
  create table shop.item (order_no text, item_no bigint, "net ""amount""" numeric not null, product text, due date,
    primary key (order_no, item_no));
  create table shop."order" (order_no text primary key, customer bigint, freight numeric, made timestamptz not null);
  create table shop.customer (id bigint primary key, name text not null, city text);
  create table shop.delivery (id bigint primary key, order_no text not null, item_no bigint not null,
    carrier text not null, qty bigint not null);
  create table shop.invoice (id bigint primary key, order_no text, total numeric not null, paid boolean not null);
  create table shop.island (id bigint primary key);
  insert into shop.customer values (1, 'Ada', 'Rome'), (2, 'bob', null), (3, 'Zoë', 'Bonn');
  insert into shop."order" values ('A', 1, 10, '2026-01-01Z'), ('B', 1, null, '2026-01-02Z'),
    ('C', 2, 0, '2026-02-01Z'), ('D', null, 99, '2026-02-02Z'), ('E', 3, 5, '2026-03-01Z');
  insert into shop.item values ('A', 1, 100, 'Pump', '2026-01-05'), ('A', 2, 50.5, 'Seal', null),
    ('B', 1, 200, null, '2026-01-04'), ('C', 1, 20, 'Seal', '2026-02-03'), ('D', 1, 7, 'Pump', null),
    ('X', 1, 1000, 'Generated 100%', '2026-04-01');
  insert into shop.delivery values (1, 'A', 1, 'ship', 4), (2, 'A', 1, 'ship', 6), (3, 'A', 1, 'rail', 1),
    (4, 'B', 1, 'rail', 2), (5, 'X', 1, 'road', 9);
  insert into shop.invoice values (1, 'A', 100, true), (2, 'A', 60, false), (3, 'C', 20, true), (4, null, 5, false);
`;
