import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorsTeam, scopes } from '@tessera/contracts';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { ensureAdministrationKey } from './administration-key.js';
import { mintApiKey } from './api-key.js';
import { createTeam, findApiKey, findTeam, insertMintedApiKey, revokeApiKey } from './api-keys.repository.js';
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
    statementTimeoutMs: 5_000,
  });
  source = openDataSource(pool, gatewayEntities);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the administration key', () => {
  it('is created once with its team by concurrent calls', async () => {
    const key = mintApiKey();
    const kept = await Promise.all([1, 2, 3].map(() => ensureAdministrationKey(source, key)));
    expect([...kept].sort()).toEqual(['kept', 'kept', 'made']);
    expect(await findApiKey(pool, key.keyId)).toMatchObject({
      team: operatorsTeam,
      digest: key.digest,
      scopes,
      hourlyLimit: 2_000_000_000,
    });
    expect(await findTeam(source, operatorsTeam)).toMatchObject({ name: 'Operators' });
  });

  it('does not rename the team', async () => {
    await createTeam(source, operatorsTeam, 'Night shift');
    await ensureAdministrationKey(source, mintApiKey());
    expect(await findTeam(source, operatorsTeam)).toMatchObject({ name: 'Night shift' });
  });

  it('gets the scopes that a later version adds', async () => {
    const key = mintApiKey();
    await runInTenantEntityTransaction(source, operatorsTeam, (manager) =>
      insertMintedApiKey(manager, key, { team: operatorsTeam, name: 'x', scopes: ['admin'], hourlyLimit: 1 }),
    );
    expect(await ensureAdministrationKey(source, key)).toBe('kept');
    expect(await findApiKey(pool, key.keyId)).toMatchObject({ name: 'x', scopes, hourlyLimit: 1 });
  });

  it('is rejected with the id of another key, with the key of a team, and when it was revoked', async () => {
    const key = mintApiKey();
    await ensureAdministrationKey(source, key);
    const other = { keyId: key.keyId, digest: mintApiKey().digest };
    expect(await ensureAdministrationKey(source, other)).toBe('foreign');
    const ofTeam = mintApiKey();
    await createTeam(source, 'meridian', 'Meridian');
    await runInTenantEntityTransaction(source, 'meridian', (manager) =>
      insertMintedApiKey(manager, ofTeam, { team: 'meridian', name: 'x', scopes: [], hourlyLimit: 1 }),
    );
    expect(await ensureAdministrationKey(source, ofTeam)).toBe('foreign');
    await runInTenantEntityTransaction(source, operatorsTeam, (manager) =>
      revokeApiKey(manager, operatorsTeam, key.keyId),
    );
    expect(await ensureAdministrationKey(source, key)).toBe('revoked');
  });
});
