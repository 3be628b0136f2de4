/** A small model of purchases: items of orders of a plant, from suppliers. */
import { schemaOf, type Kpi, type ModelRecord, type Schema } from '../schema.js';
import type { Header } from '../value-format.js';

type Field = ModelRecord['fields'][number];
type Relationship = ModelRecord['relationships'][number];

export const field = (id: string, type: Field['type'] = 'string', more: Partial<Field> = {}): Field => ({
  ...{ id, type, name: id.toLowerCase().replaceAll('_', ' '), description: '', shortDisplayName: id, internalNote: '' },
  ...{ filterable: true, sortable: true },
  ...more,
});

const toOne = (record: string, key: string): Relationship => ({
  ...{ record, cardinality: 'many-to-one', fields: [{ from: key, to: key }] },
});
const toMany = (record: string, key: string): Relationship => ({ ...toOne(record, key), cardinality: 'one-to-many' });

type Given = Pick<ModelRecord, 'id' | 'identifier' | 'attributes' | 'relationships'> & { readonly flags?: Field[] };

export const record = ({ flags = [], ...given }: Given): ModelRecord => ({
  ...given,
  ...{ name: given.id.toLowerCase(), description: '', shortDisplayName: given.id, internalNote: '', curated: false },
  ...{ fields: [...given.attributes, ...flags], augmentedAttributes: [], flags },
});

export const kpi = (id: string, records: string[], more: Partial<Kpi> = {}): Kpi => ({
  ...{ id, name: id.toLowerCase(), description: '', direction: 'None', parameters: [], records },
  ...more,
});

const orderRecord = record({
  ...{ id: 'ORDER', identifier: ['ORDER_NO'] },
  attributes: [field('ORDER_NO'), field('PLANT'), field('ORDERED', 'date'), field('CREATED', 'timestamp')],
  relationships: [toMany('ITEM', 'ORDER_NO'), toOne('SUPPLIER', 'SUPPLIER_NO')],
});
const itemRecord = record({
  ...{ id: 'ITEM', identifier: ['ORDER_NO', 'ITEM_NO'] },
  attributes: [
    ...[field('ITEM_NO', 'integer'), field('PLANT'), field('AMOUNT', 'float', { unit: 'EUR', format: ',.2f' })],
    field('ORDER_NO'),
  ],
  flags: [field('MAVERICK', 'boolean')],
  relationships: [toOne('ORDER', 'ORDER_NO')],
});
const supplierRecord = record({
  ...{ id: 'SUPPLIER', identifier: ['SUPPLIER_NO'] },
  attributes: [field('SUPPLIER_NO'), field('COUNTRY')],
  relationships: [toMany('ORDER', 'SUPPLIER_NO')],
});

export const purchases: Schema = schemaOf(
  [orderRecord, itemRecord, supplierRecord],
  [kpi('RATE', ['ITEM'], { format: '.1%', target: '0.03' }), kpi('ORDERS', ['ORDER']), kpi('HIDDEN', [])],
  [{ id: 'LARGE', name: 'large items', description: 'From 10,000 EUR on.' }],
);

export const header = (id: string, type: Header['type'] = 'string', more: Partial<Header> = {}): Header => ({
  ...{ id, type, name: id, aggregation: false, filterable: true, sortable: true },
  ...more,
});

export const kpiHeader = (id: string, more: Partial<Header> = {}): Header =>
  header(id, 'float', { aggregation: true, ...more });
