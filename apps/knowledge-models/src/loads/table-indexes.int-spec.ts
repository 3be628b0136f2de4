/** Indexes of tables that models read, made at a load or after a publication, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createPool } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import type pg from 'pg';
import { Catalogs } from '../catalog/catalogs.js';
import type { Pools } from '../database.module.js';
import { openDefinitionClient } from '../testing/definition-client.js';
import { type LoadClient, openLoadClient, openLoadFixture } from '../testing/load-client.js';
import { readJsonAnswer, type Fixture } from '../testing/fixture.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const table = {
  id: 'item',
  columns: [
    { id: 'order_no', type: 'string' as const },
    { id: 'item_no', type: 'integer' as const },
    { id: 'country', type: 'string' as const },
    { id: 'ordered_on', type: 'date' as const },
    { id: 'amount', type: 'float' as const },
  ],
  primaryKey: ['order_no', 'item_no'],
  indexes: [
    { columns: ['country', 'ordered_on', 'order_no', 'item_no'], include: ['amount'] },
    { columns: ['country'], kind: 'trigram' as const },
  ],
};
const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'model',
  source: { schema: 'p2p' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['NO', 'LINE'],
      attributes: [
        { id: 'NO', column: 'order_no' },
        { id: 'LINE', column: 'item_no', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float', sortable: true },
        { id: 'SUPPLIER', column: 'supplier' },
      ],
    },
  ],
  relationships: [
    { from: 'ITEM', to: 'ITEM', on: { LINE: 'LINE' }, cardinality: 'many-to-many' },
    { from: 'ITEM', to: 'ITEM', on: { SUPPLIER: 'NO' }, cardinality: 'many-to-many' },
  ],
};
/** Without the column that the table does not have. */
const fittingModel: KnowledgeModelDefinition = {
  ...model,
  records: model.records?.map((record) => ({ ...record, attributes: record.attributes?.slice(0, 3) })),
  relationships: model.relationships?.slice(0, 1),
};
const rows = Array.from({ length: 3_000 }, (_, at) => `A${at},1,C${at % 7},2026-01-${10 + (at % 20)},${at}\n`).join('');

/** What they are of, without names. */
const indexesOf = async (team: string): Promise<readonly string[]> => {
  const found = await admin.query<{ text: string }>(
    `select regexp_replace(indexdef, '^.* USING ', case when indexdef like '% UNIQUE %' then 'unique ' else '' end) as text
     from pg_indexes where schemaname = $1 and tablename = 'item' order by 1`,
    [`${team}.p2p`],
  );
  return found.rows.map(({ text }) => text);
};
const planOf = async (team: string, text: string): Promise<string> => {
  const { rows: plan } = await admin.query(`explain (format json) ${text.replaceAll('$item', `"${team}.p2p".item`)}`);
  return JSON.stringify(plan);
};

const ofDefinition = [
  'btree (country NULLS FIRST, ordered_on NULLS FIRST, order_no, item_no) INCLUDE (amount)',
  'gin (country gin_trgm_ops)',
  'unique btree (order_no, item_no)',
];
const ofModel = ['btree (amount NULLS FIRST, order_no, item_no)', 'btree (item_no)', 'gin (order_no gin_trgm_ops)'];

