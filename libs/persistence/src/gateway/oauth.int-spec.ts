import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { createTeam } from './api-keys.repository.js';
import { gatewayEntities } from './entities/index.js';
import { deleteMember, saveMember, saveRole } from './members.repository.js';
import {
  consumeOAuthToken,
  deleteExpiredOAuth,
  deleteOAuthGrant,
  deleteOAuthGrantsOf,
  deleteOAuthInteraction,
  deleteOAuthToken,
  findOAuthClient,
  findOAuthGrants,
  findOAuthInteraction,
  findCodeOrRefreshToken,
  insertOAuthToken,
  markOAuthClientUsed,
  oauthSecretMatches,
  registerOAuthClient,
  saveOAuthGrant,
  saveOAuthInteraction,
  type NewOAuthToken,
} from './oauth.repository.js';

let database: TestDatabase;
let pool: pg.Pool;
let admin: pg.Client;
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
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  for (const team of ['meridian', 'northgate']) await createTeam(source, team, team);
});
afterAll(async () => {
  await admin.end();
  await pool.end();
  await database.drop();
});

const within = <T>(work: (manager: EntityManager) => Promise<T>, team = 'meridian'): Promise<T> =>
  runInTenantEntityTransaction(source, team, (manager) => work(manager));
const grantId = '11111111-1111-4111-8111-111111111111';
const payload = { accountId: 'meridian/anna', openid: { scope: 'openid' } };
const saveGrant = (id = grantId, lifetimeSeconds = 60, memberId = 'anna') =>
  within((manager) =>
    saveOAuthGrant(manager, 'meridian', { grantId: id, memberId, clientId: 'c', payload, lifetimeSeconds }),
  );
const insertToken = (id: string, more: Partial<NewOAuthToken> = {}) =>
  within((manager) =>
    insertOAuthToken(manager, 'meridian', {
      ...{ kind: 'RefreshToken', id, grantId, payload: { jti: id, scope: 'a' }, lifetimeSeconds: 60, ...more },
    }),
  );
const stored = async (table: string): Promise<string> =>
  JSON.stringify((await admin.query(`select t::text from gateway.${table} t`)).rows);

beforeEach(async () => {
  await admin.query(
    'truncate gateway.oauth_client, gateway.oauth_interaction, gateway.oauth_grant, gateway.oauth_token',
  );
  await within(async (manager) => {
    await saveRole(manager, 'meridian', { name: 'buyer', description: '', scopes: ['a'], furtherScopes: ['f'] });
    await saveMember(manager, 'meridian', {
      ...{ memberId: 'anna', displayName: 'Anna', roles: ['buyer', 'viewer'], furtherScopes: ['g'] },
      attributes: { codes: ['1'] },
    });
  });
});

describe('a request that waits for consent', () => {
  const id = 'V1StGXR8_Z5jdHi6B-myT';
  const waiting = { jti: id, returnTo: `https://h/oauth2/authorize/${id}`, params: { state: '\u0001 "$&' } };

  it('is found by its id, which is nowhere in the database', async () => {
    await saveOAuthInteraction(pool, id, waiting, 60);
    expect(await findOAuthInteraction(pool, id)).toEqual(waiting);
    expect(await stored('oauth_interaction')).not.toContain(id);
    expect(await stored('oauth_interaction')).toContain(createHash('sha256').update(id).digest('hex'));
    expect(await findOAuthInteraction(pool, `${id}x`)).toBeUndefined();
  });

  it('is replaced, deleted, and not found when it has expired', async () => {
    await saveOAuthInteraction(pool, id, waiting, 60);
    await saveOAuthInteraction(pool, id, { ...waiting, result: 1 }, 60);
    expect(await findOAuthInteraction(pool, id)).toMatchObject({ result: 1 });
    await deleteOAuthInteraction(pool, id);
    expect(await findOAuthInteraction(pool, id)).toBeUndefined();
    await saveOAuthInteraction(pool, id, waiting, -1);
    expect(await findOAuthInteraction(pool, id)).toBeUndefined();
  });
});

