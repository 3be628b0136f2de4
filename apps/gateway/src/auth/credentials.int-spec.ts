import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, findApiKey, mintApiKey } from '@tessera/persistence';
import { setTimeout as sleep } from 'node:timers/promises';
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
    const expiresAt = new Date(Date.now() + 1200);
    const grant = { team: 'meridian', name: 'short', scopes: ['content:read'], hourlyLimit: 100, expiresAt };
    const { key } = await createApiKey(pool, grant);
    await pool.end();
    expect((await stack.ask(facets, { key })).status).toBe(200);
    await sleep(1300);
    expect((await stack.ask(facets, { key })).status).toBe(401);
  });

  it('that is revoked through one gateway stops to work at once in all', async () => {
    const made = await stack.ask('/admin/keys', {
      method: 'POST',
      key: stack.keys.operator,
      body: { team: 'meridian', name: 'soon gone', scopes: ['content:read'] },
    });
    const { key, keyId } = { key: String(made.body?.['key']), keyId: String(made.body?.['keyId']) };
    for (const gateway of [stack.gateway, second]) expect((await stack.ask(facets, { key, gateway })).status).toBe(200);
    const revoked = await stack.ask(`/admin/keys/${keyId}/revoke`, { method: 'POST', key: stack.keys.operator });
    expect(revoked.body).toEqual({ keyId, team: 'meridian', revoked: true });
    expect((await stack.ask(facets, { key })).status).toBe(401);
    await sleep(200);
    expect((await stack.ask(facets, { key, gateway: second })).status).toBe(401);
  });

  it('has its last use written within seconds', async () => {
    const pool = openTrialPool(stack.database);
    const { key, keyId } = await createApiKey(pool, {
      team: 'meridian',
      name: 'used',
      scopes: ['content:read'],
      hourlyLimit: 100,
    });
    await stack.ask(facets, { key });
    let lastUsedAt: Date | undefined;
    for (let turn = 0; turn < 70 && !lastUsedAt; turn++) {
      await sleep(100);
      lastUsedAt = (await findApiKey(pool, keyId))?.lastUsedAt;
    }
    await pool.end();
    expect(Math.abs(Date.now() - (lastUsedAt?.getTime() ?? 0))).toBeLessThan(15_000);
  });
});

it('logs no key and no token', async () => {
  const logged = [...stack.gateway.logged, ...second.logged].join('');
  expect(logged).not.toMatch(/tsk_|eyJ/);
});
