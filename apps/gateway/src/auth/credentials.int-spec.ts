import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@tessera/persistence';
import { runInTenantEntityTransaction, openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, findApiKey, revokeApiKey, gatewayEntities } from '@tessera/persistence/gateway';
import { waitUntil } from '@tessera/testing';
import { randomUUID } from 'node:crypto';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  sharedSecret,
  signWithSharedSecret,
} from '../testing/token-issuer.js';
import { openTestPool, testAddressesOf, startTestGateway, type TestGateway } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type Answer, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let second: TestGateway;
const tokens = {
  JWT_SECRET: sharedSecret,
  JWT_ISSUER: testIssuer,
  JWT_AUDIENCE: testAudience,
  APP_KEY_HEADERS: 'AppKey, X-Team-Key',
};

beforeAll(async () => {
  stack = await openTestStack(tokens);
  second = await stack.startGateway();
});
afterAll(() => stack?.stop());

const facets = contentRestPath('/facets');
const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
const newReaderKey = async () => {
  const pool = openTestPool(stack.database);
  const grant = { team: 'meridian', name: 'reports', scopes: ['knowledge-models:read'], hourlyLimit: 100 };
  const made = await createApiKey(openDataSource(pool, gatewayEntities), grant);
  await pool.end();
  return made;
};
const withHeaders = (headers: Record<string, string>) => stack.request(facets, { key: undefined, headers });

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
      { Authorization: key },
    ])
      expect((await withHeaders(headers)).status).toBe(200);
  });

  it.each([['/intelligence/api/knowledge-models'], ['/intelligence/api/odata/p2p.svc/$metadata']])(
    'may send a key as the password of Basic at %s, and is the same caller as with the key alone',
    async (path) => {
      const { key } = await newReaderKey();
      const before = stack.gateway.logged.length;
      const plain = await stack.request(path, { key });
      const answer = await stack.request(path, { key: undefined, headers: basic(`anyone:${key}`) });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ frame: { caller: { team: 'meridian' } } });
      // One counter for both: the credential is the key, however it was sent.
      const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));
      expect(remaining(answer)).toBe(remaining(plain) - 1);
      const logged = stack.gateway.logged.slice(before).join('\n');
      for (const secretText of [key, basic(`anyone:${key}`).Authorization.slice(6)])
        expect(logged).not.toContain(secretText);
    },
  );

  it('with a wrong Basic password gets a 401 that offers Basic, and the log does not contain the password', async () => {
    const before = stack.gateway.logged.length;
    const wrong = basic(`anyone:${mintApiKey().key}`);
    const answer = await stack.request('/intelligence/api/knowledge-models', { key: undefined, headers: wrong });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="tessera", AppKey realm="tessera", Basic realm="tessera", charset="UTF-8"',
    );
    expect(answer.body).toMatchObject({ errorCode: 'ACCESS_UNAUTHORIZED', detail: 'The credential is not valid.' });
    const logged = stack.gateway.logged.slice(before).join('\n');
    expect(logged).toContain('a credential was refused');
    expect(logged).not.toContain(wrong.Authorization.slice(6));
  });

  it('with Basic authentication is refused outside the operations of knowledge models', async () => {
    const answer = await withHeaders(basic(`anyone:${stack.keys.meridian}`));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).not.toContain('Basic');
  });

  it('whose key was revoked gets 401 with Basic too', async () => {
    const { key, keyId } = await newReaderKey();
    const headers = basic(`anyone:${key}`);
    const read = () => stack.request('/intelligence/api/knowledge-models', { key: undefined, headers });
    expect((await read()).status).toBe(200);
    const revoked = await stack.request(`/admin/keys/${keyId}/revoke`, { method: 'POST', key: stack.keys.operator });
    expect(revoked.status).toBe(200);
    await waitUntil(async () => (await read()).status === 401);
  });

  it('may send a token, whose subject the rate limit counts', async () => {
    const { status, headers, body } = await withHeaders({ Authorization: `Bearer ${signWithSharedSecret()}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({ frame: { caller: { team: 'meridian', subject: 'user-1' } } });
    expect(headers.get('x-ratelimit-limit')).toBe('6000');
    const again = await withHeaders({
      Authorization: `Bearer ${signWithSharedSecret({ ...createValidClaims(), jti: 'other' })}`,
    });
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(headers.get('x-ratelimit-remaining')),
    );
  });

  it.each([
    ['none', {}],
    ['a mistyped key', { AppKey: `${mintApiKey().key}x` }],
    ['a key that nobody has', { AppKey: mintApiKey().key }],
    [
      'a token of another secret',
      { Authorization: `Bearer ${signWithSharedSecret(createValidClaims(), 'x'.repeat(40))}` },
    ],
    ['a password', { Authorization: 'Basic bWU6c2VjcmV0' }],
  ])(
    'with %s gets a 401 in the error format of the called interface, with the authentication schemes',
    async (_, headers) => {
      const answer = await withHeaders(headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*AppKey /);
      expect(answer.body).toMatchObject({
        output: 'Dialog',
        type: 'Unauthorized',
        data: { error: 'ACCESS_UNAUTHORIZED' },
      });
      for (const value of Object.values(headers)) expect(answer.text).not.toContain(value);
    },
  );

  it('with a wrong credential gets the same answer for every reason, which only the log names', async () => {
    const pool = openTestPool(stack.database);
    const grant = { team: 'meridian', name: 'wrong', scopes: ['content:read'], hourlyLimit: 100 };
    const revoked = await createApiKey(openDataSource(pool, gatewayEntities), grant);
    await runInTenantEntityTransaction(openDataSource(pool, gatewayEntities), 'meridian', (manager) =>
      revokeApiKey(manager, 'meridian', revoked.keyId),
    );
    const expired = await createApiKey(openDataSource(pool, gatewayEntities), {
      ...grant,
      expiresAt: new Date('2020-01-01T00:00:00Z'),
    });
    await pool.end();
    const before = stack.gateway.logged.length;
    const answers = new Map<string, string>();
    for (const [reason, headers] of [
      ['checksum', { AppKey: `${mintApiKey().key}x` }],
      ['no key is like', { AppKey: mintApiKey().key }],
      ['was revoked', { AppKey: revoked.key }],
      ['has expired', { AppKey: expired.key }],
      ['invalid signature', { Authorization: `Bearer ${signWithSharedSecret(createValidClaims(), 'x'.repeat(40))}` }],
      [
        'jwt expired',
        { Authorization: `Bearer ${signWithSharedSecret({ ...createValidClaims(), exp: 1_500_000_000 })}` },
      ],
      ['three base64url parts', { Authorization: 'Bearer nothing' }],
    ] as const) {
      const requestId = randomUUID();
      const answer = await withHeaders({ ...headers, 'X-Request-Id': requestId });
      expect(answer.status).toBe(401);
      answers.set(answer.text, reason);
      const line = stack.gateway.logged.slice(before).find((each) => each.includes(requestId)) ?? '';
      expect(line).toContain(reason);
      expect(line).toContain('a credential was refused');
      for (const value of Object.values(headers)) expect(line).not.toContain(value);
    }
    expect([...answers.keys()]).toHaveLength(1);
  });

  it('with several credentials is refused with 400', async () => {
    const { status, body } = await withHeaders({
      AppKey: stack.keys.meridian,
      Authorization: `Bearer ${signWithSharedSecret()}`,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ data: { error: 'GENERAL_PARAMETER_ILLEGAL' } });
  });

  it('without the scope of the route is refused with 403, which names the scope', async () => {
    const { status, body } = await stack.request(facets, { key: stack.keys.reader });
    expect(status).toBe(403);
    expect(body).toMatchObject({ type: 'Unauthorized', data: { error: 'ADMIN_ACCESS_ERROR' } });
    expect(body?.['message']).toContain('content:read');
  });

  it('cannot send a key in the URL', async () => {
    expect((await stack.request(`${facets}?AppKey=${stack.keys.meridian}`, { key: undefined })).status).toBe(401);
  });
});

describe('a key', () => {
  it('that expires stops working at that instant, although it is cached', async () => {
    const pool = openTestPool(stack.database);
    /** A key that was still good when its answer came, and is remembered since. */
    const rememberedKey = async (lifeMs: number): Promise<{ readonly key: string; readonly expiresAt: Date }> => {
      const expiresAt = new Date(Date.now() + lifeMs);
      const grant = { team: 'meridian', name: 'short', scopes: ['content:read'], hourlyLimit: 100, expiresAt };
      const { key } = await createApiKey(openDataSource(pool, gatewayEntities), grant);
      const { status } = await stack.request(facets, { key });
      if (status === 401 && Date.now() >= expiresAt.getTime()) return rememberedKey(lifeMs * 2);
      expect(status).toBe(200);
      return { key, expiresAt };
    };
    const { key, expiresAt } = await rememberedKey(1200);
    await pool.end();
    await waitUntil(() => Date.now() >= expiresAt.getTime());
    expect((await stack.request(facets, { key })).status).toBe(401);
  });

  it('that is revoked through one gateway stops working at once in all of them', async () => {
    const made = await stack.request('/admin/keys', {
      method: 'POST',
      key: stack.keys.operator,
      body: { team: 'meridian', name: 'soon gone', scopes: ['content:read'] },
    });
    const { key, keyId } = { key: String(made.body?.['key']), keyId: String(made.body?.['keyId']) };
    const rememberedMs = Date.now();
    for (const gateway of [stack.gateway, second])
      expect((await stack.request(facets, { key, gateway })).status).toBe(200);
    const revoked = await stack.request(`/admin/keys/${keyId}/revoke`, { method: 'POST', key: stack.keys.operator });
    expect(revoked.body).toEqual({ keyId, team: 'meridian', revoked: true });
    expect((await stack.request(facets, { key })).status).toBe(401);
    await waitUntil(async () => (await stack.request(facets, { key, gateway: second })).status === 401);
    // By itself it would believe the key for a minute.
    expect(Date.now() - rememberedMs).toBeLessThan(60_000);
  });

  describe('that is used', () => {
    let pool: ReturnType<typeof openTestPool>;
    let used: Awaited<ReturnType<typeof createApiKey>>;
    beforeEach(async () => {
      pool = openTestPool(stack.database);
      const grant = { team: 'meridian', name: 'used', scopes: ['content:read'], hourlyLimit: 100 };
      used = await createApiKey(openDataSource(pool, gatewayEntities), grant);
    });
    afterEach(() => pool.end());
    const lastUse = async () => (await findApiKey(pool, used.keyId))?.lastUsedAt?.getTime();

    it('has its last use written within seconds', async () => {
      const beforeMs = Date.now();
      await stack.request(facets, { key: used.key });
      const afterMs = Date.now();
      await waitUntil(async () => (await lastUse()) !== undefined);
      expect(await lastUse()).toBeGreaterThanOrEqual(beforeMs);
      expect(await lastUse()).toBeLessThanOrEqual(afterMs);
    });

    it('has its last use written by a gateway that stops', async () => {
      const gateway = await startTestGateway(testAddressesOf(stack.database, stack.nats));
      await stack.request(facets, { key: used.key, gateway });
      await gateway.stop();
      expect(await lastUse()).toBeDefined();
    });
  });
});

describe('wrong credentials', () => {
  const wrong = (forwardedFor: string) =>
    stack.request(facets, {
      key: undefined,
      gateway: behindProxy,
      headers: { AppKey: mintApiKey().key, 'X-Forwarded-For': forwardedFor },
    });
  let behindProxy: TestGateway;
  beforeAll(async () => void (behindProxy = await stack.startGateway({ TRUST_PROXY: '127.0.0.1' })));
  const statuses = async (count: number, forwardedFor: string) =>
    (await Promise.all(Array.from({ length: count }, () => wrong(forwardedFor)))).map(({ status }) => status);

  it('from one address are refused with 429 after 60 in a minute, while a valid one from that address keeps working', async () => {
    expect(new Set(await statuses(60, '198.51.100.7'))).toEqual(new Set([401]));
    const { status, headers, body } = await wrong('198.51.100.7');
    expect([status, body]).toMatchObject([429, { data: { error: 'LIMIT_RATE_EXCEEDED' } }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const pool = openTestPool(stack.database);
    const grant = { team: 'meridian', name: 'behind it', scopes: ['content:read'], hourlyLimit: 100 };
    // Nobody has seen this key before, so no memory lets it in.
    const { key } = await createApiKey(openDataSource(pool, gatewayEntities), grant);
    await pool.end();
    const good = { key, gateway: behindProxy, headers: { 'X-Forwarded-For': '198.51.100.7' } };
    expect((await stack.request(facets, good)).status).toBe(200);
    expect((await wrong('198.51.100.7')).status).toBe(429);
    expect(behindProxy.logged.filter((line) => line.includes('too many credentials of an address'))).toHaveLength(1);
  });

  it('from another address, and requests without a credential, are not limited', async () => {
    expect((await wrong('198.51.100.8')).status).toBe(401);
    const none = { key: undefined, gateway: behindProxy, headers: { 'X-Forwarded-For': '198.51.100.7' } };
    expect((await stack.request(facets, none)).status).toBe(401);
  });

  it('are counted per network of an IPv6 address', async () => {
    await statuses(60, '2001:db8:1:2::1');
    expect((await wrong('2001:db8:1:2::2')).status).toBe(429);
    expect((await wrong('2001:db8:1:3::1')).status).toBe(401);
  });

  it('are counted per connection address when no proxy is trusted', async () => {
    const alone = await stack.startGateway();
    const ask = (forwardedFor: string) =>
      stack.request(facets, {
        key: undefined,
        gateway: alone,
        headers: { AppKey: mintApiKey().key, 'X-Forwarded-For': forwardedFor },
      });
    for (let turn = 0; turn < 60; turn++) expect((await ask(`198.51.100.${turn}`)).status).toBe(401);
    expect((await ask('198.51.100.99')).status).toBe(429);
  });
});

it('the gateway logs no key and no token', async () => {
  const logged = [...stack.gateway.logged, ...second.logged].join('');
  expect(logged).not.toMatch(/tsk_|eyJ/);
});
