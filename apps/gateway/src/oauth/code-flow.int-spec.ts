/** Clients that act for people, over the wire: what an MCP client with an address does, up to the tool and the refresh. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listClientGrants } from '@tessera/contracts/gateway';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { rotateSigningKey } from '@tessera/persistence/gateway';
import { waitUntil } from '@tessera/testing';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import pg from 'pg';
import {
  administer,
  askConsent,
  askToken,
  codeOf,
  decide,
  exchangeCode,
  formHeaders,
  latestChanges,
  memberPath,
  redirect,
  register,
  registered,
  setPassword,
  TestBrowser,
  tokensBy,
  writeMember as writeMemberOf,
  type OAuthClient,
  type Tokens,
} from '../testing/oauth-client.js';
import type { TestGateway } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let second: TestGateway;
let publicUrl: string;
let client: OAuthClient;
let browser: TestBrowser;
let database: pg.Client;
const password = 'correct horse battery';

const admin = (path: string, method: string, body?: object) => administer(stack, path, method, body);
const writeMember = (id: string, more: object = {}, team = 'meridian') => writeMemberOf(stack, id, more, team);

beforeAll(async () => {
  // Both have the address of the first, as behind a balancer.
  stack = await openTestStack();
  publicUrl = `http://localhost:${stack.gateway.port}`;
  second = await stack.startGateway({ PUBLIC_URL: publicUrl });
  database = new pg.Client({ connectionString: stack.database.adminUrl });
  await database.connect();
  client = await registered(stack);
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});

let counter = 0;
let memberId: string;
beforeEach(async () => {
  memberId = `anna.${++counter}`;
  await writeMember(memberId);
  await setPassword(stack, memberId, password);
  browser = new TestBrowser(stack);
  await browser.signIn(memberId, password);
});

const mcp = `${mcpPrefix}/p2p-tools`;
const callTool = async (token: string, path = mcp, gateway = stack.gateway) =>
  (
    await stack.request(path, {
      ...{ method: 'POST', body: '{}', key: undefined, gateway },
      headers: { Authorization: `Bearer ${token}` },
    })
  ).status;
const ask = (path: string, token: string, gateway = stack.gateway) =>
  stack.request(path, { key: undefined, gateway, headers: { Authorization: `Bearer ${token}` } });
const tokensOf = (more: Readonly<Record<string, string>> = {}, of = client, by = browser) =>
  tokensBy(stack, by, of, more);
const refresh = (refresh_token: string, more: Readonly<Record<string, string>> = {}, of = client) =>
  askToken(stack, of, { grant_type: 'refresh_token', refresh_token, ...more });
const changes = () => latestChanges(stack);

describe('an MCP client that knows an address', () => {
  it('gets a token for it by the consent of a person, calls, and refreshes', async () => {
    const found = await stack.request(mcp, { method: 'POST', body: '{}', key: undefined });
    const challenge = found.headers.get('www-authenticate') ?? '';
    expect([found.status, challenge]).toEqual([401, expect.stringMatching(/scope="tools:execute /)]);
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    const resource = await stack.request(metadataUrl.slice(publicUrl.length), { key: undefined });
    expect(resource.body).toMatchObject({ resource: `${publicUrl}${mcp}`, authorization_servers: [publicUrl] });
    const { page, path } = await askConsent(browser, client, { resource: `${publicUrl}${mcp}` });
    expect(page.status).toBe(200);
    for (const shown of ['Spec Client', '127.0.0.1:33418', 'p2p-tools', 'meridian', 'call tools', 'Anna Weber'])
      expect(page.text).toContain(shown);
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const back = await decide(browser, { page, path });
    expect(back.href.startsWith(redirect)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'a state', iss: publicUrl });
    const issued = await exchangeCode(stack, client, back.searchParams.get('code') ?? '');
    expect(issued.body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      ...{ token_type: 'Bearer', expires_in: 600, scope: 'tools:execute' },
    });
    expect(issued.headers.get('cache-control')).toBe('no-store');
    const { access_token: token, refresh_token } = issued.body as Record<string, string>;
    expect([await callTool(token ?? ''), await callTool(token ?? '', `${mcpPrefix}/other`)]).toEqual([200, 401]);
    const refreshed = await askToken(stack, client, {
      ...{ grant_type: 'refresh_token', refresh_token: refresh_token ?? '' },
    });
    expect(refreshed.body).toMatchObject({ scope: 'tools:execute', refresh_token: expect.any(String) });
    expect(refreshed.body?.['refresh_token']).not.toBe(refresh_token);
    expect(await callTool(String(refreshed.body?.['access_token']))).toBe(200);
  });
});

describe('OpenID Connect', () => {
  it('tells who the person is, and no more than the name', async () => {
    const tokens = await tokensOf({ scope: 'openid profile', nonce: 'n-1', resource: '' });
    const jwks = createRemoteJWKSet(new URL(`${stack.gateway.url}/oauth2/jwks`));
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, jwks, {
      ...{ issuer: publicUrl, audience: client.clientId },
    });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload).toEqual({
      ...{ iss: publicUrl, aud: client.clientId, sub: `meridian/${memberId}`, name: 'Anna Weber', nonce: 'n-1' },
      ...{ exp: expect.any(Number), iat: expect.any(Number) },
    });
    expect(await ask('/oauth2/userinfo', tokens.access_token)).toMatchObject({
      status: 200,
      body: { sub: `meridian/${memberId}`, name: 'Anna Weber' },
    });
    expect((await ask(contentRestPath('/facets'), tokens.access_token)).status).toBe(403);
  });

  it('tells nothing of the person to whom was not allowed to know it', async () => {
    const all = await tokensOf({ scope: 'openid tools:execute' });
    expect((await ask('/oauth2/userinfo', all.access_token)).body).toEqual({ sub: `meridian/${memberId}` });
    expect(decodeJwt(all.id_token)).not.toHaveProperty('name');
    const without = await tokensOf();
    expect(without).not.toHaveProperty('id_token');
    const refused = await ask('/oauth2/userinfo', without.access_token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="tessera", error="insufficient_scope"',
    ]);
    const forAsset = await tokensOf({ scope: 'openid tools:execute', resource: `${publicUrl}${mcp}` });
    expect((await ask('/oauth2/userinfo', forAsset.access_token)).status).toBe(401);
    expect((await ask('/oauth2/userinfo', 'nothing')).status).toBe(401);
    expect((await stack.request('/oauth2/userinfo', { key: stack.keys.meridian })).status).toBe(401);
  });

  it('has documents that say what there is', async () => {
    const [oauth, openId] = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration'].map((name) =>
        stack.request(`/.well-known/${name}`, { key: undefined }),
      ),
    );
    expect(oauth?.body).toEqual(openId?.body);
    expect(oauth?.body).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth2/authorize`,
      registration_endpoint: `${publicUrl}/oauth2/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    for (const path of [
      `/.well-known/oauth-authorization-server${mcp}`,
      `/.well-known/openid-configuration${mcp}`,
      `${mcp}/.well-known/openid-configuration`,
      `${mcp}/.well-known/oauth-authorization-server`,
    ]) {
      const { status, headers, body } = await stack.request(path, { key: undefined });
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, expect.stringContaining('json')]);
      expect(body).toMatchObject({ status: 404 });
    }
  });
});

describe('a token', () => {
  it('is a reference to member and grant, signed by the key of the others', async () => {
    const { access_token: token } = await tokensOf({
      scope: 'mcp-asset.tools:execute',
      resource: `${publicUrl}${mcp}`,
    });
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(decodeJwt(token)).toMatchObject({
      ...{ iss: publicUrl, aud: `${publicUrl}${mcp}`, sub: `meridian/${memberId}`, team: 'meridian' },
      ...{ client_id: client.clientId, scope: 'mcp-asset.tools:execute', grant_id: expect.any(String) },
    });
    expect([await callTool(token), await callTool(token, mcp, second)]).toEqual([200, 200]);
    expect([await callTool(token, `${mcpPrefix}/other`), (await ask('/me', token)).status]).toEqual([401, 401]);
  });

  it('for everything opens what the person allowed, and tells who that is', async () => {
    const { access_token: token } = await tokensOf({ scope: 'content:read tools:execute admin further:one' });
    expect(decodeJwt(token)).toMatchObject({ aud: publicUrl, scope: 'content:read tools:execute' });
    expect((await ask('/me', token)).body).toMatchObject({
      ...{ kind: 'token', subject: `member:${memberId}`, displayName: 'Anna Weber', team: 'meridian' },
      scopes: ['content:read', 'tools:execute'],
    });
    expect(await callTool(token)).toBe(200);
    expect((await ask('/admin/teams', token)).status).toBe(403);
  });

  it('is worth what the person may do at that moment', async () => {
    const { access_token: token, refresh_token } = await tokensOf({ scope: 'tools:execute content:read' });
    for (const gateway of [stack.gateway, second]) expect(await callTool(token, mcp, gateway)).toBe(200);
    await writeMember(memberId, { roles: ['viewer'] });
    expect([await callTool(token), (await ask(contentRestPath('/facets'), token)).status]).toEqual([403, 200]);
    await waitUntil(async () => (await callTool(token, mcp, second)) === 403);
    await writeMember(memberId, { roles: ['analyst'], disabled: true });
    expect(await callTool(token)).toBe(401);
    expect((await refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    await waitUntil(async () => (await callTool(token, mcp, second)) === 401);
  });

  it.each([
    [
      'is disabled, and stays ended',
      async () => {
        await writeMember(memberId, { disabled: true });
        await writeMember(memberId);
      },
    ],
    [
      'becomes somebody else',
      () => writeMember(memberId, { identity: { issuer: 'https://login.example', subject: memberId } }),
    ],
    ['is removed', async () => void (await admin(memberPath(memberId), 'DELETE'))],
  ])('ends when its member %s', async (_, change) => {
    const { access_token: token, refresh_token } = await tokensOf();
    for (const gateway of [stack.gateway, second]) expect(await callTool(token, mcp, gateway)).toBe(200);
    await change();
    expect(await callTool(token)).toBe(401);
    await waitUntil(async () => (await callTool(token, mcp, second)) === 401);
    expect((await refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('ends with the password of its person', async () => {
    const { access_token: token, refresh_token } = await tokensOf();
    expect(await callTool(token)).toBe(200);
    await setPassword(stack, memberId, password);
    expect(await callTool(token)).toBe(401);
    expect((await refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('is ended by its client at once, everywhere: an access token alone, a refresh token with everything', async () => {
    const first = await tokensOf();
    const revoke = (token: string, of = client) =>
      stack.request('/oauth2/revoke', {
        ...{ method: 'POST', key: undefined, headers: formHeaders },
        body: new URLSearchParams({ token, client_id: of.clientId }).toString(),
      });
    for (const gateway of [stack.gateway, second]) expect(await callTool(first.access_token, mcp, gateway)).toBe(200);
    const other = await registered(stack);
    expect((await revoke(first.access_token, other)).body).toMatchObject({ error: 'unauthorized_client' });
    expect((await revoke(first.refresh_token, other)).body).toMatchObject({ error: 'unauthorized_client' });
    expect((await changes())[0]).toMatchObject({ action: 'client.refused', target: memberId });
    expect(await revoke(first.access_token)).toMatchObject({ status: 200, text: '' });
    expect(await callTool(first.access_token)).toBe(401);
    await waitUntil(async () => (await callTool(first.access_token, mcp, second)) === 401);
    const fresh = (await refresh(first.refresh_token)).body as Tokens;
    for (const gateway of [stack.gateway, second]) expect(await callTool(fresh.access_token, mcp, gateway)).toBe(200);
    expect((await revoke(fresh.refresh_token)).status).toBe(200);
    expect(await callTool(fresh.access_token)).toBe(401);
    await waitUntil(async () => (await callTool(fresh.access_token, mcp, second)) === 401);
    expect((await refresh(fresh.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await changes())[0]).toMatchObject({ action: 'client.ended', after: { reason: 'its client revoked it' } });
    expect((await revoke(fresh.refresh_token)).status).toBe(200);
  });

  it('ends with the grant that its person takes back, everywhere, and nobody else sees or ends it', async () => {
    const asset = `${publicUrl}${mcp}`;
    const tokens = await tokensOf({ scope: 'openid tools:execute', resource: asset });
    const grantsOf = async (by: TestBrowser) =>
      listClientGrants.reply.parse((await by.ask('/client-grants')).body).grants;
    const [grant, ...others] = await grantsOf(browser);
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ clientId: client.clientId, clientName: 'Spec Client', resource: asset });
    expect(grant?.scopes).toEqual(['tools:execute', 'openid']);
    const end = (by: TestBrowser, headers: Readonly<Record<string, string>> = { 'X-Tessera-Request': '1' }) =>
      by.ask(`/client-grants/${grant?.grantId}`, { method: 'DELETE', headers });
    await writeMember('other.person');
    await setPassword(stack, 'other.person', password);
    const other = new TestBrowser(stack);
    await other.signIn('other.person', password);
    expect([await grantsOf(other), (await end(other)).status, (await end(browser, {})).status]).toEqual([[], 404, 403]);
    const { body: byToken } = await ask('/client-grants', (await tokensOf()).access_token);
    expect(byToken).toEqual({ grants: [] });
    for (const gateway of [stack.gateway, second]) expect(await callTool(tokens.access_token, mcp, gateway)).toBe(200);
    expect(await end(browser)).toMatchObject({ status: 200, body: { ended: grant?.grantId } });
    expect(await callTool(tokens.access_token)).toBe(401);
    await waitUntil(async () => (await callTool(tokens.access_token, mcp, second)) === 401);
    expect((await refresh(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await changes())[0]).toMatchObject({
      ...{ action: 'client.ended', target: memberId, after: { reason: 'the person took it back' } },
    });
    expect((await end(browser)).status).toBe(404);
    expect((await grantsOf(browser)).map(({ resource }) => resource)).toEqual([publicUrl]);
  });

  it('of a key is not for clients to end, nor the other way round', async () => {
    const { access_token: token } = await tokensOf();
    const byKey = await stack.request('/oauth2/revoke', {
      ...{ method: 'POST', key: undefined, body: new URLSearchParams({ token }).toString() },
      headers: { ...formHeaders, Authorization: `Basic ${Buffer.from(`:${stack.keys.meridian}`).toString('base64')}` },
    });
    expect(byKey.body).toMatchObject({ error: 'unauthorized_client' });
    expect(await callTool(token)).toBe(200);
  });

  it('may be asked for again with less, never with more', async () => {
    const { refresh_token } = await tokensOf({ scope: 'tools:execute content:read' });
    const less = await refresh(refresh_token, { scope: 'content:read' });
    expect(less.body).toMatchObject({ scope: 'content:read' });
    const more = await refresh(String(less.body?.['refresh_token']), { scope: 'content:read agents:execute' });
    expect(more.body).toMatchObject({ error: 'invalid_scope' });
    const elsewhere = await refresh(String(less.body?.['refresh_token']), { resource: `${publicUrl}${mcp}` });
    expect(elsewhere.body).toMatchObject({ error: 'invalid_target' });
  });

  it('and what is under way stay good when the signing keys are rotated', async () => {
    const { access_token: before } = await tokensOf();
    const question = await askConsent(browser, client);
    const pool = new pg.Pool({ connectionString: stack.database.adminUrl });
    const rotated = await rotateSigningKey(pool);
    await pool.end();
    const fresh = await stack.startGateway({ PUBLIC_URL: publicUrl });
    const back = await decide(browser.at(fresh), question);
    const { body } = await exchangeCode(stack, client, back.searchParams.get('code') ?? '', {}, { gateway: fresh });
    const after = String(body?.['access_token']);
    expect(decodeProtectedHeader(after).kid).toBe(rotated);
    for (const gateway of [stack.gateway, fresh])
      expect([await callTool(before, mcp, gateway), await callTool(after, mcp, gateway)]).toEqual([200, 200]);
  });
});

describe('a client with a secret', () => {
  it('has to show it, and only its digest is stored', async () => {
    const keeper = await registered(stack, { token_endpoint_auth_method: 'client_secret_basic' });
    expect(keeper.secret).toMatch(/^[\w-]{40,}$/);
    const { rows } = await database.query('select t::text from gateway.oauth_client t');
    expect(JSON.stringify(rows)).not.toContain(keeper.secret);
    const { access_token: token, refresh_token } = await tokensOf({}, keeper);
    expect(await callTool(token)).toBe(200);
    const wrong = { ...keeper, secret: 'wrong' };
    for (const each of [wrong, { clientId: keeper.clientId }]) {
      const { status, body } = await refresh(refresh_token, {}, each);
      expect([status, body?.['error']]).toEqual([401, 'invalid_client']);
    }
    const revoke = (authorization: string) =>
      stack.request('/oauth2/revoke', {
        ...{ method: 'POST', key: undefined },
        body: new URLSearchParams({ token: refresh_token, client_id: keeper.clientId }).toString(),
        headers: { ...formHeaders, ...(authorization && { Authorization: authorization }) },
      });
    const basic = (secret = '') => `Basic ${Buffer.from(`${keeper.clientId}:${secret}`).toString('base64')}`;
    for (const authorization of ['', basic('wrong'), 'Basic x'])
      expect((await revoke(authorization)).body).toMatchObject({ error: 'invalid_client' });
    expect((await revoke(basic(keeper.secret))).status).toBe(200);
    expect(await callTool(token)).toBe(401);
  });
});

describe('a page of another origin', () => {
  it('reads answers when the operator allows it, and no others', async () => {
    const gateway = await stack.startGateway({ CORS_ORIGINS: 'https://inspector.example', PUBLIC_URL: publicUrl });
    const from = (origin: string) => ({ gateway, headers: { Origin: origin, ...formHeaders } });
    for (const path of ['/oauth2/token', '/oauth2/register']) {
      const preflight = await stack.request(path, {
        ...{ gateway, method: 'OPTIONS', key: undefined },
        headers: { Origin: 'https://inspector.example', 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe('https://inspector.example');
    }
    for (const [origin, expected] of [
      ['https://inspector.example', 'https://inspector.example'],
      ['https://evil.example', null],
    ] as const) {
      const code = await codeOf(browser.at(gateway), client);
      const token = await exchangeCode(stack, client, code, {}, from(origin));
      const documents = await Promise.all(
        ['/.well-known/oauth-authorization-server', '/oauth2/jwks'].map((path) =>
          stack.request(path, { key: undefined, ...from(origin) }),
        ),
      );
      const created = await register(stack, {}, { gateway, headers: { Origin: origin } });
      for (const { status, headers } of [token, created, ...documents]) {
        expect([status, headers.get('access-control-allow-origin')]).toEqual([status, expected]);
        expect([status < 300, headers.get('access-control-allow-credentials')]).toEqual([true, null]);
      }
    }
  });
});

it('writes no token, code or secret into its log', async () => {
  const tokens = await tokensOf({ scope: 'openid profile tools:execute' });
  const logged = [...stack.gateway.logged, ...second.logged].join('\n');
  for (const secret of Object.values(tokens).filter((each) => typeof each === 'string' && each.length > 40))
    expect(logged).not.toContain(secret);
  expect(logged).not.toMatch(/oidc-provider|eyJ/);
});
