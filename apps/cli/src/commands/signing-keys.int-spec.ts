import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@tessera/persistence';
import { ensureSigningKey, listSigningKeys } from '@tessera/persistence/gateway';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { runTessera } from '../testing/run-tessera.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rotate = (url: string) => runTessera(['signing-keys', 'rotate'], { environment: { DATABASE_URL: url } });

describe('signing-keys rotate', () => {
  it('makes a new key the signing key, keeps the old one, and prints only the id of the new key', async () => {
    const options = { applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 5_000 };
    const pool = createPool({ url: database.urlFor('gateway'), ...options });
    const [old] = await ensureSigningKey(pool);
    const { exitCode, out, err } = await rotate(database.adminUrl);
    const [current, ...others] = await listSigningKeys(pool);
    await pool.end();
    expect([exitCode, out, err]).toEqual([0, `signs from now on: ${current?.keyId}\n`, '']);
    expect(others.map(({ keyId }) => keyId)).toEqual([old?.keyId]);
    expect(current?.keyId).not.toBe(old?.keyId);
  });

  it('makes a new key for exported evidence alone when that is asked for', async () => {
    const options = { applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 5_000 };
    const pool = createPool({ url: database.urlFor('gateway'), ...options });
    const tokens = await ensureSigningKey(pool);
    const [old] = await ensureSigningKey(pool, 'evidence');
    const environment = { DATABASE_URL: database.adminUrl };
    const { exitCode } = await runTessera(['signing-keys', 'rotate', '--evidence'], { environment });
    const [current, previous] = await listSigningKeys(pool, 'evidence');
    expect([exitCode, previous?.keyId]).toEqual([0, old?.keyId]);
    expect(current?.keyId).not.toBe(old?.keyId);
    expect((await listSigningKeys(pool))[0]?.keyId).toBe(tokens[0]?.keyId);
    await pool.end();
  });

  it('requires DATABASE_URL', async () => {
    const { exitCode, out, err } = await rotate('');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('DATABASE_URL is missing');
  });
});
