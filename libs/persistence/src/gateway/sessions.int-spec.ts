import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { createApiKey, createTeam } from './api-keys.repository.js';
import { gatewayEntities } from './entities/index.js';
import { deleteMember, saveMember, saveRole } from './members.repository.js';
import { hashPassword, passwordMatches } from './password.js';
import {
  deleteSession,
  deleteMemberSessions,
  findPassword,
  findSessions,
  insertSession,
  listSessions,
  lockPassword,
  markSessionSeen,
  pruneSessions,
  savePassword,
  digestSessionSecret,
} from './sessions.repository.js';

let database: TestDatabase;
let pool: pg.Pool;
let source: DataSource;
let keyId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5000,
  });
  source = openDataSource(pool, gatewayEntities);
  for (const team of ['meridian', 'northgate']) await createTeam(source, team, team.toUpperCase());
  ({ keyId } = await createApiKey(source, { team: 'meridian', name: 'k', scopes: ['admin'], hourlyLimit: 5 }));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const within = <T>(team: string, work: (manager: EntityManager) => Promise<T>): Promise<T> =>
  runInTenantEntityTransaction(source, team, (manager) => work(manager));
const anna = { memberId: 'anna' } as const;
const saveAnna = (team = 'meridian', more: object = {}) =>
  within(team, (manager) =>
    saveMember(manager, team, {
      ...{ memberId: 'anna', displayName: 'Anna', roles: ['buyer', 'viewer'], furtherScopes: ['finance:read'] },
      attributes: { codes: ['1000'] },
      ...more,
    }),
  );
const open = (holder: Parameters<typeof listSessions>[2] = anna, userAgent = 'Firefox', lifetimeSeconds = 3_600) =>
  within('meridian', (manager) => insertSession(manager, 'meridian', { holder, userAgent, lifetimeSeconds }));
const list = (team = 'meridian') => within(team, (manager) => listSessions(manager, team, anna));
const find = async (secret: string) => (await findSessions(pool, [digestSessionSecret(secret) ?? '']))[0];
const setTimes = (sessionId: string, change: string) =>
  within('meridian', (manager) =>
    manager.query(`update gateway.session set ${change} where session_id = $1`, [sessionId]),
  );

beforeEach(async () => {
  await saveAnna();
  await within('meridian', (manager) => deleteMemberSessions(manager, 'meridian', 'anna'));
});

describe('a session', () => {
  it('is found by the secret of the cookie, of which only a digest is stored', async () => {
    const { secret, ...listed } = await open();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(listed.endsAt.getTime() - listed.createdAt.getTime()).toBe(3_600_000);
    const found = await find(secret);
    expect(found).toMatchObject({ team: 'meridian', sessionId: listed.sessionId, keyId: null });
    expect(found?.member).toEqual({
      ...{ memberId: 'anna', roles: ['buyer', 'viewer'], furtherScopes: ['finance:read'] },
      attributes: { codes: ['1000'] },
    });
    const { rows } = await within('meridian', async (manager) => ({
      rows: await manager.query('select s::text as text from gateway.session s'),
    }));
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await open()).secret).not.toBe(secret);
  });

  it('includes the roles that its team defined, and the grants of the team', async () => {
    const { secret } = await open();
    const role = { description: '', scopes: ['content:read'], furtherScopes: ['x'] };
    for (const name of ['buyer', 'seller'])
      await within('meridian', (manager) => saveRole(manager, 'meridian', { ...role, name }));
    expect((await find(secret))?.definedRoles).toEqual([{ ...role, name: 'buyer' }]);
    expect((await find(secret))?.granted).toEqual({ furtherScopes: [], attributes: {} });
    await saveAnna('meridian', { disabledAt: new Date(5) });
    expect((await find(secret))?.member?.disabledAt).toEqual(new Date(5));
  });

  it.each(['', 'short', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}'`])(
    'has no digest for a malformed secret: %j',
    (secret) => expect(digestSessionSecret(secret)).toBeUndefined(),
  );

  it('with an unknown secret is not found, and several are looked up at once', async () => {
    const [one, other] = [await open(), await open()];
    const digests = [one.secret, 'x'.repeat(43), other.secret].map((secret) => digestSessionSecret(secret) ?? '');
    const found = await findSessions(pool, digests);
    expect(found.map(({ digest }) => digest).toSorted()).toEqual([digests[0], digests[2]].toSorted());
  });

  it('of a key names the key, and ends with it', async () => {
    const { secret, sessionId } = await open({ keyId });
    const found = await find(secret);
    expect(found).toMatchObject({ keyId, definedRoles: [] });
    expect(found).not.toHaveProperty('member');
    expect(await list()).toEqual([]);
    const own = await within('meridian', (manager) => listSessions(manager, 'meridian', { keyId }));
    expect(own.map((each) => each.sessionId)).toEqual([sessionId]);
  });

  it('ends when its member is removed, with the password', async () => {
    const { secret } = await open();
    await within('meridian', async (manager) => {
      await savePassword(manager, 'meridian', 'anna', await hashPassword('correct horse'));
      await deleteMember(manager, 'meridian', 'anna');
      expect(await findPassword(manager, 'meridian', 'anna')).toBeUndefined();
    });
    expect(await find(secret)).toBeUndefined();
  });

  it.each(['null, null', "'anna', 'key'"])('has either a member or a key, not %s', async (holder) => {
    const inserted = within('meridian', (manager) =>
      manager.query(
        `insert into gateway.session (tenant, digest, ends_at, member_id, key_id)
         values ('meridian', sha256('x'), now(), ${holder.replace('key', keyId)})`,
      ),
    );
    await expect(inserted).rejects.toThrow('session_holder_check');
  });
});

