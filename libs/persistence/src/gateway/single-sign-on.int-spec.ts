import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { createTeam } from './api-keys.repository.js';
import { gatewayEntities } from './entities/index.js';
import { saveMember } from './members.repository.js';
import { findSessions, insertSession, listSessions, digestSessionSecret } from './sessions.repository.js';
import {
  findSessionsFromIssuer,
  findNamedPerson,
  findSessionOrigin,
  forgetLogout,
  isSignedOut,
  keepLogout,
  keepNamedPerson,
  takeNamedPerson,
} from './single-sign-on.repository.js';

let database: TestDatabase;
let pool: pg.Pool;
let source: DataSource;
let administrator: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5000,
  });
  source = openDataSource(pool, gatewayEntities);
  administrator = new pg.Client({ connectionString: database.adminUrl });
  await administrator.connect();
  for (const team of ['meridian', 'northgate']) await createTeam(source, team, team);
});
afterAll(async () => {
  await administrator.end();
  await pool.end();
  await database.drop();
});

const issuer = 'https://login.example.com';
const anna = { issuer, subject: 'sub-anna', issuerSession: 'sid-1', idToken: 'a.b.c' };
const named = { ...anna, namedAt: new Date('2026-11-24T10:00:00Z'), nextPath: '/docs?a=1' };
const within = <T>(team: string, work: (manager: EntityManager) => Promise<T>): Promise<T> =>
  runInTenantEntityTransaction(source, team, (manager) => work(manager));
const saveAnna = (team: string, subject = 'sub-anna') =>
  within(team, (manager) =>
    saveMember(manager, team, {
      ...{ memberId: 'anna', displayName: 'Anna', identity: { issuer, subject } },
      ...{ roles: ['viewer'], furtherScopes: [], attributes: {} },
    }),
  );
const open = (team: string, origin: object = {}) =>
  within(team, (manager) =>
    insertSession(manager, team, {
      ...{ holder: { memberId: 'anna' }, userAgent: '', lifetimeSeconds: 60 },
      origin: { ...anna, ...origin },
    }),
  );

beforeEach(async () => {
  await administrator.query('delete from gateway.session; delete from gateway.issuer_logout');
  for (const team of ['meridian', 'northgate']) await saveAnna(team);
});

describe('somebody whom the issuer has named', () => {
  it('is found by what the browser keeps, and taken once', async () => {
    const secret = await keepNamedPerson(pool, named, 60);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(await findNamedPerson(pool, secret)).toEqual(named);
    const taken = await Promise.all([1, 2, 3].map(() => takeNamedPerson(pool, secret)));
    expect(taken.filter(Boolean)).toEqual([named]);
    expect(await findNamedPerson(pool, secret)).toBeUndefined();
    const { rows } = await administrator.query('select * from gateway.named_person');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('keeps the teams that the issuer names', async () => {
    const secret = await keepNamedPerson(pool, { ...named, teams: ['meridian'] }, 60);
    expect(await takeNamedPerson(pool, secret)).toEqual({ ...named, teams: ['meridian'] });
  });

  it('is forgotten after a while', async () => {
    const secret = await keepNamedPerson(pool, named, -1);
    expect(await findNamedPerson(pool, secret)).toBeUndefined();
    expect(await takeNamedPerson(pool, secret)).toBeUndefined();
    await keepNamedPerson(pool, named, 60);
    const { rows } = await administrator.query('select from gateway.named_person where expires_at < now()');
    expect(rows).toEqual([]);
  });

  it.each(['', 'x', 'x'.repeat(43)])('is not found by %j', async (secret) =>
    expect(await findNamedPerson(pool, secret)).toBeUndefined(),
  );
});

describe('a session that began at the issuer', () => {
  it('is found by subject, by session, or by both, in all teams', async () => {
    const [first, second] = [await open('meridian'), await open('northgate', { issuerSession: 'sid-2' })];
    const found = async (subject: string, issuerSession: string, of = issuer) =>
      (await findSessionsFromIssuer(pool, { issuer: of, subject, issuerSession })).map(({ sessionId }) => sessionId);
    expect((await found('sub-anna', '')).toSorted()).toEqual([first.sessionId, second.sessionId].toSorted());
    expect(await found('', 'sid-2')).toEqual([second.sessionId]);
    expect(await found('sub-anna', 'sid-1')).toEqual([first.sessionId]);
    for (const [subject, sid] of [
      ['sub-bert', 'sid-1'],
      ['sub-anna', 'sid-3'],
      ['', ''],
    ] as const)
      expect(await found(subject, sid)).toEqual([]);
    expect(await found('sub-anna', '', 'https://other.example.com')).toEqual([]);
  });

  it('knows where it began, for its team alone', async () => {
    const { sessionId } = await open('meridian');
    const origin = (team: string) => within(team, (manager) => findSessionOrigin(manager, team, sessionId));
    expect(await origin('meridian')).toEqual({
      issuer,
      subject: expect.any(String),
      issuerSession: 'sid-1',
      idToken: 'a.b.c',
    });
    expect(await origin('northgate')).toBeUndefined();
    const listed = await within('meridian', (manager) => listSessions(manager, 'meridian', { memberId: 'anna' }));
    expect(JSON.stringify(listed)).not.toContain('a.b.c');
  });

  it('ends when the issuer knows the member by another subject', async () => {
    const { secret } = await open('meridian');
    const find = () => findSessions(pool, [digestSessionSecret(secret) ?? '']);
    expect(await find()).toHaveLength(1);
    await saveAnna('meridian', 'sub-bert');
    expect(await find()).toEqual([]);
  });
});

describe('a sign-out that the issuer tells', () => {
  const logout = { issuer, tokenId: 'jti-1', subject: 'sub-anna', issuerSession: '', issuedAt: named.namedAt };

  it('counts once, until it is forgotten', async () => {
    const kept = await Promise.all([1, 2, 3].map(() => keepLogout(pool, logout, 60)));
    expect(kept.filter(Boolean)).toHaveLength(1);
    expect(await keepLogout(pool, { ...logout, issuer: 'https://other.example.com' }, 60)).toBe(true);
    await forgetLogout(pool, logout);
    expect(await keepLogout(pool, logout, 60)).toBe(true);
  });

  it.each([
    ['of the person, later', {}, 1_000, true],
    ['of the person, before', {}, -1_000, false],
    ['of the session, whenever', { issuerSession: 'sid-1' }, -1_000, true],
    ['of the session alone', { issuerSession: 'sid-1', subject: '' }, 0, true],
    ['of another session', { issuerSession: 'sid-2' }, 1_000, false],
    ['of another person', { subject: 'sub-bert' }, 1_000, false],
    ['of another issuer', { issuer: 'https://other.example.com' }, 1_000, false],
  ])('%s, is found for a sign-in that is under way', async (_, more, laterMs, expected) => {
    const issuedAt = new Date(named.namedAt.getTime() + laterMs);
    await keepLogout(pool, { ...logout, ...more, issuedAt }, 60);
    expect(await isSignedOut(pool, named)).toBe(expected);
  });

  it('is forgotten after a while', async () => {
    await keepLogout(pool, logout, -1);
    expect(await isSignedOut(pool, named)).toBe(false);
    expect(await keepLogout(pool, { ...logout, tokenId: 'jti-2' }, 60)).toBe(true);
    const { rows } = await administrator.query('select token_id from gateway.issuer_logout');
    expect(rows).toEqual([{ token_id: 'jti-2' }]);
  });
});
