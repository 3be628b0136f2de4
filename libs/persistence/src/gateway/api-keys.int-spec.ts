import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { runInTenantTransaction } from '../tenant-transaction.js';
import { apiKeyMatches } from './api-key.js';
import {
  createApiKey,
  createTeam,
  findApiKey,
  findApiKeys,
  listApiKeys,
  markApiKeysUsed,
  revokeApiKey,
  teamExists,
} from './api-keys.repository.js';
import { gatewayEntities } from './entities/index.js';

let database: TestDatabase;
let pool: pg.Pool;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5000,
  });
  source = openDataSource(pool, gatewayEntities);
  await createTeam(source, 'meridian', 'Meridian');
  await createTeam(source, 'northgate', 'Northgate');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const make = (team: string, name = 'spec') =>
  createApiKey(source, { team, name, scopes: ['content:read'], hourlyLimit: 5 });

const revoke = (team: string, keyId: string) =>
  runInTenantEntityTransaction(source, team, (manager) => revokeApiKey(manager, team, keyId));

describe('teams', () => {
  it('are created and renamed by the same call', async () => {
    await createTeam(source, 'coatings', 'Coatings');
    await createTeam(source, 'coatings', 'Coatings Ltd');
    expect(await teamExists(source, 'coatings')).toBe(true);
    expect(await teamExists(source, 'nobody')).toBe(false);
  });
});

describe('API keys', () => {
  it('are found by id whoever owns them, with their digest and without the key', async () => {
    const expiresAt = new Date('2030-01-01T00:00:00Z');
    const { key, keyId } = await createApiKey(source, {
      team: 'meridian',
      name: 'found',
      scopes: ['content:read', 'admin'],
      hourlyLimit: 2_000_000_000,
      expiresAt,
    });
    const found = await findApiKey(pool, keyId);
    expect(found).toMatchObject({
      team: 'meridian',
      keyId,
      name: 'found',
      scopes: ['content:read', 'admin'],
      expiresAt,
    });
    expect(found?.hourlyLimit).toBe(2_000_000_000);
    expect(apiKeyMatches(key, found?.digest ?? new Uint8Array())).toBe(true);
    expect(JSON.stringify(found)).not.toContain(key);
  });

  it('are found by many ids at once; unknown ids are left out', async () => {
    const [first, second] = [await make('meridian'), await make('northgate')];
    const found = await findApiKeys(pool, [first.keyId, 'AAAAAAAAAAAA', second.keyId]);
    expect(found.map(({ keyId }) => keyId).sort()).toEqual([first.keyId, second.keyId].sort());
    expect(await findApiKey(pool, 'AAAAAAAAAAAA')).toBeUndefined();
  });

  it('are listed only for their own team', async () => {
    const mine = await make('meridian', 'mine');
    expect((await listApiKeys(source, 'meridian', undefined, 100)).map(({ keyId }) => keyId)).toContain(mine.keyId);
    expect((await listApiKeys(source, 'northgate', undefined, 100)).map(({ keyId }) => keyId)).not.toContain(
      mine.keyId,
    );
    expect(await listApiKeys(source, 'nobody', undefined, 100)).toEqual([]);
  });

  it('are revoked only by their own team and for good', async () => {
    const { keyId } = await make('meridian');
    expect(await revoke('northgate', keyId)).toBe('unknown');
    expect((await findApiKey(pool, keyId))?.revokedAt).toBeUndefined();
    expect(await revoke('meridian', keyId)).toBe('now');
    const first = (await findApiKey(pool, keyId))?.revokedAt;
    expect(await revoke('meridian', keyId)).toBe('before');
    expect((await findApiKey(pool, keyId))?.revokedAt).toEqual(first);
  });

  it('keep the latest time of use', async () => {
    const [one, other] = [await make('meridian'), await make('northgate')];
    const [earlier, later] = [new Date('2026-06-30T10:00:00Z'), new Date('2026-06-30T11:00:00Z')];
    await markApiKeysUsed(
      pool,
      new Map([
        [one.keyId, later],
        [other.keyId, earlier],
      ]),
    );
    await markApiKeysUsed(
      pool,
      new Map([
        [one.keyId, earlier],
        [other.keyId, later],
        ['AAAAAAAAAAAA', later],
      ]),
    );
    expect((await findApiKey(pool, one.keyId))?.lastUsedAt).toEqual(later);
    expect((await findApiKey(pool, other.keyId))?.lastUsedAt).toEqual(later);
  });

  it('are marked as used by replicas that saw them in different orders, at the same time', async () => {
    const many = 2_000;
    await runInTenantTransaction(pool, 'meridian', (client) =>
      client.query(
        `insert into gateway.api_key (tenant, key_id, name, digest, scopes, hourly_limit)
         select 'meridian', 'used' || lpad(number::text, 8, '0'), 'spec', sha256(''), '{}', 5
         from generate_series(1, ${many}) number`,
      ),
    );
    const keyIds = Array.from({ length: many }, (_, index) => `used${String(index + 1).padStart(8, '0')}`);
    const markAll = (ids: readonly string[], minute: number) =>
      markApiKeysUsed(pool, new Map(ids.map((keyId) => [keyId, new Date(Date.UTC(2030, 1, 1, 0, minute))])));
    for (const minute of [1, 3, 5])
      await Promise.all([markAll(keyIds, minute), markAll(keyIds.toReversed(), minute + 1)]);
    expect((await findApiKey(pool, 'used00000001'))?.lastUsedAt?.toISOString()).toBe('2030-02-01T00:06:00.000Z');
  });

  it('are not created for a team that does not exist', async () => {
    await expect(make('nobody')).rejects.toMatchObject({ code: '23503' });
  });
});

describe('row-level security of the gateway', () => {
  it('hides keys and teams from a transaction without a tenant', async () => {
    await make('meridian');
    for (const table of ['api_key', 'team'])
      expect((await pool.query(`select from gateway.${table}`)).rowCount).toBe(0);
  });

  it('rejects a key for another team', async () => {
    const write = runInTenantTransaction(pool, 'northgate', (client) =>
      client.query(
        `insert into gateway.api_key (tenant, key_id, name, digest, scopes, hourly_limit)
         values ('meridian', 'BBBBBBBBBBBB', 'x', sha256('x'), '{}', 1)`,
      ),
    );
    await expect(write).rejects.toThrow(/row-level security/);
  });
});