describe('a grant', () => {
  it('is found before its team is known, with what its member may do', async () => {
    await saveGrant();
    const [found, ...others] = await findOAuthGrants(pool, [grantId, '22222222-2222-4222-8222-222222222222']);
    expect(others).toEqual([]);
    expect(found).toEqual({
      ...{ team: 'meridian', grantId, clientId: 'c', payload, expiresAt: expect.any(Date) },
      member: {
        ...{ memberId: 'anna', roles: ['buyer', 'viewer'], furtherScopes: ['g'], attributes: { codes: ['1'] } },
      },
      definedRoles: [{ name: 'buyer', description: '', scopes: ['a'], furtherScopes: ['f'] }],
      granted: { furtherScopes: [], attributes: {} },
    });
  });

  it('ends with its member', async () => {
    await saveGrant();
    await insertToken('r1');
    await within((manager) => deleteMember(manager, 'meridian', 'anna'));
    expect(await findOAuthGrants(pool, [grantId])).toEqual([]);
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'r1')).toBeUndefined();
  });

  it('ends with all of its tokens, in its own team alone', async () => {
    await saveGrant();
    await insertToken('r1');
    await insertToken('c1', { kind: 'AuthorizationCode' });
    expect(await within((manager) => deleteOAuthGrant(manager, 'northgate', grantId), 'northgate')).toBe(false);
    expect(await within((manager) => deleteOAuthGrant(manager, 'meridian', grantId))).toBe(true);
    expect(await within((manager) => deleteOAuthGrant(manager, 'meridian', grantId))).toBe(false);
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'r1')).toBeUndefined();
    expect(await findCodeOrRefreshToken(pool, 'AuthorizationCode', 'c1')).toBeUndefined();
    expect(await insertToken('r2')).toBe(false);
  });

  it('ends with all others of its member', async () => {
    await within((manager) =>
      saveMember(manager, 'meridian', {
        ...{ memberId: 'berta', displayName: 'Berta', roles: [], furtherScopes: [], attributes: {} },
      }),
    );
    const other = '33333333-3333-4333-8333-333333333333';
    await saveGrant();
    await saveGrant(other, 60, 'berta');
    await within((manager) => deleteOAuthGrantsOf(manager, 'meridian', 'anna'));
    expect((await findOAuthGrants(pool, [grantId, other])).map((each) => each.grantId)).toEqual([other]);
  });
});

describe('a code or a refresh token', () => {
  it('is found by itself and by its kind, and is nowhere in the database', async () => {
    await saveGrant();
    await insertToken('secret-token');
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'secret-token')).toEqual({
      ...{ team: 'meridian', grantId, consumedAt: null },
      payload: { jti: 'secret-token', scope: 'a' },
    });
    expect(await findCodeOrRefreshToken(pool, 'AuthorizationCode', 'secret-token')).toBeUndefined();
    expect(await stored('oauth_token')).not.toContain('secret-token');
  });

  it('is used by one of those who try at the same moment', async () => {
    await saveGrant();
    await insertToken('r1');
    const uses = [1, 2, 3, 4].map(() => within((manager) => consumeOAuthToken(manager, 'meridian', 'r1')));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect((await findCodeOrRefreshToken(pool, 'RefreshToken', 'r1'))?.consumedAt).toBeInstanceOf(Date);
    expect(await within((manager) => consumeOAuthToken(manager, 'northgate', 'r1'), 'northgate')).toBe(false);
  });

  it('is deleted alone', async () => {
    await saveGrant();
    await insertToken('r1');
    await insertToken('r2');
    await within((manager) => deleteOAuthToken(manager, 'meridian', 'r1'));
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'r1')).toBeUndefined();
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'r2')).toBeDefined();
  });
});

