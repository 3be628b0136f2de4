import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const queryRows = async (url: string, statement: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
};

describe('createTestDatabase', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('returns a migrated database with a role per service', async () => {
    const [row] = await queryRows(
      database.urlFor('gateway'),
      "select current_user as role, to_regclass('gateway.api_key') is not null as migrated",
    );
    expect(row).toEqual({ role: 'tessera_gateway', migrated: true });
  });

  it('creates a separate database for each call', async () => {
    const other = await createTestDatabase();
    try {
      await queryRows(database.adminUrl, 'create table only_here (id int)');
      expect(await queryRows(other.adminUrl, "select to_regclass('only_here') as found")).toEqual([{ found: null }]);
    } finally {
      await other.drop();
    }
  });

  it('drops a database with open connections', async () => {
    const other = await createTestDatabase();
    const client = new pg.Client({ connectionString: other.adminUrl });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    await expect(client.query('select 1')).rejects.toThrow();
  });
});
