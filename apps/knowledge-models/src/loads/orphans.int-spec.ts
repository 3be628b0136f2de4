/** References that lead nowhere after a load, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { readJsonAnswer, type Fixture } from '../testing/fixture.js';
import { type LoadClient, openLoadFixture, testSchema } from '../testing/load-client.js';

let fixture: Fixture;
let loading: LoadClient;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, end } = await openLoadFixture());
});
afterAll(() => end());

const text = (id: string) => ({ id, type: 'string' as const });
const order = { id: 'purchase', columns: [text('plant'), text('no')], primaryKey: ['plant', 'no'] };
const line = { id: 'line', columns: [text('id'), text('plant'), text('order_no'), text('colour')], primaryKey: ['id'] };
const colour = { id: 'colour', columns: [text('code')], primaryKey: ['code'] };

const attribute = (id: string) => ({ id: id.toUpperCase(), name: id, column: id, type: 'string' as const });
const record = (id: string, table: typeof order) => ({
  ...{ id, name: id, table: table.id, identifier: table.primaryKey.map((column) => column.toUpperCase()) },
  attributes: table.columns.map((column) => attribute(column.id)),
});
const model: KnowledgeModelDefinition = {
  ...{ kind: 'KnowledgeModel', id: 'orders', name: 'Orders', source: { schema: testSchema } },
  records: [record('PURCHASE', order), record('LINE', line), record('COLOUR', colour)],
  relationships: [
    { from: 'LINE', to: 'PURCHASE', on: { PLANT: 'PLANT', ORDER_NO: 'NO' }, cardinality: 'many-to-one' },
    { from: 'COLOUR', to: 'LINE', on: { CODE: 'COLOUR' }, cardinality: 'one-to-many' },
  ],
};
const load = (table: string, rows: string) =>
  readJsonAnswer(loading.load('shop', table, rows, {}, { allowShrink: true }));

describe('references that lead nowhere', () => {
  it('are told by the load, of its own rows and of rows that led to its table', async () => {
    for (const table of [order, line, colour]) await loading.define('shop', table);
    await fixture.publish('shop', model, { ...model, id: 'again' });
    // The tables that they lead to were not loaded yet.
    expect(await load('line', '1,A,10,red\n2,A,11,\n3,,11,red\n')).not.toHaveProperty('orphans');
    expect(await load('purchase', 'A,10\nB,11\n')).toMatchObject({
      orphans: [{ from: 'line', columns: ['plant', 'order_no'], to: 'purchase', rows: 1, values: [['A', '11']] }],
    });
    expect(await load('purchase', 'A,10\nA,11\n')).not.toHaveProperty('orphans');
    await load('colour', 'red\n');
    const lines = Array.from({ length: 14 }, (_, at) => `${at},A,10,c${at % 7}\n`).join('');
    const answer = await load('line', lines);
    expect(answer).toMatchObject({
      state: 'committed',
      orphans: [
        { from: 'line', columns: ['colour'], to: 'colour', rows: 14, values: [['c0'], ['c1'], ['c2'], ['c3'], ['c4']] },
      ],
    });
    const { loadId } = answer;
    expect(await loading.status({ team: 'shop', schema: testSchema, table: 'line', loadId })).toEqual(answer);
  });
});