describe('a client that registers itself', () => {
  const register = (clientId: string, more: object = {}) =>
    registerOAuthClient(pool, {
      ...{ clientId, metadata: { client_id: clientId }, lifetimeSeconds: 60, clientsMax: 3, ...more },
    });
  const ids = async () =>
    (await admin.query('select client_id from gateway.oauth_client order by 1')).rows.map((row) => row.client_id);

  it('is found until it expires, without its secret', async () => {
    await register('a', { secret: 'of a' });
    const found = await findOAuthClient(pool, 'a');
    expect(found).toEqual({ metadata: { client_id: 'a' }, secretDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const { secretDigest = '' } = found ?? {};
    expect([oauthSecretMatches('of a', secretDigest), oauthSecretMatches('of b', secretDigest)]).toEqual([true, false]);
    await register('b', { lifetimeSeconds: -1 });
    for (const clientId of ['b', '\0', '', 'x'.repeat(3_000)])
      expect(await findOAuthClient(pool, clientId)).toBeUndefined();
    await register('c');
    expect(await findOAuthClient(pool, 'c')).toEqual({ metadata: { client_id: 'c' } });
  });

  it('takes the place of the oldest that was never used, when there are too many', async () => {
    for (const clientId of ['a', 'b', 'c']) expect(await register(clientId)).toBe(true);
    await markOAuthClientUsed(pool, 'a', 60);
    expect(await register('d')).toBe(true);
    expect(await ids()).toEqual(['a', 'c', 'd']);
    for (const clientId of ['c', 'd']) await markOAuthClientUsed(pool, clientId, 60);
    expect(await register('e')).toBe(false);
    expect(await ids()).toEqual(['a', 'c', 'd']);
  });

  it('lives longer by its use', async () => {
    await register('a', { lifetimeSeconds: 1 });
    await markOAuthClientUsed(pool, 'a', 3600);
    await markOAuthClientUsed(pool, 'a', 1);
    const { rows } = await admin.query(
      'select expires_at > now() + interval \'50 minutes\' as "lives" from gateway.oauth_client',
    );
    expect(rows).toEqual([{ lives: true }]);
  });
});

describe('the clean-up', () => {
  it('deletes what has expired and leaves the rest', async () => {
    const other = '44444444-4444-4444-8444-444444444444';
    await saveOAuthInteraction(pool, 'old', {}, -1);
    await saveOAuthInteraction(pool, 'new', {}, 60);
    for (const [clientId, lifetimeSeconds] of [['old', -1] as const, ['new', 60] as const])
      await registerOAuthClient(pool, { clientId, metadata: {}, lifetimeSeconds, clientsMax: 9 });
    await saveGrant(grantId, 60);
    await saveGrant(other, -1);
    await insertToken('old', { lifetimeSeconds: -1 });
    await insertToken('new');
    expect(await deleteExpiredOAuth(pool, 100)).toBe(4);
    expect(await deleteExpiredOAuth(pool, 100)).toBe(0);
    expect((await findOAuthGrants(pool, [grantId, other])).map((each) => each.grantId)).toEqual([grantId]);
    expect(await findCodeOrRefreshToken(pool, 'RefreshToken', 'new')).toBeDefined();
    expect(await findOAuthInteraction(pool, 'new')).toBeDefined();
    expect(await findOAuthClient(pool, 'new')).toBeDefined();
  });

  it('reads none of the tokens that stay to find those that have expired', async () => {
    await saveGrant();
    await admin.query(
      `insert into gateway.oauth_token (tenant, digest, grant_id, kind, payload, expires_at)
       select tenant, sha256(number::text::bytea), grant_id, 'RefreshToken', '{}', now() + number * interval '1 minute'
       from gateway.oauth_grant, generate_series(1, 5000) number`,
    );
    await admin.query('vacuum analyze gateway.oauth_token');
    const rowsRead = async (): Promise<number> => {
      const { rows } = await admin.query<{ read: string }>(
        `select pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid) as read
         from pg_class where oid = 'gateway.oauth_token'::regclass`,
      );
      return Number(rows[0]?.read);
    };
    await admin.query('begin');
    const before = await rowsRead();
    await admin.query('select gateway.delete_expired_oauth(1000)');
    const after = await rowsRead();
    await admin.query('rollback');
    expect(after - before).toBeLessThan(10);
  });

  it('deletes grants of which nothing was left for a day', async () => {
    await saveGrant();
    expect(await deleteExpiredOAuth(pool, 100)).toBe(0);
    await admin.query(`update gateway.oauth_grant set created_at = now() - interval '2 days'`);
    expect(await deleteExpiredOAuth(pool, 100)).toBe(1);
  });
});

it('is closed to whoever has no team, and to other teams', async () => {
  await saveGrant();
  await insertToken('r1');
  for (const table of ['oauth_grant', 'oauth_token']) {
    expect((await pool.query(`select 1 from gateway.${table}`)).rows).toEqual([]);
    const { length } = await within((manager) => manager.query(`select 1 from gateway.${table}`), 'northgate');
    expect(length).toBe(0);
  }
});
