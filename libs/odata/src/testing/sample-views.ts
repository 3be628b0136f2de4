/** Models for the specs, as a caller sees them: every type of value, every cardinality, names in need of escapes. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { type CallerView, createCallerView, checkModel } from '@tessera/knowledge-model';

/** Throws when the definition has faults. */
export const createView = (definition: KnowledgeModelDefinition, scopes: readonly string[] = []): CallerView => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, { scopes, attributes: {} });
};

export const ordersDefinition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'orders',
  name: 'Orders',
  description: 'What was ordered,\nby whom & "when"',
  source: { schema: 'orders' },
  records: [
    {
      id: 'ITEM',
      name: 'Order item',
      description: 'A line of an order',
      table: 'item',
      identifier: ['ORDER_NO', 'ITEM-NO'],
      attributes: [
        { id: 'AMOUNT', column: 'amount', type: 'float', unit: 'EUR', format: ',.2f', description: 'Net amount' },
        { id: 'ORDER_NO', column: 'order_no', name: 'Order number' },
        { id: 'ITEM-NO', column: 'item_no', type: 'integer' },
        { id: 'EXACT', column: 'exact', type: 'float', exact: true },
        { id: 'QTY', column: 'qty', type: 'integer', nullable: false, exact: true },
        { id: 'OPEN', column: 'open', type: 'boolean', filterable: false },
        { id: 'DAY', column: 'day', type: 'date', sortable: false },
        { id: 'CLOCK', column: 'clock', type: 'time' },
        { id: 'AT', column: 'at', type: 'datetime' },
        { id: 'MOMENT', column: 'moment', type: 'timestamp' },
        { id: 'SUPPLIER', column: 'supplier', type: 'float' },
        { id: 'PARENT', column: 'parent', type: 'integer' },
        { id: 'SECRET', column: 'secret' },
      ],
      augmentedAttributes: [
        { id: 'SIZE', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" },
        { id: 'HINT', expression: 'upper(SECRET)' },
      ],
      flags: [{ id: 'SMALL', expression: "SIZE = 'small'" }],
    },
    {
      id: 'Container',
      name: 'Order',
      table: 'order',
      identifier: ['ORDER_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'COUNTRY', column: 'country' },
        { id: 'SECRET', column: 'secret' },
      ],
    },
    {
      id: 'SUPPLIER',
      table: 'supplier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'float' },
        { id: 'ITEM', column: 'item' },
        { id: 'SECRET', column: 'secret' },
      ],
    },
    {
      id: 'DELIVERY-NOTE',
      table: 'note',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'SECRET', column: 'secret' },
      ],
    },
  ],
  relationships: [
    { from: 'ITEM', to: 'Container', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
    { from: 'SUPPLIER', to: 'ITEM', on: { ID: 'SUPPLIER' }, cardinality: 'one-to-many' },
    { from: 'SUPPLIER', to: 'ITEM', on: { ITEM: 'ORDER_NO' }, cardinality: 'many-to-many' },
    { from: 'ITEM', to: 'ITEM', on: { PARENT: 'ITEM-NO' }, cardinality: 'many-to-one' },
    { from: 'DELIVERY-NOTE', to: 'Container', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'one-to-one' },
    { from: 'DELIVERY-NOTE', to: 'SUPPLIER', on: { SECRET: 'SECRET' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'ITEM-COUNT', expression: 'count(ITEM.*)', name: 'Items' },
    { id: 'AMOUNT', expression: 'sum(ITEM.EXACT)', exact: true },
    { id: 'HINTS', expression: 'count(distinct ITEM.HINT)' },
  ],
  policies: ['ITEM', 'Container', 'SUPPLIER', 'DELIVERY-NOTE'].map((record) => ({
    record,
    hide: ['SECRET'],
    unless: { scope: 'secrets' },
  })),
};