describe('the indexes of a table', () => {
  it('are created by the first load, except those for searches of models, which follow in the background', async () => {
    await loading.define('first', table);
    await fixture.publish('first', model);
    await readJsonAnswer(loading.load('first', 'item', rows));
    const forSearch = 'gin (order_no gin_trgm_ops)';
    const all = [...ofModel, ...ofDefinition].toSorted();
    expect(await indexesOf('first')).toEqual(all.filter((text) => text !== forSearch));
    await waitUntil(async () => (await indexesOf('first')).includes(forSearch));
    expect(await indexesOf('first')).toEqual(all);
  });

  it('are all created by the next load, for its definition and the models of the team', async () => {
    await loading.define('load', table);
    await readJsonAnswer(loading.load('load', 'item', rows));
    expect(await indexesOf('load')).toEqual(ofDefinition);
    await fixture.publish('load', model);
    await readJsonAnswer(loading.load('load', 'item', rows));
    expect(await indexesOf('load')).toEqual([...ofModel, ...ofDefinition].toSorted());
  });

  it('are created after a publication, and kept by the next one', async () => {
    await loading.define('late', table);
    await readJsonAnswer(loading.load('late', 'item', rows));
    await openDefinitionClient(fixture, 'late', undefined, loading.indexes).applied([fittingModel]);
    loading.indexes.ensure('late');
    await waitUntil(async () => (await indexesOf('late')).length === ofModel.length + ofDefinition.length);
    await loading.indexes.ensureTable({ team: 'late', schema: 'p2p', table: 'item' });
    expect(await indexesOf('late')).toEqual([...ofModel, ...ofDefinition].toSorted());
    const columns = [...table.columns, { id: 'supplier', type: 'string' as const }];
    await loading.define('late', { ...table, columns });
    await loading.indexes.ensureTable({ team: 'late', schema: 'p2p', table: 'item' });
    expect(await indexesOf('late')).toHaveLength(ofModel.length + ofDefinition.length);
    await fixture.publish('late', model);
    await readJsonAnswer(loading.load('late', 'item', rows.replaceAll('\n', ',\n')));
    expect(await indexesOf('late')).toContain('btree (supplier NULLS FIRST)');
    expect(await indexesOf('late')).toContain('gin (order_no gin_trgm_ops, supplier gin_trgm_ops)');
  });

  it('are created for newly searched columns only', async () => {
    await loading.define('more', table);
    await fixture.publish('more', model);
    await readJsonAnswer(loading.load('more', 'item', rows));
    const columns = [
      { id: 'COUNTRY', column: 'country' },
      { id: 'CITY', column: 'city' },
    ];
    const [record] = model.records ?? [];
    if (!record) throw new Error('The model has a record.');
    await loading.define('more', { ...table, columns: [...table.columns, { id: 'city', type: 'string' }] });
    await readJsonAnswer(loading.load('more', 'item', rows.replaceAll('\n', ',Rome\n')));
    const records = [{ ...record, attributes: [...(record.attributes ?? []), ...columns] }];
    await fixture.publish('more', { ...model, records });
    loading.indexes.ensure('more');
    await waitUntil(async () => (await indexesOf('more')).includes('gin (city gin_trgm_ops)'));
    expect(await indexesOf('more')).toEqual([...ofModel, ...ofDefinition, 'gin (city gin_trgm_ops)'].toSorted());
  });

  it('are created by a newer release when it first reads a team', async () => {
    await loading.define('old', table);
    await fixture.publish('old', model);
    await readJsonAnswer(loading.load('old', 'item', rows));
    const found = await admin.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(indexname) as name from pg_indexes
       where schemaname = 'old.p2p' and indexdef like '%(order_no gin_trgm_ops)'`,
    );
    for (const { name } of found.rows) await admin.query(`drop index ${name}`);
    expect(await indexesOf('old')).not.toContain('gin (order_no gin_trgm_ops)');
    const catalogs = new Catalogs(fixture.pools);
    const another = openLoadClient({ ...fixture, catalogs });
    await catalogs.of('old');
    await waitUntil(async () => (await indexesOf('old')).includes('gin (order_no gin_trgm_ops)'));
    another.locks.onModuleDestroy();
  });

  it('are created on the connection that holds the lock of the table', async () => {
    await loading.define('single', table);
    await readJsonAnswer(loading.load('single', 'item', rows));
    await openDefinitionClient(fixture, 'single').applied([fittingModel]);
    const loads = createPool({
      url: fixture.database.urlFor('knowledge-models'),
      applicationName: 'knowledge-models-loads',
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 5_000,
    });
    const pools: Pools = Object.create(fixture.pools, { loads: { value: loads } });
    const { indexes, locks } = openLoadClient({ ...fixture, pools, catalogs: new Catalogs(pools) });
    await indexes.ensureTable({ team: 'single', schema: 'p2p', table: 'item' });
    expect(await indexesOf('single')).toEqual([...ofModel, ...ofDefinition].toSorted());
    locks.onModuleDestroy();
    await loads.end();
  });

  it('serve a page in the order of a sort, and a search', async () => {
    await loading.define('plan', table);
    await fixture.publish('plan', model);
    await readJsonAnswer(loading.load('plan', 'item', rows));
    const page = `select * from $item where country = 'C3' order by ordered_on desc nulls last, order_no desc, item_no desc limit 50`;
    expect(await planOf('plan', page)).toContain('"Scan Direction":"Backward"');
    expect(await planOf('plan', page)).not.toContain('"Sort"');
    const sorted = 'select * from $item order by amount nulls first, order_no, item_no limit 50';
    expect(await planOf('plan', sorted)).not.toContain('"Sort"');
    await admin.query('begin; set local enable_seqscan = off');
    expect(await planOf('plan', `select * from $item where country ilike '%abc%'`)).toContain('Bitmap Index Scan');
    await admin.query('rollback');
  });
});
