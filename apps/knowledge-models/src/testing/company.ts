/**
 * A small company whose model has all there is to see and to hide: fields of every type, formulas over hidden fields, KPIs,
 * filters, policies for rows and columns. Of its bank accounts and of company SILENT only callers of finance know.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { TestTable } from './fixture.js';

export const companyModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'p2p.base-km',
  name: 'Purchase to pay',
  description: 'Orders and what was paid for them.',
  source: { schema: 'p2p' },
  records: [
    {
      id: 'PO_ITEM',
      name: 'Order item',
      description: 'One line of an order.',
      shortDisplayName: 'Item',
      internalNote: 'From the purchasing system.',
      table: 'po_item',
      identifier: ['ORDER_NO', 'ITEM_NO'],
      curated: true,
      attributes: [
        { id: 'ORDER_NO', column: 'order_no', name: 'Order' },
        { id: 'ITEM_NO', column: 'item_no', type: 'integer', name: 'item' },
        { id: 'AMOUNT', column: 'net_amount', name: 'Net amount', type: 'float', format: ',.2f', unit: 'EUR' },
        { id: 'QTY', column: 'qty', type: 'integer', sortable: false },
        { id: 'CITY', column: 'city', description: 'Where it goes.' },
        { id: 'URGENT', column: 'urgent', type: 'boolean' },
        { id: 'DUE', column: 'due', type: 'date' },
        { id: 'CUTOFF', column: 'cutoff', type: 'time', shortDisplayName: 'Latest', internalNote: 'Column KAPPZEIT.' },
        { id: 'PLANNED', column: 'planned', type: 'datetime' },
        { id: 'BOOKED', column: 'booked', type: 'timestamp' },
        { id: 'SERIAL', column: 'serial', type: 'integer', exact: true, filterable: false },
        { id: 'BANK_ACCOUNT', column: 'bank_account', name: 'Bank account' },
        { id: 'COMPANY_CODE', column: 'company_code' },
      ],
      augmentedAttributes: [
        { id: 'SIZE', name: 'Size class', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" },
        { id: 'ACCOUNT_COUNTRY', expression: 'substring(BANK_ACCOUNT, 1, 2)' },
      ],
      flags: [
        { id: 'OPEN', name: 'Still open', expression: 'BOOKED is null' },
        { id: 'UNBANKED', expression: 'BANK_ACCOUNT is null' },
      ],
    },
    {
      id: 'PURCHASE_ORDER',
      name: 'order',
      table: 'purchase_order',
      identifier: ['ORDER_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'COUNTRY', column: 'country' },
      ],
    },
    {
      id: 'CURRENCY',
      table: 'currency',
      identifier: ['CODE'],
      attributes: [{ id: 'CODE', column: 'code' }],
    },
  ],
  relationships: [{ from: 'PO_ITEM', to: 'PURCHASE_ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' }],
  kpis: [
    {
      id: 'ORDER_VALUE',
      name: 'Order value',
      description: 'What was ordered.',
      expression: 'sum(PO_ITEM.AMOUNT)',
      unit: 'EUR',
      format: ',.0f',
      direction: 'Up',
      target: '1000000',
    },
    {
      id: 'LARGE_RATE',
      name: 'large items',
      expression: 'avg(case when PO_ITEM.AMOUNT >= :limit then 1.0 else 0.0 end)',
      parameters: [{ id: 'limit', name: 'From', value: '100' }],
    },
    { id: 'ACCOUNTS', expression: 'count(distinct PO_ITEM.BANK_ACCOUNT)' },
    { id: 'ACCOUNTS_AGAIN', expression: 'ACCOUNTS * 2' },
  ],
  filters: [
    { id: 'LARGE', name: 'Large items', description: 'From 100 on.', expression: "PO_ITEM.SIZE eq 'large'" },
    { id: 'GERMAN', name: 'german orders', expression: "PURCHASE_ORDER.COUNTRY eq 'DE'" },
    { id: 'EURO', expression: "CURRENCY.CODE eq 'EUR'" },
    { id: 'HIGH', expression: 'ORDER_VALUE gt 100' },
    { id: 'BANKED', expression: 'PO_ITEM.BANK_ACCOUNT ne null' },
    { id: 'FOREIGN', expression: "PO_ITEM.ACCOUNT_COUNTRY ne 'DE'" },
  ],
  policies: [
    {
      record: 'PO_ITEM',
      rows: "COMPANY_CODE eq '1000'",
      hide: ['BANK_ACCOUNT'],
      unless: { scope: 'finance:read' },
    },
  ],
};

/** Whose texts name what others may not know. */
export const financeCaller = { scopes: ['finance:read'] } as const;

/** What tells of the hidden field, wherever it stood. */
export const hiddenWordsPattern = /BANK|ACCOUNT|UNBANKED|FOREIGN|SILENT/i;

const items = [
  ['A', 1, 120.5, 3, 'Bonn', true, '2026-01-31', '08:30:00', '2026-01-31T08:30:00', '2026-01-31T07:30:00Z', 'DE1'],
  ['A', 2, 99.5, 4, 'Bonn', false, '2026-02-28', '08:30:00', '2026-01-31T08:30:00', null, 'DE1'],
  ['B', 1, 0.5, null, 'Åre', null, null, null, null, null, null],
  ['B', 2, null, 7, 'Roma', true, '2026-02-28', '23:59:59', '2026-02-01T00:00:00', '2026-01-31T07:30:00Z', 'IT1'],
  ['C', 1, 1000, 1, null, true, '2026-03-01', '00:00:00', null, '2026-05-01T00:00:00.25Z', 'DE2'],
] as const;

const itemColumns = 'order_no,item_no,net_amount,qty,city,urgent,due,cutoff,planned,booked,bank_account'.split(',');

/** Four items of company 1000; that of order C is of company SILENT. */
export const companyTables: readonly TestTable[] = [
  {
    schema: 'p2p',
    name: 'po_item',
    columns: `order_no text, item_no bigint, net_amount numeric, qty bigint, city text, urgent boolean, due date,
      cutoff time, planned timestamp, booked timestamptz, serial bigint, bank_account text, company_code text not null,
      primary key (order_no, item_no)`,
    rows: items.map((values, index) => ({
      ...Object.fromEntries(itemColumns.map((name, place) => [name, values[place]])),
      serial: 1000 + index,
      company_code: values[0] === 'C' ? 'SILENT' : '1000',
    })),
  },
  {
    schema: 'p2p',
    name: 'purchase_order',
    columns: 'order_no text primary key, country text',
    rows: [
      { order_no: 'A', country: 'DE' },
      { order_no: 'B', country: 'IT' },
      { order_no: 'C', country: 'DE' },
    ],
  },
  { schema: 'p2p', name: 'currency', columns: 'code text primary key', rows: [{ code: 'EUR' }] },
];
