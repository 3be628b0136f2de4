/** Sessions over HTTP: signing in, the cookie as it is sent, what it counts for, and how it ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKey, listAccessChanges, listSessions, Me } from '@tessera/contracts/gateway';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import {
  openTestStack,
  contentRestPath,
  type Answer,
  type RequestOptions,
  type TestStack,
} from '../testing/test-stack.js';
import type { TestGateway } from '../testing/test-gateway.js';

let stack: TestStack;
let other: TestGateway;
let database: pg.Client;
/** Sees who waits for what `database` holds. */
let observer: pg.Client;
beforeAll(async () => {
  stack = await openTestStack();
  other = await stack.startGateway();
  database = new pg.Client({ connectionString: stack.database.adminUrl });
  observer = new pg.Client({ connectionString: stack.database.adminUrl });
  await Promise.all([database.connect(), observer.connect()]);
});
afterAll(async () => {
  await Promise.all([database?.end(), observer?.end()]);
  await stack?.stop();
});

const password = 'correct horse battery';
const admin = (path: string, method: string, body?: object) =>
  stack.request(path, { key: stack.keys.operator, method, ...(body && { body }) });
const memberPath = (memberId: string) => `/admin/teams/meridian/members/${memberId}`;
const write = (memberId: string, more: object = {}) =>
  admin(memberPath(memberId), 'PUT', { displayName: 'Anna Weber', roles: ['author'], ...more });
const setPassword = (memberId: string, text = password) =>
  admin(`${memberPath(memberId)}/password`, 'PUT', { password: text });

let counter = 0;
/** A member with a password; a new one for each test, so that failures of one do not count for others. */
const addMember = async (more: object = {}): Promise<string> => {
  const memberId = `anna.${++counter}`;
  await write(memberId, more);
  expect((await setPassword(memberId)).status).toBe(200);
  return memberId;
};

const page = { 'Sec-Fetch-Site': 'same-origin', 'X-Tessera-Request': '1' };
const signIn = (body: object, headers: Readonly<Record<string, string>> = page, more: RequestOptions = {}) =>
  stack.request('/session', { method: 'POST', key: undefined, body, headers, ...more });
const cookieIn = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const ask = (path: string, cookie: string, { headers, ...more }: RequestOptions = {}) =>
  stack.request(path, { key: undefined, headers: { ...page, Cookie: cookie, ...headers }, ...more });
const openSession = async (user: string): Promise<string> => {
  const answer = await signIn({ team: 'meridian', user, password });
  expect(answer.status).toBe(200);
  return cookieIn(answer);
};
const changes = async () => {
  const { body } = await admin('/admin/teams/meridian/access-changes?pageSize=5', 'GET');
  return listAccessChanges.reply.parse(body).changes.map(({ action, target }) => `${action} ${target}`);
};

let anna: string;
beforeEach(async () => {
  await database.query('update gateway.member set disabled_at = null');
  anna = await addMember();
});

