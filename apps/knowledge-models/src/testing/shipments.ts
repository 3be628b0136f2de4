/**
 * Shipments of lines of orders, by carriers. Some have no line or a carrier that nobody knows; a line of company SILENT only
 * keepers see, and only they see by what a shipment has its carrier and what it costs.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { TestTable } from './fixture.js';

export const shipmentsModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'shipments',
  source: { schema: 'depot' },
  records: [
    {
      id: 'SHIPMENT',
      table: 'shipment',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'LINE_ORDER', column: 'line_order' },
        { id: 'LINE_NO', column: 'line_no', type: 'integer' },
        { id: 'CARRIER_ID', column: 'carrier_id', type: 'integer' },
      ],
    },
    {
      id: 'LINE',
      table: 'line',
      identifier: ['ORDER_NO', 'LINE_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'LINE_NO', column: 'line_no', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'COMPANY', column: 'company' },
      ],
    },
    {
      id: 'CARRIER',
      table: 'carrier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'CODE', column: 'code', type: 'integer' },
        { id: 'NAME', column: 'name' },
        { id: 'RATE', column: 'rate', type: 'float' },
      ],
    },
  ],
  relationships: [
    { from: 'SHIPMENT', to: 'LINE', on: { LINE_ORDER: 'ORDER_NO', LINE_NO: 'LINE_NO' }, cardinality: 'many-to-one' },
    { from: 'CARRIER', to: 'SHIPMENT', on: { CODE: 'CARRIER_ID' }, cardinality: 'one-to-many' },
  ],
  policies: [
    { record: 'LINE', rows: "COMPANY ne 'SILENT'", unless: { scope: 'depot:keep' } },
    { record: 'CARRIER', hide: ['CODE', 'RATE'], unless: { scope: 'depot:keep' } },
    { record: 'SHIPMENT', rows: 'all' },
  ],
};

export const shipmentCount = 60;

const shipments = Array.from({ length: shipmentCount }, (_, no) => ({
  no,
  line_order: [null, 'A', 'A', 'B', 'C'][no % 5] ?? null,
  line_no: 1 + (no % 2),
  carrier_id: no % 3,
}));

/** There are no lines of order C, and no carrier 0; carrier 2 has no name. */
export const createShipmentTables = (amount = 10): readonly TestTable[] => [
  {
    schema: 'depot',
    name: 'shipment',
    columns: 'no bigint primary key, line_order text, line_no bigint, carrier_id bigint',
    rows: shipments,
  },
  {
    schema: 'depot',
    name: 'line',
    columns: `order_no text, line_no bigint, amount numeric, company text not null, primary key (order_no, line_no)`,
    rows: [
      { order_no: 'A', line_no: 1, amount, company: '1000' },
      { order_no: 'A', line_no: 2, amount: null, company: '1000' },
      { order_no: 'B', line_no: 1, amount: 30.5, company: '1000' },
      { order_no: 'B', line_no: 2, amount: 40, company: 'SILENT' },
    ],
  },
  {
    schema: 'depot',
    name: 'carrier',
    columns: 'id text primary key, code bigint, name text, rate numeric',
    rows: [
      { id: 'S', code: 1, name: 'Ships', rate: 1.5 },
      { id: 'R', code: 2, name: null, rate: null },
    ],
  },
];
