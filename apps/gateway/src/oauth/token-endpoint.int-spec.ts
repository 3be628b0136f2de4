/** Access tokens for API keys, over the wire: how a program asks for one, uses it, ends it, and what it is told when it errs. */
import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { mintApiKey } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, ensureSigningKey, gatewayEntities, rotateSigningKey } from '@tessera/persistence/gateway';
import { waitUntil } from '@tessera/testing';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, generateKeyPair } from 'jose';
import pg from 'pg';
import { testIssuer, testAudience, sharedSecret } from '../testing/token-issuer.js';
import { openTestPool, type TestGateway } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let second: TestGateway;
/** Without a public address of its own. */
let unnamed: TestStack;
const publicUrl = 'https://tessera.example';
beforeAll(async () => {
  stack = await openTestStack({ PUBLIC_URL: publicUrl });
  second = await stack.startGateway();
  unnamed = await openTestStack();
});
afterAll(async () => {
  await stack?.stop();
  await unnamed?.stop();
});

type Fields = Record<string, string> | [string, string][];
type Asking = {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly gateway?: TestGateway;
};
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
const formOf = (fields: Fields): string => new URLSearchParams(fields).toString();

const post = (body: string, { headers = {}, path = '/oauth2/token', gateway, ...more }: Asking = {}) => {
  const key = 'key' in more ? more.key : stack.keys.meridian;
  return stack.request(path, {
    method: 'POST',
    key: undefined,
    body,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { Authorization: basic(`anything:${key}`) }),
      ...headers,
    },
    ...(gateway && { gateway }),
  });
};
const grant = { grant_type: 'client_credentials' };
const ask = (fields: Fields = grant, more: Asking = {}) => post(formOf(fields), more);
const tokenOf = async (fields: Record<string, string> = {}, more: Asking = {}): Promise<string> => {
  const { status, body } = await ask({ ...grant, ...fields }, more);
  expect(status).toBe(200);
  return String(body?.['access_token']);
};
const facets = contentRestPath('/facets');
const bearer = (token: string) => ({ key: undefined, headers: { Authorization: `Bearer ${token}` } });
const statusWith = async (token: string, gateway = stack.gateway) =>
  (await stack.request(facets, { ...bearer(token), gateway })).status;
const mcp = `${mcpPrefix}/p2p-tools`;
const statusAt = async (path: string, token: string) =>
  (await stack.request(path, { method: 'POST', body: '{}', ...bearer(token) })).status;

const withPool = async <T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
  const pool = openTestPool(stack.database);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};
