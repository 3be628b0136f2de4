/** `GET /me` over HTTP, for keys and tokens. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey } from '@tessera/contracts/gateway';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  sharedSecret,
  signWithSharedSecret,
} from '../testing/token-issuer.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ JWT_SECRET: sharedSecret, JWT_ISSUER: testIssuer, JWT_AUDIENCE: testAudience });
});
afterAll(() => stack?.stop());

const me = (key: string) => stack.request('/me', { key });
const meOf = (claims: object) =>
  stack.request('/me', {
    key: undefined,
    headers: { Authorization: `Bearer ${signWithSharedSecret({ ...createValidClaims(), ...claims })}` },
  });
const makeKey = async (more: object) => {
  const body = { team: 'meridian', name: 'Nightly report', ...more };
  const made = await stack.request('/admin/keys', { method: 'POST', key: stack.keys.operator, body });
  return createKey.reply.parse(made.body);
};

describe('/me of a key', () => {
  it('reports the key, its scopes and the remaining requests of the hour', async () => {
    const attributes = { region: 'EMEA', codes: ['1000'] };
    const rights = { scopes: ['content:read'], furtherScopes: ['finance:read'], attributes, hourlyLimit: 3 };
    const { key, keyId } = await makeKey(rights);
    const first = await me(key);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      kind: 'key',
      subject: `key:${keyId}`,
      displayName: 'Nightly report',
      team: 'meridian',
      teams: [{ team: 'meridian', name: 'meridian' }],
      scopes: ['content:read'],
      furtherScopes: ['finance:read'],
      attributes: ['codes', 'region'],
      limit: { hourly: 3, remaining: 2, resetsAt: first.headers.get('x-ratelimit-reset') },
    });
    expect(first.text).not.toContain('EMEA');
    expect(Date.parse(first.headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(Date.now());
    expect((await stack.request(contentRestPath('/facets'), { key })).status).toBe(200);
    expect((await me(key)).body).toMatchObject({ limit: { remaining: 0 } });
    expect((await me(key)).status).toBe(429);
  });

  it('requires a credential but no scope', async () => {
    expect((await me(stack.keys.meridianAdmin)).body).toMatchObject({ scopes: ['admin'] });
    const { key } = await makeKey({ scopes: ['content:read'] });
    const grants = (scopes?: readonly string[]) =>
      stack.request('/admin/teams/meridian', {
        ...{ method: 'PUT', key: stack.keys.operator },
        body: { name: 'meridian', grants: { ...(scopes && { scopes }) } },
      });
    const team = await stack.request('/admin/keys', {
      ...{ method: 'POST', key: stack.keys.meridianAdmin },
      body: { team: 'meridian', name: 'of the team', scopes: ['content:read'] },
    });
    await grants([]);
    // A key that is worth nothing any more is told so.
    expect((await me(createKey.reply.parse(team.body).key)).body).toMatchObject({ scopes: [] });
    await grants();
    expect((await me(key)).body).toMatchObject({ scopes: ['content:read'] });
    expect((await stack.request('/me', { key: undefined })).status).toBe(401);
    expect((await me(`${key}x`)).status).toBe(401);
  });

  it('answers HEAD, and no other method', async () => {
    expect((await stack.request('/me', { method: 'HEAD' })).status).toBe(200);
    expect((await stack.request('/me', { method: 'POST', body: {} })).status).toBe(405);
  });
});

describe('/me of a token', () => {
  it('reports the claims of the token, with its name', async () => {
    const { body } = await meOf({ name: 'User One', region: 'EMEA' });
    expect(body).toMatchObject({
      ...{ kind: 'token', subject: 'user-1', displayName: 'User One', team: 'meridian' },
      teams: [{ team: 'meridian', name: 'meridian' }],
      ...{ scopes: ['content:read', 'content:write'], furtherScopes: ['nonsense'], attributes: ['name', 'region'] },
      limit: { hourly: 6_000 },
    });
  });

  it('has no display name when no claim has one, and names an unknown team by its id', async () => {
    const { body } = await meOf({ sub: 'user-2', team: 'elsewhere' });
    expect(body).toMatchObject({ teams: [{ team: 'elsewhere', name: 'elsewhere' }] });
    expect(body).not.toHaveProperty('displayName');
  });

  it('reports the member and every team in which the person is a member', async () => {
    const add = (team: string, more: object = {}, iss = testIssuer) =>
      stack.request(`/admin/teams/${team}/members/user.three`, {
        ...{ method: 'PUT', key: stack.keys.operator },
        body: {
          displayName: `Three of ${team}`,
          roles: ['viewer'],
          identity: { issuer: iss, subject: 'user-3' },
          ...more,
        },
      });
    await add('meridian');
    await add('northgate');
    await add('tinyco', { disabled: true });
    const { body } = await meOf({ sub: 'user-3', name: 'Not this' });
    expect(body).toMatchObject({
      displayName: 'Three of meridian',
      team: 'meridian',
      teams: [
        { team: 'meridian', name: 'meridian' },
        { team: 'northgate', name: 'northgate' },
      ],
      // What the token says is what it may do, whoever the member is.
      scopes: ['content:read', 'content:write'],
    });
    await add('northgate', { samePerson: true }, 'https://other.example');
    expect((await meOf({ sub: 'user-3' })).body).toMatchObject({ teams: [{ team: 'meridian' }] });
  });
});