describe('signing in', () => {
  it('with a password sets a cookie for this machine over plain http', async () => {
    const answer = await signIn({ team: 'meridian', user: anna, password });
    expect(answer.body).toMatchObject({ current: true, userAgent: 'node' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^tessera-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.text).not.toContain(cookieIn(answer).split('=')[1]);
    const { status, body } = await ask('/me', cookieIn(answer));
    expect(status).toBe(200);
    const me = Me.parse(body);
    expect(me).toMatchObject({
      ...{ kind: 'session', subject: `member:${anna}`, displayName: 'Anna Weber', team: 'meridian' },
      scopes: ['content:read', 'content:write', 'knowledge-models:read'],
      session: { sessionId: answer.body?.['sessionId'], endsAt: answer.body?.['endsAt'] },
    });
    expect((await changes())[0]).toBe(`session.started ${anna}`);
  });

  it('sets a host-only cookie when the public address has https', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: 'https://tessera.example' });
    const headers = { Origin: 'https://tessera.example', 'X-Tessera-Request': '1' };
    const answer = await signIn({ team: 'meridian', user: anna, password }, headers, { gateway });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-tessera=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
    );
    const me = (cookie: string) =>
      stack.request('/me', { gateway, key: undefined, headers: { ...page, Cookie: cookie } });
    expect((await me(cookieIn(answer))).status).toBe(200);
    // Another page of the domain could have set the cookie of the other name.
    expect((await me(cookieIn(answer).replace('__Host-tessera', 'tessera-session'))).status).toBe(401);
  });

  it('with a key gives the rights of the key until it is revoked', async () => {
    const made = await admin('/admin/keys', 'POST', { team: 'meridian', name: 'of Anna', scopes: ['content:read'] });
    const { key, keyId } = createKey.reply.parse(made.body);
    const cookie = cookieIn(await signIn({ apiKey: key }));
    expect((await ask('/me', cookie)).body).toMatchObject({
      ...{ kind: 'session', subject: `key:${keyId}`, displayName: 'of Anna', scopes: ['content:read'] },
    });
    expect((await changes())[0]).toBe(`session.started key:${keyId}`);
    await admin(`/admin/keys/${keyId}/revoke`, 'POST');
    expect((await ask('/me', cookie)).status).toBe(401);
  });

  it('again gives another session and ends the previous one', async () => {
    const first = await openSession(anna);
    const again = await signIn({ team: 'meridian', user: anna, password }, { ...page, Cookie: first });
    expect(cookieIn(again)).not.toBe(first);
    expect((await ask('/me', first)).status).toBe(401);
    const fixed = `tessera-session=${'x'.repeat(43)}`;
    const other = await signIn({ team: 'meridian', user: anna, password }, { ...page, Cookie: fixed });
    expect(cookieIn(other)).not.toBe(fixed);
    expect((await ask('/me', fixed)).status).toBe(401);
  });

  it('is refused identically for a wrong password and for an unknown member', async () => {
    const disabled = await addMember();
    await write(disabled, { disabled: true });
    const tries = [
      { team: 'meridian', user: anna, password: `${password}x` },
      { team: 'meridian', user: 'nobody', password },
      { team: 'meridian', user: disabled, password },
      { team: 'northgate', user: anna, password },
      { team: 'no-such-team', user: anna, password },
      { team: "x'; drop", user: 'Anna "W" \u00fc', password },
      { apiKey: 'tsk_nonsense' },
    ];
    const answers = [];
    for (const each of tries) answers.push(await signIn(each));
    for (const { status, body, headers } of answers) {
      expect([status, body?.['detail']]).toEqual([401, 'The name or the password, or the key, is not valid.']);
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect((await changes()).slice(0, 3)).toEqual([
      `session.refused ${disabled}`,
      expect.stringMatching(/^session\.refused name:[0-9a-f]{16}$/),
      `session.refused ${anna}`,
    ]);
  });

  it.each([
    {},
    { team: 'meridian', user: 'anna' },
    { team: 'meridian', user: 'anna', password: '' },
    { team: 'meridian', user: 'anna', password: 'x'.repeat(257) },
    { team: 'meridian', user: 'a\u0000', password },
    { team: 'meridian', user: 'anna', password, apiKey: 'k' },
  ])('refuses an incomplete or invalid body: %j', async (body) => expect((await signIn(body)).status).toBe(400));
});

it('the gateway refuses long bodies of callers who have not signed in', async () => {
  const long = await signIn({ team: 'meridian', user: anna, password, more: 'x'.repeat(9_000) });
  expect([long.status, long.body?.['code']]).toEqual([413, 'GENERAL_BODY_TOOLARGE']);
});

