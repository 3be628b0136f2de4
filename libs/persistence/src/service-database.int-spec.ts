import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { succeed, type Result } from '@tessera/failures';
import { startPostgres, type PostgresServer } from '@tessera/local-stack';
import { waitUntil, createTestDatabase, testRunFolder, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { mapDatabaseErrors } from './database-failure.js';
import { openServiceDatabase, type DatabaseCheck } from './service-database.js';

describe('the database of a service at its start', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const examined = async (change: (address: URL) => void = () => undefined): Promise<DatabaseCheck> => {
    const address = new URL(database.urlFor('agents'));
    change(address);
    const opened = openServiceDatabase('agents', address.href);
    try {
      return await opened.examine();
    } finally {
      await opened.close();
    }
  };
  const change = async (statement: string, url = database.adminUrl): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  const accepted = 'a role and a password that PostgreSQL accepts; tessera migrate makes the roles';

  it('is right when this version migrated it, and uses one connection of its own', async () => {
    expect(await examined()).toEqual({ state: 'right' });
    const opened = openServiceDatabase('agents', database.urlFor('agents'));
    expect(await opened.isUp()).toBe(true);
    await opened.close();
  });

  it.each<[string, (address: URL) => void]>([
    [accepted, (address) => (address.password = 'top-secret')],
    [accepted, (address) => (address.username = 'nobody')],
    ['a database that exists', (address) => (address.pathname = '/nowhere')],
    ['a server that encrypts, as sslmode demands', (address) => (address.search = '?sslmode=verify-full')],
    [
      'files that can be read in sslrootcert, sslcert and sslkey',
      (address) => (address.search = '?sslmode=verify-full&sslrootcert=/nowhere.pem'),
    ],
  ])('is wrong when the address does not lead to %s (%#)', async (expected, wrong) => {
    const found = await examined(wrong);
    expect(found).toEqual({ state: 'wrong', expected });
    expect(JSON.stringify(found)).not.toContain('top-secret');
  });

  it('is wrong with the role of another service or of the owner', async () => {
    const expected = "the role tessera_agents; this one is another's";
    for (const url of [database.urlFor('gateway'), database.adminUrl]) {
      const other = new URL(url);
      const found = await examined((address) => {
        address.username = other.username;
        address.password = other.password;
      });
      expect(found).toEqual({ state: 'wrong', expected });
    }
  });

  it('is awaited while the server is away', async () => {
    const found = await examined((address) => (address.port = '1'));
    expect(found).toMatchObject({ state: 'awaited', reason: expect.stringContaining('ECONNREFUSED') });
    const opened = openServiceDatabase('agents', 'postgres://a:b@127.0.0.1:1/c');
    expect(await opened.isUp()).toBe(false);
    await opened.close();
  });

  it('is awaited while migrations are missing, and wrong when a later version removed what this one needs', async () => {
    await change(`insert into agents.migration (timestamp, name) values (9, 'Later9')`);
    expect(await examined()).toEqual({
      state: 'wrong',
      expected:
        'a database that no later version has migrated (Later9); start the version that did, or restore a backup',
    });
    await change(`delete from agents.migration`);
    expect(await examined()).toMatchObject({
      state: 'awaited',
      reason: expect.stringMatching(/^migrations are missing \(Agents\d+.*\): run tessera migrate$/),
    });
  });

  it('is wrong with another encoding than UTF8', async () => {
    await change(`create database ${latin} template template0 encoding 'LATIN1' locale 'C'`);
    try {
      expect(await examined((address) => (address.pathname = `/${latin}`))).toEqual({
        state: 'wrong',
        expected: 'a database with the encoding UTF8; this has LATIN1',
      });
    } finally {
      await change(`drop database ${latin} with (force)`);
    }
  });
});

const latin = `latin_${process.pid}_${Date.now()}`;

describe('a read-only server', () => {
  const dataFolder = join(testRunFolder(), 'postgres-read-only');
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ dataFolder, settings: { fsync: 'off', shared_buffers: '32MB' } });
  });
  afterAll(() => server.stop());

  const ask = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  const write = (): Promise<Result<undefined>> =>
    mapDatabaseErrors(async () => {
      await ask('create table written (id int)');
      return succeed(undefined);
    });
  const isWithoutWrites = {
    ok: false,
    failure: {
      code: 'SERVICE_UNAVAILABLE',
      detail: 'The database takes no writes at the moment.',
      retryAfterSeconds: 1,
    },
  };

  it('is up and not writable, even on open connections', async () => {
    const opened = openServiceDatabase('agents', server.url);
    expect([await opened.isUp(), await opened.takesWrites()]).toEqual([true, true]);
    await ask('alter system set default_transaction_read_only = on');
    await ask('select pg_reload_conf()');
    await waitUntil(async () => !(await opened.takesWrites()));
    expect(await opened.isUp()).toBe(true);
    expect(await write()).toEqual(isWithoutWrites);
    await ask('alter system reset default_transaction_read_only');
    await ask('select pg_reload_conf()');
    await waitUntil(() => opened.takesWrites());
    await opened.close();
  });

  it('is up and not writable when it is a standby', async () => {
    await server.stop();
    writeFileSync(join(server.data, 'standby.signal'), '');
    server = await startPostgres({ dataFolder, settings: { fsync: 'off', shared_buffers: '32MB' } });
    const opened = openServiceDatabase('agents', server.url);
    await waitUntil(() => opened.isUp());
    expect(await opened.takesWrites()).toBe(false);
    expect(await write()).toEqual(isWithoutWrites);
    await ask('select pg_promote()');
    await waitUntil(() => opened.takesWrites());
    expect(await write()).toEqual({ ok: true, value: undefined });
    await opened.close();
  });
});
