import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { openServiceDatabase, type ExaminedDatabase } from './service-database.js';

describe('the database of a service at its start', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const examined = async (change: (address: URL) => void = () => undefined): Promise<ExaminedDatabase> => {
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

  it('is right when this version has migrated it, and answers over one connection of its own', async () => {
    expect(await examined()).toEqual({ state: 'right' });
    const opened = openServiceDatabase('agents', database.urlFor('agents'));
    expect(await opened.isUp()).toBe(true);
    await opened.close();
  });

  it.each<[string, (address: URL) => void]>([
    ['a role and a password that PostgreSQL accepts', (address) => (address.password = 'top-secret')],
    ['a role and a password that PostgreSQL accepts', (address) => (address.username = 'nobody')],
    ['a database that exists', (address) => (address.pathname = '/nowhere')],
    ['a server that encrypts', (address) => (address.search = '?sslmode=verify-full')],
    ['files that can be read', (address) => (address.search = '?sslmode=verify-full&sslrootcert=/nowhere.pem')],
  ])('is wrong when the address does not lead to %s (%#)', async (expected, wrong) => {
    const found = await examined(wrong);
    expect(found).toEqual({ state: 'wrong', expected: expect.stringContaining(expected) });
    expect(JSON.stringify(found)).not.toContain('top-secret');
  });

  it('is wrong with the role of another service, or with that of the owner', async () => {
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

  it('is awaited while migrations are missing, and wrong when a later version has taken away what this one needs', async () => {
    await change(`insert into agents.migration (timestamp, name) values (9, 'Later9')`);
    expect(await examined()).toMatchObject({ state: 'wrong', expected: expect.stringContaining('(Later9)') });
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