describe('attempts to sign in', () => {
  it('are limited per account, whether the password is right or wrong', async () => {
    const gateway = await stack.startGateway();
    const attempt = (text: string, user = anna) =>
      signIn({ team: 'meridian', user, password: text }, page, { gateway });
    for (let turn = 0; turn < 10; turn++) expect((await attempt('wrong')).status).toBe(401);
    const refused = await attempt(password);
    expect([refused.status, refused.body?.['code']]).toEqual([429, 'LIMIT_RATE_EXCEEDED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
    expect((await attempt(password, await addMember())).status).toBe(200);
  });

  it('are limited per account, also when they are concurrent', async () => {
    const gateway = await stack.startGateway();
    const attempts = Array.from({ length: 20 }, () =>
      signIn({ team: 'meridian', user: anna, password: 'wrong' }, page, { gateway }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 10 }, () => 429),
    ]);
  });

  it('with wrong keys are limited per address, and right keys are not', async () => {
    const gateway = await stack.startGateway();
    const attempt = (apiKey: string) => signIn({ apiKey }, page, { gateway });
    const wrong = await Promise.all(Array.from({ length: 60 }, () => attempt('tsk_nonsense')));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await attempt('tsk_nonsense')).status).toBe(429);
    expect((await attempt(stack.keys.meridian)).status).toBe(200);
  });
});

