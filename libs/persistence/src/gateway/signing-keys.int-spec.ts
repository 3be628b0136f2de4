import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { gatewayEntities } from './entities/index.js';
import { isTokenRevoked, revokeToken } from './revoked-tokens.repository.js';
import { ensureSigningKey, listSigningKeys, rotateSigningKey } from './signing-keys.repository.js';

let database: TestDatabase;
let service: pg.Pool;
let operator: pg.Pool;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  const open = (url: string): pg.Pool =>
    createPool({ url, applicationName: 'spec', connectionsMax: 4, statementTimeoutMs: 5000 });
  service = open(database.urlFor('gateway'));
  operator = open(database.adminUrl);
  source = openDataSource(service, gatewayEntities);
});
afterAll(async () => {
  await service.end();
  await operator.end();
  await database.drop();
});
beforeEach(() => operator.query('truncate gateway.signing_key, gateway.evidence_key, gateway.revoked_token'));

describe('signing keys', () => {
  it('are created once by concurrent callers', async () => {
    expect(await listSigningKeys(service)).toEqual([]);
    const made = await Promise.all([1, 2, 3, 4].map(() => ensureSigningKey(service)));
    expect(new Set(made.flat().map(({ keyId }) => keyId)).size).toBe(1);
    expect(await ensureSigningKey(service)).toEqual(made[0]);
    const [key] = await listSigningKeys(service);
    expect(key).not.toHaveProperty('replacedAt');
    const pem = createPrivateKey({ key: key?.privateKey ?? '', format: 'der', type: 'pkcs8' });
    expect(pem.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  it('are rotated: the new one is first, and the old one has the time of its replacement', async () => {
    const [first] = await ensureSigningKey(service);
    const second = await rotateSigningKey(operator);
    const keys = await listSigningKeys(service);
    expect(keys.map(({ keyId }) => keyId)).toEqual([second, first?.keyId]);
    expect(keys.map(({ replacedAt }) => replacedAt)).toEqual([undefined, expect.any(Date)]);
  });

  it('of evidence are of their own, on the curve Ed25519, and stay after they were replaced long ago', async () => {
    const [token] = await ensureSigningKey(service);
    const [first] = await ensureSigningKey(service, 'evidence');
    expect(first?.keyId).not.toBe(token?.keyId);
    const key = createPrivateKey({ key: first?.privateKey ?? '', format: 'der', type: 'pkcs8' });
    expect(key.asymmetricKeyType).toBe('ed25519');
    const second = await rotateSigningKey(operator, 'evidence');
    await operator.query("update gateway.evidence_key set created_at = created_at - interval '10 years'");
    const third = await rotateSigningKey(operator, 'evidence');
    const kept = (await listSigningKeys(service, 'evidence')).map(({ keyId }) => keyId);
    expect(kept).toEqual([third, second, first?.keyId]);
    expect((await listSigningKeys(service)).map(({ keyId }) => keyId)).toEqual([token?.keyId]);
  });

  it('are created by a rotation when there is none', async () => {
    const made = await rotateSigningKey(operator);
    expect((await listSigningKeys(service)).map(({ keyId }) => keyId)).toEqual([made]);
  });

  it('have one successor each when two rotations run at once', async () => {
    await ensureSigningKey(service);
    await Promise.all([rotateSigningKey(operator), rotateSigningKey(operator)]);
    const keys = await listSigningKeys(service);
    expect(keys.filter(({ replacedAt }) => !replacedAt)).toHaveLength(1);
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(keys.length);
  });

  it('are deleted by a rotation when they were replaced more than a day ago, and the one that signs stays', async () => {
    await ensureSigningKey(service);
    const second = await rotateSigningKey(operator);
    await operator.query(`update gateway.signing_key set created_at = created_at - interval '2 days'`);
    const third = await rotateSigningKey(operator);
    expect((await listSigningKeys(service)).map(({ keyId }) => keyId)).toEqual([third, second]);
  });

  it('are added by the service, which can neither change nor delete one', async () => {
    await ensureSigningKey(service);
    for (const change of [`update gateway.signing_key set private_key = ''`, 'delete from gateway.signing_key'])
      await expect(service.query(change)).rejects.toThrow(/permission denied/);
  });
});

describe('a revoked token', () => {
  const within = <T>(team: string, work: Parameters<typeof runInTenantEntityTransaction<T>>[2]): Promise<T> =>
    runInTenantEntityTransaction(source, team, work);
  const soon = (): Date => new Date(Date.now() + 60_000);

  it('is revoked only in its own team, and for good', async () => {
    await within('meridian', (manager) => revokeToken(manager, 'meridian', 'a', soon()));
    await within('meridian', (manager) => revokeToken(manager, 'meridian', 'a', soon()));
    expect(await within('meridian', (manager) => isTokenRevoked(manager, 'meridian', 'a'))).toBe(true);
    expect(await within('meridian', (manager) => isTokenRevoked(manager, 'meridian', 'b'))).toBe(false);
    expect(await within('northgate', (manager) => isTokenRevoked(manager, 'meridian', 'a'))).toBe(false);
  });

  it('is forgotten once it has expired', async () => {
    await within('meridian', (manager) => revokeToken(manager, 'meridian', 'old', new Date(Date.now() - 1000)));
    await within('northgate', (manager) => revokeToken(manager, 'northgate', 'old', new Date(Date.now() - 1000)));
    await within('meridian', (manager) => revokeToken(manager, 'meridian', 'new', soon()));
    const { rows } = await operator.query('select tenant, token_id from gateway.revoked_token order by 1, 2');
    expect(rows).toEqual([
      { tenant: 'meridian', token_id: 'new' },
      { tenant: 'northgate', token_id: 'old' },
    ]);
  });
});
