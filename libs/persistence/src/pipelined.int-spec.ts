import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { createPool } from './pool.js';
import { runInTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('content-repo'),
    applicationName: 'pipelined-spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    pipelined: true,
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const insert = (client: pg.ClientBase, collection: string): Promise<unknown> =>
  client.query({
    name: 'insert_storage',
    text: `insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition)
      values ('one', gen_random_uuid(), $1, 's', '{}')`,
    values: [collection],
  });

const collections = async (client: pg.ClientBase): Promise<readonly string[]> => {
  const text = 'select collection_name as name from content_repo.storage order by name';
  const { rows } = await client.query<{ name: string }>({ name: 'collections', text });
  return rows.map(({ name }) => name);
};

describe('statements sent together over a pipelined connection', () => {
  it('run in the order in which they were sent', async () => {
    const seen = await runInTenantTransaction(pool, 'one', (client) =>
      Promise.all([
        collections(client),
        insert(client, 'a'),
        collections(client),
        insert(client, 'b'),
        collections(client),
      ]),
    );
    expect([seen[0], seen[2], seen[4]]).toEqual([[], ['a'], ['a', 'b']]);
  });

  it('have no effect when one of them fails, report its failure and leave the connection usable', async () => {
    const changed = runInTenantTransaction(pool, 'one', (client) =>
      Promise.all([
        insert(client, 'c'),
        client.query({ name: 'fails', text: 'select 1 / $1::int', values: [0] }),
        client.query({ name: 'never_parsed', text: 'select 2' }),
        insert(client, 'd'),
      ]),
    );
    await expect(changed).rejects.toThrow('division by zero');
    expect(await runInTenantTransaction(pool, 'one', collections)).toEqual(['a', 'b']);
    const later = (client: pg.ClientBase) =>
      client.query<{ two: number }>({ name: 'never_parsed', text: 'select 2 as two' });
    await expect(runInTenantTransaction(pool, 'one', later)).resolves.toMatchObject({ rows: [{ two: 2 }] });
  });
});