describe('the sessions of a holder', () => {
  it('are listed, the newest first, and only their holder can end them', async () => {
    const [first, second] = [await open(anna, 'Firefox'), await open(anna, 'Edge')];
    expect((await list()).map(({ userAgent }) => userAgent)).toEqual(['Edge', 'Firefox']);
    const end = (team: string, holder: typeof anna | { readonly memberId: string }) =>
      within(team, (manager) => deleteSession(manager, team, holder, first.sessionId));
    expect(await end('meridian', { memberId: 'berta' })).toBe(false);
    expect(await end('northgate', anna)).toBe(false);
    expect(await end('meridian', anna)).toBe(true);
    expect(await end('meridian', anna)).toBe(false);
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([second.sessionId]);
    expect(await list('northgate')).toEqual([]);
  });

  it('have a last use that never goes back in time', async () => {
    const { secret, sessionId, lastSeenAt } = await open();
    const mark = (at: Date) => within('meridian', (manager) => markSessionSeen(manager, 'meridian', sessionId, at));
    const later = new Date(lastSeenAt.getTime() + 90_000);
    await mark(later);
    await mark(lastSeenAt);
    expect((await find(secret))?.lastSeenAt).toEqual(later);
  });

  it('are deleted when they have expired, and the oldest beyond the limit of a holder', async () => {
    const [ended, idle, old, kept] = [await open(), await open(), await open(), await open()];
    await setTimes(ended.sessionId, "ends_at = now() - interval '1 second'");
    await setTimes(idle.sessionId, "last_seen_at = now() - interval '1 hour'");
    const bounds = { idleSince: new Date(Date.now() - 60_000), sessionsMax: 1 };
    const pruned = await within('meridian', (manager) => pruneSessions(manager, 'meridian', anna, bounds));
    expect(pruned).toEqual([old.sessionId]);
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([kept.sessionId]);
  });
});

describe('a password', () => {
  it('is stored for a member of a team, and replaced', async () => {
    await saveAnna('northgate');
    for (const password of ['correct horse', 'battery staple']) {
      const hashed = await hashPassword(password);
      await within('meridian', (manager) => savePassword(manager, 'meridian', 'anna', hashed));
      const stored = await within('meridian', (manager) => findPassword(manager, 'meridian', 'anna'));
      expect(await passwordMatches(password, stored?.password)).toBe(true);
    }
    expect(await within('northgate', (manager) => findPassword(manager, 'northgate', 'anna'))).toBeUndefined();
  });

  it('cannot be changed while a session starts with it', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('battery staple')]);
    await within('meridian', (manager) => savePassword(manager, 'meridian', 'anna', first));
    const changes: Promise<void>[] = [];
    await within('meridian', async (manager) => {
      expect(await lockPassword(manager, 'meridian', 'anna')).toBe(first);
      const change = within('meridian', async (other) => {
        await savePassword(other, 'meridian', 'anna', second);
        await deleteMemberSessions(other, 'meridian', 'anna');
      });
      changes.push(change);
      await insertSession(manager, 'meridian', { holder: anna, userAgent: '', lifetimeSeconds: 60 });
    });
    await Promise.all(changes);
    expect(await list()).toEqual([]);
    expect(await within('meridian', (manager) => lockPassword(manager, 'meridian', 'anna'))).toBe(second);
    expect(await within('meridian', (manager) => lockPassword(manager, 'meridian', 'nobody'))).toBeUndefined();
  });

  it('is stored only for members, and never in clear text', async () => {
    const save = (memberId: string, password: string) =>
      within('meridian', (manager) => savePassword(manager, 'meridian', memberId, password));
    await expect(save('nobody', await hashPassword('x'))).rejects.toThrow('local_user_tenant_member_id_fkey');
    await expect(save('anna', 'correct horse')).rejects.toThrow('local_user_password_check');
  });
});
