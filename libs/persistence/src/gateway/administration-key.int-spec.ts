import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorsTeam, scopes } from '@tessera/contracts';
import { testDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { createPool } from '../pool.js';
import { inTenantTransaction } from '../tenant-transaction.js';
import { keepAdministrationKey } from './administration-key.js';
import { mintApiKey } from './api-key.js';
import { createTeam, findApiKey, findTeam, insertGivenApiKey, revokeApiKey } from './api-keys.repository.js';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5_000,
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the key of the operators', () => {
  it('is made once, whoever brings it at the same time, with the team that it needs', async () => {
    const key = mintApiKey();
    const kept = await Promise.all([1, 2, 3].map(() => keepAdministrationKey(pool, key)));
    expect([...kept].sort()).toEqual(['kept', 'kept', 'made']);
    expect(await findApiKey(pool, key.keyId)).toMatchObject({
      team: operatorsTeam,
      digest: key.digest,
      scopes,
      hourlyLimit: 2_000_000_000,
    });
    expect(await findTeam(pool, operatorsTeam)).toMatchObject({ name: 'Operators' });
  });

  it('leaves the name of the team as it is', async () => {
    await createTeam(pool, operatorsTeam, 'Night shift');
    await keepAdministrationKey(pool, mintApiKey());
    expect(await findTeam(pool, operatorsTeam)).toMatchObject({ name: 'Night shift' });
  });

  it('gets the scopes that a later version has more', async () => {
    const key = mintApiKey();
    await inTenantTransaction(pool, operatorsTeam, (client) =>
      insertGivenApiKey(client, key, { team: operatorsTeam, name: 'x', scopes: ['admin'], hourlyLimit: 1 }),
    );
    expect(await keepAdministrationKey(pool, key)).toBe('kept');
    expect(await findApiKey(pool, key.keyId)).toMatchObject({ name: 'x', scopes, hourlyLimit: 1 });
  });

  it('is refused with the id of another key, of a team as well, and when it was revoked', async () => {
    const key = mintApiKey();
    await keepAdministrationKey(pool, key);
    const other = { keyId: key.keyId, digest: mintApiKey().digest };
    expect(await keepAdministrationKey(pool, other)).toBe('foreign');
    const ofTeam = mintApiKey();
    await createTeam(pool, 'meridian', 'Meridian');
    await inTenantTransaction(pool, 'meridian', (client) =>
      insertGivenApiKey(client, ofTeam, { team: 'meridian', name: 'x', scopes: [], hourlyLimit: 1 }),
    );
    expect(await keepAdministrationKey(pool, ofTeam)).toBe('foreign');
    await inTenantTransaction(pool, operatorsTeam, (client) => revokeApiKey(client, operatorsTeam, key.keyId));
    expect(await keepAdministrationKey(pool, key)).toBe('revoked');
  });
});
