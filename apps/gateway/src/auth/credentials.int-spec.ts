import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, findApiKey, mintApiKey } from '@tessera/persistence';
import { eventually } from '@tessera/testing';
import { audience, goodClaims, issuer, secret, signShared } from '../testing/token-issuer.js';
import { openTrialPool, type TrialGateway } from '../testing/trial-gateway.js';
import { openTrialStack, reads, type TrialStack } from '../testing/trial-stack.js';

let stack: TrialStack;
let second: TrialGateway;
const tokens = {
  JWT_SECRET: secret,
  JWT_ISSUER: issuer,
  JWT_AUDIENCE: audience,
  APP_KEY_HEADERS: 'AppKey, X-Team-Key',
};

beforeAll(async () => {
  stack = await openTrialStack(tokens);
  second = await stack.startGateway();
});
afterAll(() => stack?.stop());

const facets = reads('/facets');
const withHeaders = (headers: Record<string, string>) => stack.ask(facets, { key: undefined, headers });

describe('a caller', () => {
  it('may send a key in every accepted form', async () => {
    const key = stack.keys.meridian;
    for (const headers of [
      { AppKey: key },
      { appkey: key },
      { 'X-Team-Key': key },
      { Authorization: `AppKey ${key}` },
      { Authorization: `Bearer ${key}` },
      { Authorization: `bearer ${key}` },
    ])
      expect((await withHeaders(headers)).status).toBe(200);
  });

  it('may send a token, which is counted by its subject', async () => {
    const { status, headers, body } = await withHeaders({ Authorization: `Bearer ${signShared()}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({ frame: { caller: { team: 'meridian', subject: 'user-1' } } });
    expect(headers.get('x-ratelimit-limit')).toBe('6000');
    const again = await withHeaders({ Authorization: `Bearer ${signShared({ ...goodClaims(), jti: 'other' })}` });
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(headers.get('x-ratelimit-remaining')),
    );
  });

  it.each([
    ['none', {}],
    ['a mistyped key', { AppKey: `${mintApiKey().key}x` }],
    ['a key that nobody has', { AppKey: mintApiKey().key }],
    ['a token of another secret', { Authorization: `Bearer ${signShared(goodClaims(), 'x'.repeat(40))}` }],
    ['a password', { Authorization: 'Basic bWU6c2VjcmV0' }],
  ])('with %s is 401 in the shape of the group, with the ways to authenticate', async (_, headers) => {
    const answer = await withHeaders(headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*AppKey /);
    expect(answer.body).toMatchObject({
      output: 'Dialog',
      type: 'Unauthorized',
      data: { error: 'ACCESS_UNAUTHORIZED' },
    });
    for (const value of Object.values(headers)) expect(answer.text).not.toContain(value);
  });

  it('with several credentials is 400', async () => {
    const { status, body } = await withHeaders({
      AppKey: stack.keys.meridian,
      Authorization: `Bearer ${signShared()}`,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ data: { error: 'GENERAL_PARAMETER_ILLEGAL' } });
  });

  it('without the scope of the route is 403 and is told which', async () => {
    const { status, body } = await stack.ask(facets, { key: stack.keys.reader });
    expect(status).toBe(403);
    expect(body).toMatchObject({ type: 'Unauthorized', data: { error: 'ADMIN_ACCESS_ERROR' } });
    expect(body?.['message']).toContain('content:read');
  });

  it('cannot put a key into a URL', async () => {
    expect((await stack.ask(`${facets}?AppKey=${stack.keys.meridian}`, { key: undefined })).status).toBe(401);
  });
});

describe('a key', () => {
  it('that expires stops to work at that instant, though it is remembered', async () => {
    const pool = openTrialPool(stack.database);
    /** A key that was still good when its answer came, and is remembered since. */
    const rememberedKey = async (lifeMs: number): Promise<{ readonly key: string; readonly expiresAt: Date }> => {
      const expiresAt = new Date(Date.now() + lifeMs);
      const grant = { team: 'meridian', name: 'short', scopes: ['content:read'], hourlyLimit: 100, expiresAt };
      const { key } = await createApiKey(pool, grant);
      const { status } = await stack.ask(facets, { key });
      if (status === 401 && Date.now() >= expiresAt.getTime()) return rememberedKey(lifeMs * 2);
      expect(status).toBe(200);
      return { key, expiresAt };
    };
    const { key, expiresAt } = await rememberedKey(1200);
    await pool.end();
    await eventually(() => Date.now() >= expiresAt.getTime());
    expect((await stack.ask(facets, { key })).status).toBe(401);
  });

  it('that is revoked through one gateway stops to work at once in all', async () => {
    const made = await stack.ask('/admin/keys', {
      method: 'POST',
      key: stack.keys.operator,
      body: { team: 'meridian', name: 'soon gone', scopes: ['content:read'] },
    });
    const { key, keyId } = { key: String(made.body?.['key']), keyId: String(made.body?.['keyId']) };
    const rememberedMs = Date.now();
    for (const gateway of [stack.gateway, second]) expect((await stack.ask(facets, { key, gateway })).status).toBe(200);
    const revoked = await stack.ask(`/admin/keys/${keyId}/revoke`, { method: 'POST', key: stack.keys.operator });
    expect(revoked.body).toEqual({ keyId, team: 'meridian', revoked: true });
    expect((await stack.ask(facets, { key })).status).toBe(401);
    await eventually(async () => (await stack.ask(facets, { key, gateway: second })).status === 401);
    // By itself it would believe the key for a minute.
    expect(Date.now() - rememberedMs).toBeLessThan(60_000);
  });

  it('has its last use written within seconds', async () => {
    const pool = openTrialPool(stack.database);
    const { key, keyId } = await createApiKey(pool, {
      team: 'meridian',
      name: 'used',
      scopes: ['content:read'],
      hourlyLimit: 100,
    });
    const beforeMs = Date.now();
    await stack.ask(facets, { key });
    const afterMs = Date.now();
    let usedMs: number | undefined;
    await eventually(async () => {
      usedMs = (await findApiKey(pool, keyId))?.lastUsedAt?.getTime();
      return usedMs !== undefined;
    });
    await pool.end();
    expect(usedMs).toBeGreaterThanOrEqual(beforeMs);
    expect(usedMs).toBeLessThanOrEqual(afterMs);
  });
});

it('logs no key and no token', async () => {
  const logged = [...stack.gateway.logged, ...second.logged].join('');
  expect(logged).not.toMatch(/tsk_|eyJ/);
});