describe('a cookie', () => {
  it('is accepted only from pages of the platform', async () => {
    const cookie = await openSession(anna);
    const status = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
      const answer = await stack.request('/me', { method, key: undefined, headers: { Cookie: cookie, ...headers } });
      return answer.status === 403 ? answer.body?.['code'] : answer.status;
    };
    const origin = `http://localhost:${stack.gateway.port}`;
    expect(await status({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await status({ 'Sec-Fetch-Site': 'none' })).toBe(200);
    expect(await status({ Origin: origin })).toBe(200);
    const foreign = [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${origin}0` },
      { 'Sec-Fetch-Site': 'cross-site', Origin: origin },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) expect(await status(headers)).toBe('SESSION_REQUEST_REFUSED');
  });

  it('requires the header X-Tessera-Request on writes', async () => {
    const cookie = await openSession(anna);
    const end = (headers: Readonly<Record<string, string>>) =>
      stack.request('/session', { method: 'DELETE', key: undefined, headers: { Cookie: cookie, ...headers } });
    for (const value of [{}, { 'X-Tessera-Request': '0' }]) {
      const { status, body } = await end({ 'Sec-Fetch-Site': 'same-origin', ...value });
      expect([status, body?.['detail']]).toEqual([403, expect.stringContaining('X-Tessera-Request: 1')]);
    }
    expect((await signIn({ team: 'meridian', user: anna, password }, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
      403,
    );
    expect(
      (await signIn({ team: 'meridian', user: anna, password }, { ...page, 'Sec-Fetch-Site': 'cross-site' })).status,
    ).toBe(403);
    expect((await end(page)).status).toBe(200);
  });

  it('is refused beside another credential and beside a second cookie', async () => {
    const cookie = await openSession(anna);
    for (const headers of [{ AppKey: stack.keys.meridian }, { Authorization: `Bearer ${stack.keys.meridian}` }])
      expect((await ask('/me', cookie, { headers })).status).toBe(400);
    expect((await ask('/me', `${cookie}; ${cookie}`)).status).toBe(400);
    expect((await ask('/me', `other=1; ${cookie}; more=2`)).status).toBe(200);
  });

  it('is ignored for OData and MCP, where a key beside it is accepted', async () => {
    const cookie = await openSession(await addMember({ roles: ['analyst', 'author'] }));
    const odata = '/intelligence/api/odata/p2p.svc';
    expect((await ask(odata, cookie)).status).toBe(401);
    expect((await ask(odata, cookie, { headers: { AppKey: stack.keys.meridian } })).status).toBe(200);
    const mcp = { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'ping' } };
    const server = '/studio-copilot/api/v1/mcp-servers/mcp/some-asset';
    expect((await ask(server, cookie, mcp)).status).toBe(401);
    expect((await ask(server, cookie, { ...mcp, headers: { AppKey: stack.keys.meridian } })).status).not.toBe(401);
  });

  it('that is no longer valid does not make the browser prompt for a password', async () => {
    const path = '/intelligence/api/knowledge-models';
    const challenge = async (headers: Readonly<Record<string, string>>) => {
      const answer = await stack.request(path, { key: undefined, headers });
      return [answer.status, answer.headers.get('www-authenticate')?.includes('Basic')];
    };
    expect(await challenge({})).toEqual([401, true]);
    expect(await challenge({ 'X-Tessera-Request': '1' })).toEqual([401, false]);
    const ended = { Cookie: `tessera-session=${'x'.repeat(43)}`, 'Sec-Fetch-Site': 'same-origin' };
    expect(await challenge(ended)).toEqual([401, false]);
  });

  it('is refused when its secret is altered, and as a token or a key', async () => {
    const secret = (await openSession(anna)).split('=')[1] ?? '';
    for (const guess of ['', 'x', 'x'.repeat(43), secret.slice(1), `${secret}x`, secret.toLowerCase()])
      expect((await ask('/me', `tessera-session=${guess}`)).status).toBe(401);
    for (const headers of [{ Authorization: `Bearer ${secret}` }, { AppKey: secret }])
      expect((await stack.request('/me', { key: undefined, headers })).status).toBe(401);
  });

  it('gives the rights of the member, and counts against the rate limit of the member', async () => {
    const [one, two] = [await openSession(anna), await openSession(anna)];
    expect((await ask(contentRestPath('/facets'), one)).status).toBe(200);
    expect((await ask('/admin/keys?team=meridian', one)).status).toBe(403);
    const left = async (cookie: string) => Number((await ask('/me', cookie)).headers.get('x-ratelimit-remaining'));
    const first = await left(one);
    expect(await left(two)).toBe(first - 1);
    await write(anna, { roles: ['viewer'] });
    expect((await ask('/me', one)).body).toMatchObject({ scopes: ['content:read', 'knowledge-models:read'] });
  });
});

describe('a session', () => {
  it('is the same on all gateways, and ends on all', async () => {
    const cookie = await openSession(anna);
    const there = () => ask('/me', cookie, { gateway: other });
    expect((await there()).status).toBe(200);
    const ended = await ask('/session', cookie, { method: 'DELETE' });
    expect(ended.headers.get('set-cookie')).toBe('tessera-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
    expect((await changes())[0]).toBe(`session.ended ${anna}`);
    expect((await ask('/me', cookie)).status).toBe(401);
    await waitUntil(async () => (await there()).status === 401);
  });

  it.each([
    ['disabled', (member: string) => write(member, { disabled: true })],
    ['removed', (member: string) => admin(memberPath(member), 'DELETE')],
    ['given another password', (member: string) => setPassword(member, `${password}x`)],
    [
      'somebody else',
      (member: string) => write(member, { identity: { issuer: 'https://login.example.com', subject: member } }),
    ],
  ])('is refused from the next request on when its member is %s', async (_, change) => {
    const cookie = await openSession(anna);
    expect((await ask('/me', cookie)).status).toBe(200);
    expect((await ask('/me', cookie, { gateway: other })).status).toBe(200);
    expect((await change(anna)).status).toBe(200);
    expect((await ask('/me', cookie)).status).toBe(401);
    await waitUntil(async () => (await ask('/me', cookie, { gateway: other })).status === 401);
  });

  it('does not come back when its member is enabled again, nor does the password of a member who has had an issuer', async () => {
    const cookie = await openSession(anna);
    await write(anna, { disabled: true });
    await write(anna);
    expect((await ask('/me', cookie)).status).toBe(401);
    await write(anna, { identity: { issuer: 'https://login.example.com', subject: anna } });
    expect((await write(anna, { samePerson: true })).status).toBe(200);
    expect((await signIn({ team: 'meridian', user: anna, password })).status).toBe(401);
  });

  it('does not begin beside the change that disables its member', async () => {
    await database.query('begin');
    await database.query('update gateway.member set disabled_at = now() where member_id = $1', [anna]);
    const signingIn = signIn({ team: 'meridian', user: anna, password });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await Promise.race([signingIn, waitUntil(async () => (await observer.query(waiting)).rowCount === 1)]);
    await database.query('commit');
    expect((await signingIn).status).toBe(401);
    await write(anna);
    const left = await database.query('select from gateway.session where member_id = $1', [anna]);
    expect(left.rowCount).toBe(0);
  });

  it.each([
    ['without a request for eight hours', "last_seen_at = now() - interval '8 hours 1 second'", 401],
    ['in use until just now', "last_seen_at = now() - interval '7 hours 59 minutes'", 200],
    ['after seven days', 'ends_at = now()', 401],
  ])('is valid until it has been idle for eight hours or is seven days old: %s', async (_, change, status) => {
    const cookie = await openSession(anna);
    await database.query(`update gateway.session set ${change} where member_id = $1`, [anna]);
    expect((await ask('/me', cookie)).status).toBe(status);
  });

  it('updates its last use at most once a minute', async () => {
    const cookie = await openSession(anna);
    const seen = async () =>
      (await database.query('select last_seen_at from gateway.session where member_id = $1', [anna])).rows[0]
        .last_seen_at;
    const begun = await seen();
    await ask('/me', cookie);
    expect(await seen()).toEqual(begun);
    await database.query(
      `update gateway.session set last_seen_at = now() - interval '2 minutes' where member_id = $1`,
      [anna],
    );
    await ask('/me', cookie, { gateway: other });
    await waitUntil(async () => (await seen()) >= begun);
  });

  it('is listed only for its owner, who may end another one', async () => {
    const [one, two] = [await openSession(anna), await openSession(anna)];
    const stranger = await openSession(await addMember());
    const listed = async (cookie: string) => listSessions.reply.parse((await ask('/sessions', cookie)).body).sessions;
    const own = await listed(one);
    expect(own.map(({ current }) => current)).toEqual([false, true]);
    const [latest] = own;
    const end = (cookie: string) => ask(`/sessions/${latest?.sessionId}`, cookie, { method: 'DELETE' });
    expect((await end(stranger)).status).toBe(404);
    expect((await ask('/me', two)).status).toBe(200);
    expect((await end(one)).headers.get('set-cookie')).toBeNull();
    expect((await ask('/me', two)).status).toBe(401);
    expect((await end(one)).status).toBe(404);
    expect(await listed(one)).toHaveLength(1);
    expect((await stack.request('/session', { method: 'DELETE' })).status).toBe(404);
  });
});

describe('a password', () => {
  it('is set by administrators, for members whom no issuer knows', async () => {
    expect((await setPassword(anna, 'short')).status).toBe(400);
    expect((await setPassword('nobody')).status).toBe(404);
    const issued = await addMember();
    await write(issued, { identity: { issuer: 'https://login.example.com', subject: issued } });
    expect((await setPassword(issued)).status).toBe(409);
    expect((await signIn({ team: 'meridian', user: issued, password })).status).toBe(401);
    const path = `${memberPath(anna)}/password`;
    const body = { password };
    expect((await stack.request(path, { method: 'PUT', body })).status).toBe(403);
    const elsewhere = path.replace('meridian', 'northgate');
    expect((await stack.request(elsewhere, { method: 'PUT', body, key: stack.keys.meridianAdmin })).status).toBe(404);
    expect(stack.gateway.logged.join('')).not.toContain(password);
  });

  it('is set for few at once, since each takes memory and a thread', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => setPassword(anna)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(30);
  });
});
