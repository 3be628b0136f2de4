/** What PostgreSQL says of the tables of a team, on a real one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLog } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { knowledgeModelsSettings } from '../settings.js';
import { readSchemaColumns, readTableColumns } from './columns.repository.js';
import { Pools } from '../database.module.js';

let database: TestDatabase;
let pools: Pools;

beforeAll(async () => {
  database = await createTestDatabase();
  pools = new Pools(knowledgeModelsSettings.parse({ DATABASE_URL: database.urlFor('knowledge-models') }), silentLog);
  await runInTenantTransaction(pools.loads, 'meridian', async (client) => {
    await client.query(`select knowledge_models.open_team_schema('meridian', 'p2p')`);
    await client.query(
      `create table "meridian.p2p".item (id text primary key, "net amount" numeric(10, 2), at timestamptz)`,
    );
    await client.query(`create table "meridian.p2p"."item~1f" (id text)`);
  });
});
afterAll(async () => {
  await pools.onApplicationShutdown();
  await database.drop();
});

describe('the columns of a team', () => {
  it('have types and nullability, and leave out tables of uncommitted loads', async () => {
    const tables = await readSchemaColumns(pools.light, 'meridian', 'p2p');
    expect([...tables].map(([name, columns]) => [name, [...columns]])).toEqual([
      [
        'item',
        [
          ['id', { type: 'text', nullable: false }],
          ['net amount', { type: 'numeric', nullable: true }],
          ['at', { type: 'timestamp with time zone', nullable: true }],
        ],
      ],
    ]);
  });

  it('are empty for another team and for another schema', async () => {
    expect((await readSchemaColumns(pools.light, 'northwind', 'p2p')).size).toBe(0);
    expect((await readSchemaColumns(pools.light, 'meridian', 'meridian.p2p')).size).toBe(0);
    expect((await readSchemaColumns(pools.light, 'meridian', 'knowledge_models')).size).toBe(0);
  });

  it('are those of one table alone where one is asked for', async () => {
    await runInTenantTransaction(pools.loads, 'meridian', (client) =>
      client.query(`create table "meridian.p2p".other (id text)`),
    );
    const columnsOf = (table: string, team = 'meridian') =>
      readTableColumns(pools.light, { team, schema: 'p2p', table });
    const all = await readSchemaColumns(pools.light, 'meridian', 'p2p');
    expect([...all.keys()]).toEqual(['item', 'other']);
    expect(await columnsOf('item')).toEqual(all.get('item'));
    for (const table of ['item~1f', 'nothing']) expect(await columnsOf(table)).toBeUndefined();
    expect(await columnsOf('item', 'northwind')).toBeUndefined();
  });
});