const newKey = (more: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  withPool((pool) =>
    createApiKey(openDataSource(pool, gatewayEntities), {
      ...{ team: 'meridian', name: 'agent', scopes: ['content:read', 'tools:execute'], hourlyLimit: 1000 },
      ...more,
    }),
  );

describe('a token of a key', () => {
  it('is never taken for the key, also when it was just used', async () => {
    const { key } = await newKey();
    const token = await tokenOf({ resource: `${publicUrl}${mcp}`, scope: 'tools:execute' }, { key });
    expect(await statusAt(mcp, token)).toBe(200);
    const renewed = await ask(grant, { key: token });
    expect([renewed.status, renewed.body?.['error']]).toEqual([401, 'invalid_client']);
    const whole = await tokenOf({ scope: 'content:read' }, { key });
    expect(await statusWith(whole)).toBe(200);
    expect((await stack.request(facets, { key: whole })).status).toBe(401);
    const page = { Origin: publicUrl, 'X-Tessera-Request': '1' };
    const asKey = { method: 'POST', key: undefined, headers: page, body: { apiKey: whole.slice(0, 500) } };
    expect((await stack.request('/session', asKey)).status).toBe(401);
    expect((await stack.request('/sessions', bearer(whole))).body).toEqual({ sessions: [] });
  });
});

describe('a program with a key', () => {
  it('gets a signed token with the scopes of the key and a lifetime', async () => {
    const { key, keyId } = await newKey({ furtherScopes: ['finance:read'], attributes: { companyCodes: ['1000'] } });
    const { status, headers, body } = await ask(grant, { key });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'content:read tools:execute finance:read',
    });
    const token = String(body?.['access_token']);
    const jwks = createRemoteJWKSet(new URL(`${stack.gateway.url}/oauth2/jwks`));
    const { payload, protectedHeader } = await jwtVerify(token, jwks, { issuer: publicUrl, audience: publicUrl });
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toMatchObject({
      ...{ sub: `key:${keyId}`, client_id: keyId, team: 'meridian', scope: body?.['scope'] },
      attributes: { companyCodes: ['1000'] },
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(600);
  });

  it('is the same caller with the token, and shares the rate limit of the key', async () => {
    const { key, keyId } = await newKey({ furtherScopes: ['finance:read'], attributes: { companyCodes: ['1000'] } });
    const withKey = await stack.request(facets, { key });
    const withToken = await stack.request(facets, bearer(await tokenOf({}, { key })));
    expect(withToken.status).toBe(200);
    const callerIn = ({ body }: typeof withKey) => Reflect.get(Object(body?.['frame']), 'caller');
    expect(callerIn(withToken)).toEqual(callerIn(withKey));
    expect(callerIn(withToken)).toMatchObject({ subject: `key:${keyId}` });
    // The request for the token counts, too.
    const left = ({ headers }: typeof withKey) => Number(headers.get('x-ratelimit-remaining'));
    expect(left(withToken)).toBe(left(withKey) - 2);
    expect((await stack.request('/me', bearer(await tokenOf({}, { key })))).body).toMatchObject({ kind: 'token' });
  });

  it('may request a subset of its scopes, and is limited to it', async () => {
    const { key } = await newKey();
    const { body } = await ask({ ...grant, scope: 'mcp-asset.tools:execute' }, { key });
    expect(body).toMatchObject({ scope: 'tools:execute' });
    const token = String(body?.['access_token']);
    expect([await statusAt(mcp, token), await statusWith(token)]).toEqual([200, 403]);
  });

  it('may request a token for one MCP server, which is refused elsewhere', async () => {
    const token = await tokenOf({ resource: `${publicUrl}${mcp}` });
    expect(decodeJwt(token)).toMatchObject({ aud: `${publicUrl}${mcp}`, iss: publicUrl });
    expect([await statusAt(mcp, token), await statusAt(`${mcpPrefix}/other`, token), await statusWith(token)]).toEqual([
      200, 401, 401,
    ]);
    expect(decodeJwt(await tokenOf({ resource: publicUrl }))).toMatchObject({ aud: publicUrl });
    expect(decodeJwt(await tokenOf({ resource: '', scope: '' }))).toMatchObject({ aud: publicUrl });
  });

  it('finds the token endpoint of an MCP server by its metadata, and calls the server', async () => {
    const found = await stack.request(mcp, { method: 'POST', body: '{}', key: undefined });
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(found.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    const resource = await stack.request(metadataUrl.slice(publicUrl.length), { key: undefined });
    expect(resource.body).toMatchObject({ resource: `${publicUrl}${mcp}`, authorization_servers: [publicUrl] });
    const server = await stack.request('/.well-known/oauth-authorization-server', { key: undefined });
    const path = String(server.body?.['token_endpoint']).slice(publicUrl.length);
    const { body } = await ask(
      { ...grant, scope: 'mcp-asset.tools:execute', resource: String(resource.body?.['resource']) },
      { path },
    );
    const token = String(body?.['access_token']);
    for (const method of ['initialize', 'tools/list', 'tools/call']) {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
      const answer = await stack.request(mcp, { method: 'POST', body: message, ...bearer(token) });
      expect([answer.status, answer.body?.['request']]).toMatchObject([200, { message }]);
    }
  });
});

describe('a token', () => {
  it('is refused from the next request on once its key is revoked, here and at another replica', async () => {
    const { key, keyId } = await newKey();
    const token = await tokenOf({}, { key });
    for (const gateway of [stack.gateway, second]) expect(await statusWith(token, gateway)).toBe(200);
    const revoked = await stack.request(`/admin/keys/${keyId}/revoke`, { method: 'POST', key: stack.keys.operator });
    expect(revoked.status).toBe(200);
    expect(await statusWith(token)).toBe(401);
    await waitUntil(async () => (await statusWith(token, second)) === 401);
    // It was not only forgotten: a gateway that never saw it refuses it as well.
    expect(await statusWith(token, await stack.startGateway())).toBe(401);
    expect((await ask(grant, { key })).body).toMatchObject({ error: 'invalid_client' });
  });

  it('is refused once its key has expired', async () => {
    const expiresAt = new Date(Date.now() + 2500);
    const { key } = await newKey({ expiresAt });
    const token = await tokenOf({}, { key });
    expect(await statusWith(token)).toBe(200);
    await waitUntil(() => Date.now() >= expiresAt.getTime());
    expect(await statusWith(token)).toBe(401);
  });

  it('has no right that its key has lost', async () => {
    const { key, keyId } = await newKey();
    const token = await tokenOf({}, { key });
    const admin = new pg.Client({ connectionString: stack.database.adminUrl });
    await admin.connect();
    await admin.query(`update gateway.api_key set scopes = '{tools:execute}' where key_id = $1`, [keyId]);
    await admin.end();
    expect([await statusWith(token), await statusAt(mcp, token)]).toEqual([403, 200]);
  });

  it('can be revoked by its client, here and at another replica', async () => {
    const token = await tokenOf();
    for (const gateway of [stack.gateway, second]) expect(await statusWith(token, gateway)).toBe(200);
    const revoke = (more: Asking = {}) =>
      ask({ token, token_type_hint: 'access_token' }, { path: '/oauth2/revoke', ...more });
    expect((await revoke({ key: stack.keys.northgate })).body).toMatchObject({ error: 'unauthorized_client' });
    expect(await statusWith(token)).toBe(200);
    expect(await revoke()).toMatchObject({ status: 200, text: '' });
    expect(await statusWith(token)).toBe(401);
    await waitUntil(async () => (await statusWith(token, second)) === 401);
    expect(await statusWith(token, await stack.startGateway())).toBe(401);
    expect((await revoke()).status).toBe(200);
    expect((await ask({ token: 'nothing' }, { path: '/oauth2/revoke' })).status).toBe(200);
    expect((await ask({}, { path: '/oauth2/revoke' })).body).toMatchObject({ error: 'invalid_request' });
    expect((await ask({ token }, { path: '/oauth2/revoke', key: undefined })).status).toBe(401);
  });

  it('stays valid when the signing keys are rotated, and the next token is signed with another key', async () => {
    const before = await tokenOf();
    const admin = new pg.Pool({ connectionString: stack.database.adminUrl });
    const rotated = await rotateSigningKey(admin);
    await admin.end();
    const fresh = await stack.startGateway();
    const after = await tokenOf({}, { gateway: fresh });
    expect(decodeProtectedHeader(before).kid).not.toBe(rotated);
    expect(decodeProtectedHeader(after).kid).toBe(rotated);
    const { body } = await stack.request('/oauth2/jwks', { gateway: fresh, key: undefined });
    expect(JSON.stringify(body)).not.toContain('"d"');
    expect(body).toMatchObject({
      keys: [{ kid: rotated, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }, { kty: 'EC' }],
    });
    // One gateway has read the keys before the rotation.
    for (const gateway of [stack.gateway, fresh])
      expect([await statusWith(before, gateway), await statusWith(after, gateway)]).toEqual([200, 200]);
  });

  it('of another key, another type or another algorithm is refused', async () => {
    const token = await tokenOf();
    const [stored] = await withPool(ensureSigningKey);
    const own = createPrivateKey({ key: stored?.privateKey ?? '', format: 'der', type: 'pkcs8' });
    const { privateKey: foreign } = await generateKeyPair('ES256');
    const { kid = '' } = decodeProtectedHeader(token);
    expect(stored?.keyId).toBe(kid);
    const sign = (key: Parameters<SignJWT['sign']>[0], claims = {}, header = {}) =>
      new SignJWT({ ...decodeJwt(token), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
        .sign(key);
    expect(await statusWith(await sign(own))).toBe(200);
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid })).toString('base64url');
    const { key: otherKey, keyId: otherId } = await newKey({ team: 'northgate' });
    for (const refused of [
      await sign(foreign),
      await sign(own, {}, { typ: 'JWT' }),
      await sign(own, {}, { kid: 'none' }),
      await sign(own, { exp: Math.floor(Date.now() / 1000) - 60 }),
      await sign(own, { exp: undefined }),
      await sign(own, { iss: 'https://else.example' }),
      await sign(own, { aud: 'https://else.example' }),
      await sign(own, { client_id: '000000000000' }),
      await sign(own, { client_id: otherId }),
      await sign(Buffer.from(otherKey), {}, { alg: 'HS256' }),
      `${unsigned}.${token.split('.')[1]}.`,
    ])
      expect(await statusWith(refused)).toBe(401);
  });

  it('stays within the accepted length: attributes are left out, and too many scopes are refused', async () => {
    const attributes = { companyCodes: Array.from({ length: 2000 }, (_, index) => `code ${index}`) };
    const { key } = await newKey({ attributes });
    const token = await tokenOf({}, { key });
    expect(decodeJwt(token)).not.toHaveProperty('attributes');
    const { body } = await stack.request(facets, bearer(token));
    expect(body).toMatchObject({ frame: { caller: { attributes } } });
    const furtherScopes = Array.from({ length: 90 }, (_, index) => `${'scope'.repeat(20)}:${index}`);
    const large = await newKey({ furtherScopes });
    expect((await ask(grant, { key: large.key })).body).toMatchObject({ error: 'invalid_scope' });
    expect((await ask({ ...grant, scope: 'content:read' }, { key: large.key })).status).toBe(200);
  });
});

describe('a faulty token request', () => {
  const error = async (asked: ReturnType<typeof post>) => {
    const { status, body, headers, text } = await asked;
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.length).toBeLessThan(300);
    expect(text).not.toContain('tsk_');
    expect(Object.keys(body ?? {})).toEqual(['error', 'error_description']);
    expect(String(body?.['error_description'])).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    return [status, body?.['error']];
  };

  it.each<[string, Fields, string]>([
    ['no grant', {}, 'invalid_request'],
    ['an empty grant', { grant_type: '' }, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    [
      'a grant twice',
      [
        ['grant_type', 'client_credentials'],
        ['grant_type', 'client_credentials'],
      ],
      'invalid_request',
    ],
    ['an unknown scope', { ...grant, scope: 'content:burn' }, 'invalid_scope'],
    ['a scope that the key lacks', { ...grant, scope: 'content:read admin' }, 'invalid_scope'],
    ['a scope of control characters', { ...grant, scope: '\u0000' }, 'invalid_scope'],
    ['a foreign resource', { ...grant, resource: 'https://else.example/mcp' }, 'invalid_target'],
    ['the same server elsewhere', { ...grant, resource: `https://else.example${mcp}` }, 'invalid_target'],
    ['a resource that only begins like one', { ...grant, resource: `${publicUrl}${mcp}/more` }, 'invalid_target'],
    ['a resource with a fragment', { ...grant, resource: `${publicUrl}${mcp}#a` }, 'invalid_target'],
    ['a resource with half an escape', { ...grant, resource: `${publicUrl}${mcp}%` }, 'invalid_target'],
    [
      'two resources',
      [
        ['grant_type', 'client_credentials'],
        ['resource', publicUrl],
        ['resource', publicUrl],
      ],
      'invalid_target',
    ],
    ['its key in the body', { ...grant, client_secret: 'x' }, 'invalid_request'],
  ])('by %s is told so', async (_, fields, expected) => {
    expect(await error(ask(fields))).toEqual([400, expected]);
  });

  it('with an invalid body is refused with invalid_request', async () => {
    const typed = (type: string) => ({ headers: { 'Content-Type': type } });
    expect(await error(post('{"grant_type":"client_credentials"}', typed('application/json')))).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await error(post('{', typed('application/json'))))[1]).toBe('invalid_request');
    expect(await error(post(formOf(grant), typed('text/plain')))).toEqual([400, 'invalid_request']);
    expect(await error(post('', typed('application/x-www-form-urlencoded')))).toEqual([400, 'invalid_request']);
    expect(await error(post(`a=${'x'.repeat(20_000)}`))).toEqual([413, 'invalid_request']);
    const long = await post(`grant_type=client_credentials${'&a=1'.repeat(64)}`);
    expect([long.status, long.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'A form or a query has at most 64 fields.' },
    ]);
    const zipped = { headers: { 'Content-Encoding': 'gzip' } };
    expect(await error(post(formOf(grant), zipped))).toEqual([400, 'invalid_request']);
  });

  it.each<[string, () => Asking]>([
    ['no credential', () => ({ key: undefined })],
    ['a key that nobody has', () => ({ key: mintApiKey().key })],
    ['a password', () => ({ key: 'secret' })],
    ['a bearer key', () => ({ key: undefined, headers: { Authorization: `Bearer ${stack.keys.meridian}` } })],
    ['half of Basic', () => ({ key: undefined, headers: { Authorization: basic('no-colon') } })],
  ])('with %s is answered with a challenge for Basic', async (_, more) => {
    const answer = await ask(grant, more());
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="tessera", charset="UTF-8"');
    expect(await error(Promise.resolve(answer))).toEqual([401, 'invalid_client']);
  });

  it('with a second credential is refused', async () => {
    expect(await error(ask(grant, { headers: { AppKey: stack.keys.meridian } }))).toEqual([400, 'invalid_request']);
  });

  it('is answered with 429 when it is repeated too often, while a valid key passes', async () => {
    const guessed = await stack.startGateway();
    const guess = () => ask(grant, { key: mintApiKey().key, gateway: guessed });
    await Promise.all(Array.from({ length: 60 }, guess));
    const late = await guess();
    expect([late.status, late.body?.['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(grant, { gateway: guessed })).status).toBe(200);
    const logged = guessed.logged.join('\n');
    expect(logged).toContain('a credential was refused');
    expect(logged).not.toContain(stack.keys.meridian);
    expect(logged).not.toMatch(/eyJ/);
  });

  it('beyond the hourly limit of its key is answered with 429', async () => {
    const { key } = await newKey({ hourlyLimit: 2 });
    const statuses = [await ask(grant, { key }), await ask(grant, { key }), await ask(grant, { key })];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});

describe('PostgreSQL down', () => {
  it('leads to 503 for requesting a token, sending one and reading the public keys', async () => {
    const gateway = await stack.startGateway({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none' });
    const token = await tokenOf();
    const answers = [
      await ask(grant, { gateway }),
      await ask({ token }, { gateway, path: '/oauth2/revoke' }),
      await stack.request('/oauth2/jwks', { gateway, key: undefined }),
    ];
    for (const { status, headers, body, text } of answers) {
      expect([status, body?.['error'], headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1']);
      expect(text).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    const used = await stack.request(facets, { gateway, ...bearer(token) });
    expect(used.status).toBe(503);
    expect(used.body).toMatchObject({ data: { error: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('behind a proxy', () => {
  const behind = (host: string) => ({ 'X-Forwarded-Host': host, 'X-Forwarded-Proto': 'https' });

  it('a token is valid only at the address at which it was issued', async () => {
    const gateway = await unnamed.startGateway({ TRUST_PROXY: '127.0.0.1' });
    const body = formOf(grant);
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: basic(`:${unnamed.keys.meridian}`),
      ...behind('one.example'),
    };
    const issued = await unnamed.request('/oauth2/token', { method: 'POST', key: undefined, body, headers, gateway });
    const token = String(issued.body?.['access_token']);
    expect(decodeJwt(token)).toMatchObject({ iss: 'https://one.example', aud: 'https://one.example' });
    const use = async (host: string) => {
      const sent = { ...behind(host), Authorization: `Bearer ${token}` };
      return (await unnamed.request(facets, { key: undefined, headers: sent, gateway })).status;
    };
    expect([await use('one.example'), await use('two.example'), await use('one.example')]).toEqual([200, 401, 200]);
  });
});

describe('the metadata of the authorization server', () => {
  it('lists exactly the supported endpoints and methods', async () => {
    const { status, body } = await stack.request('/.well-known/oauth-authorization-server', { key: undefined });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer: publicUrl,
      token_endpoint: `${publicUrl}/oauth2/token`,
      jwks_uri: `${publicUrl}/oauth2/jwks`,
      revocation_endpoint: `${publicUrl}/oauth2/revoke`,
      scopes_supported: expect.arrayContaining(['tools:execute', 'admin']),
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    for (const address of Object.values(body ?? {}).filter((each) => String(each).startsWith(`${publicUrl}/oauth2/`))) {
      const path = String(address).slice(publicUrl.length);
      expect(stack.gateway.routes.map((route) => route.path)).toContain(path);
    }
  });

  it('is not served when the operator configures an issuer, nor are the endpoints, and our tokens are refused', async () => {
    const foreign = await stack.startGateway({
      JWT_ISSUER: testIssuer,
      JWT_AUDIENCE: testAudience,
      JWT_SECRET: sharedSecret,
    });
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth2/jwks'])
      expect((await stack.request(path, { gateway: foreign })).status).toBe(404);
    for (const path of ['/oauth2/token', '/oauth2/revoke'])
      expect((await ask(grant, { path, gateway: foreign })).status).toBe(404);
    expect(await statusWith(await tokenOf(), foreign)).toBe(401);
  });
});
