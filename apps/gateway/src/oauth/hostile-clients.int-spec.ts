/** Clients and pages that err or mean ill: each is told so by a page or by an error of OAuth, and a team that is concerned reads of it. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccessChanges } from '@tessera/contracts/gateway';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import {
  askConsent,
  askToken,
  authorizationPath,
  codeOf,
  decide,
  exchangeCode,
  fieldsOf,
  formHeaders,
  locationOf,
  redirect,
  register,
  registered,
  TestBrowser,
  verifier,
  type OAuthClient,
} from '../testing/oauth-client.js';
import { openTestStack, type Answer, type RequestOptions, type TestStack } from '../testing/test-stack.js';
import { testIssuer, testAudience, sharedSecret } from '../testing/token-issuer.js';

const documentHost = 'clients.example';
const password = 'correct horse battery';
let stack: TestStack;
let publicUrl: string;
let client: OAuthClient;
let other: OAuthClient;
let browser: TestBrowser;
let documents: Server;
let database: pg.Client;
beforeAll(async () => {
  documents = createServer(serveDocument);
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
  const { port } = documents.address() as AddressInfo;
  stack = await openTestStack({
    OAUTH_DOCUMENT_HOSTS: JSON.stringify({ [documentHost]: { address: `http://127.0.0.1:${port}` } }),
    OAUTH_CLIENTS: JSON.stringify({ 'desk.app': { name: 'Desk App', redirects: [redirect] } }),
  });
  publicUrl = `http://localhost:${stack.gateway.port}`;
  database = new pg.Client({ connectionString: stack.database.adminUrl });
  await database.connect();
  for (const memberId of ['anna', 'berta']) {
    const path = `/admin/teams/meridian/members/${memberId}`;
    const properties = { displayName: 'Anna Weber', roles: ['analyst'] };
    await stack.request(path, { key: stack.keys.operator, method: 'PUT', body: properties });
    await stack.request(`${path}/password`, { key: stack.keys.operator, method: 'PUT', body: { password } });
  }
  client = await registered(stack);
  other = await registered(stack, { client_name: 'Other' });
  browser = new TestBrowser(stack);
  await browser.signIn('anna', password);
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  documents?.closeAllConnections();
  documents?.close();
});

/** Documents of clients by their paths. */
const serveDocument: Parameters<typeof createServer>[1] = ({ url = '' }, response) => {
  const document = {
    ...{ client_id: `https://${documentHost}${url}`, client_name: 'Document App', redirect_uris: [redirect] },
    ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
  };
  if (url === '/moved.json') response.writeHead(302, { location: 'https://other.example/' }).end();
  else if (url === '/large.json') response.end(JSON.stringify({ ...document, more: 'x'.repeat(70_000) }));
  else if (url === '/other.json') response.end(JSON.stringify({ ...document, client_id: 'https://x.example/' }));
  else if (url === '/secret.json')
    response.end(JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_basic' }));
  else response.end(JSON.stringify(document));
};

const mcp = `${mcpPrefix}/p2p-tools`;
const callTool = async (token: unknown, gateway = stack.gateway) =>
  (
    await stack.request(mcp, {
      ...{ method: 'POST', body: '{}', key: undefined, gateway },
      headers: { Authorization: `Bearer ${String(token)}` },
    })
  ).status;
const lastLine = async () => {
  const path = '/admin/teams/meridian/access-changes?pageSize=2';
  const { body } = await stack.request(path, { key: stack.keys.operator });
  const [line, before] = listAccessChanges.reply.parse(body).changes;
  return { ...line, before: before?.action };
};
const errorOf = ({ status, body, headers }: Answer) => {
  expect(headers.get('cache-control')).toContain('no-store');
  expect(typeof body?.['error_description']).toBe('string');
  return [status, body?.['error']];
};
const refresh = (refresh_token: unknown, of = client) =>
  askToken(stack, of, { grant_type: 'refresh_token', refresh_token: String(refresh_token) });

describe('an authorization code', () => {
  it('used twice ends what was issued for it', async () => {
    const code = await codeOf(browser, client);
    const first = await exchangeCode(stack, client, code);
    expect([first.status, await callTool(first.body?.['access_token'])]).toEqual([200, 200]);
    expect(errorOf(await exchangeCode(stack, client, code))).toEqual([400, 'invalid_grant']);
    expect(await lastLine()).toMatchObject({
      ...{ action: 'client.refused', target: 'anna', before: 'client.ended' },
      after: { client: client.clientId, reason: 'authorization code already consumed' },
    });
    expect(await callTool(first.body?.['access_token'])).toBe(401);
    expect(errorOf(await refresh(first.body?.['refresh_token']))).toEqual([400, 'invalid_grant']);
    expect(errorOf(await exchangeCode(stack, client, code))).toEqual([400, 'invalid_grant']);
  });

  it('used twice at the same moment gives no tokens that live', async () => {
    const second = await stack.startGateway({ PUBLIC_URL: publicUrl });
    const code = await codeOf(browser, client);
    const answers = await Promise.all(
      [stack.gateway, second, stack.gateway, second].map((gateway) =>
        exchangeCode(stack, client, code, {}, { gateway }),
      ),
    );
    expect(answers.every(({ status }) => [200, 400].includes(status))).toBe(true);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers.filter(({ status }) => status === 200))
      for (const gateway of [stack.gateway, second])
        await waitUntil(async () => (await callTool(body?.['access_token'], gateway)) === 401);
  });

  it('of another client is refused, and its team reads of it', async () => {
    const code = await codeOf(browser, client);
    expect(errorOf(await exchangeCode(stack, other, code))).toEqual([400, 'invalid_grant']);
    expect(await lastLine()).toMatchObject({ action: 'client.refused', after: { reason: 'client mismatch' } });
    expect((await exchangeCode(stack, client, code)).status).toBe(200);
  });

  it.each([
    ['another redirect address', { redirect_uri: `${redirect}/other` }],
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    [
      'the challenge in the place of the verifier',
      { code_verifier: createHash('sha256').update(verifier).digest('base64url') },
    ],
  ])('with %s is refused', async (_, more) => {
    const answer = await exchangeCode(stack, client, await codeOf(browser, client), more);
    expect(errorOf(answer)).toEqual([400, 'invalid_grant']);
    expect(await lastLine()).toMatchObject({ action: 'client.refused', target: 'anna' });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['nobody has', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ['is missing', { code: '' }, 'invalid_request'],
    ['is of another resource', { resource: 'https://else.example/' }, 'invalid_target'],
  ])('that %s is refused', async (_, more, error) => {
    const code = await codeOf(browser, client);
    expect(errorOf(await exchangeCode(stack, client, code, more))).toEqual([400, error]);
  });

  it('is of no use once it has expired', async () => {
    const code = await codeOf(browser, client);
    await database.query(`update gateway.oauth_token set payload = regexp_replace(payload, '"exp":\\d+', '"exp":1')`);
    expect(errorOf(await exchangeCode(stack, client, code))).toEqual([400, 'invalid_grant']);
  });
});

describe('a refresh token', () => {
  it('used twice ends its family', async () => {
    const first = (await exchangeCode(stack, client, await codeOf(browser, client))).body;
    const second = await refresh(first?.['refresh_token']);
    expect(second.status).toBe(200);
    expect(errorOf(await refresh(first?.['refresh_token']))).toEqual([400, 'invalid_grant']);
    expect(await lastLine()).toMatchObject({
      ...{ action: 'client.refused', target: 'anna', before: 'client.ended' },
      after: { reason: 'refresh token already used' },
    });
    for (const token of [first?.['access_token'], second.body?.['access_token']])
      expect(await callTool(token)).toBe(401);
    expect(errorOf(await refresh(second.body?.['refresh_token']))).toEqual([400, 'invalid_grant']);
  });

  it('used twice at the same moment leaves nothing that lives', async () => {
    const { body } = await exchangeCode(stack, client, await codeOf(browser, client));
    const answers = await Promise.all([1, 2, 3].map(() => refresh(body?.['refresh_token'])));
    expect(answers.every(({ status }) => [200, 400].includes(status))).toBe(true);
    expect(await callTool(body?.['access_token'])).toBe(401);
    for (const each of answers.filter(({ status }) => status === 200))
      expect((await refresh(each.body?.['refresh_token'])).status).toBe(400);
  });

  it('of another client is refused', async () => {
    const { body } = await exchangeCode(stack, client, await codeOf(browser, client));
    expect(errorOf(await refresh(body?.['refresh_token'], other))).toEqual([400, 'invalid_grant']);
    expect(await lastLine()).toMatchObject({ after: { reason: 'client mismatch' } });
    expect((await refresh(body?.['refresh_token'])).status).toBe(200);
  });
});

describe('a request for authorization', () => {
  const ask = (more: Readonly<Record<string, string>>, of = client) => browser.ask(authorizationPath(of, more));

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['plain PKCE', { code_challenge_method: 'plain', code_challenge: verifier }, 'invalid_request'],
    ['PKCE without its method', { code_challenge_method: '' }, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['another type of response', { response_type: 'token' }, 'unsupported_response_type'],
    ['a mode with a script', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['a resource elsewhere', { resource: 'https://else.example/mcp' }, 'invalid_target'],
    ['a resource that only begins like one', { resource: `http://localhost${mcp}/more` }, 'invalid_target'],
    ['too many scopes', { scope: 'x'.repeat(2_001) }, 'invalid_scope'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['nobody to ask', { prompt: 'none', scope: 'openid' }, 'login_required'],
  ])('with %s goes back with an error, by the hand of the person where nobody vouches', async (_, more, error) => {
    const answer = await ask(more, { clientId: 'desk.app' });
    // The answer to another type than code stands behind the number sign.
    const back = new URL(locationOf(answer).replace('#', '?'));
    expect([answer.status, back.origin + back.pathname]).toEqual([303, redirect]);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: 'a state', iss: publicUrl });
    const page = await ask(more);
    expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([400, null, null]);
    expect(page.text).toContain('This does not go on');
    expect(page.text).not.toMatch(/http-equiv|<script/);
    const shown = /<a href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    expect(shown).toBe(locationOf(answer));
    expect(page.text).toContain('127.0.0.1:33418');
  });

  it('of a client with a document goes back with an error where the operator vouches for its host', async () => {
    const answer = await ask({ request: 'eyJ' }, { clientId: `https://${documentHost}/app.json` });
    expect(answer.status).toBe(303);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['an unknown client', { client_id: 'unknown' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: `${redirect}/more` }],
    ['a query', { redirect_uri: `${redirect}?a=b` }],
    ['an address that is none', { redirect_uri: 'javascript:alert(1)' }],
    ['no redirect address', { redirect_uri: '' }],
    ['a name in front of the host', { redirect_uri: 'http://127.0.0.1:33418@evil.example/callback' }],
    ['too many parameters', Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`p${at}`, '1']))],
  ])('with %s ends on a page, and leads nowhere', async (_, more) => {
    const answer = await ask(more);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.text).toContain('This does not go on');
    expect(answer.text).not.toMatch(/<script|evil\.example/);
  });

  it('may have another port on this machine (RFC 8252)', async () => {
    const moved = redirect.replace('33418', '50000');
    expect((await decide(browser, await askConsent(browser, client, { redirect_uri: moved }))).port).toBe('50000');
    const web = await registered(stack, { redirect_uris: ['https://app.example/cb'] });
    const elsewhere = authorizationPath(web, { redirect_uri: 'https://app.example:8443/cb' });
    expect((await browser.ask(elsewhere)).status).toBe(400);
  });

  it('that names no scope is one for those of an MCP server', async () => {
    const { page } = await askConsent(browser, client, { scope: '' });
    for (const scope of ['tools:execute', 'knowledge-models:read', 'content:read']) expect(page.text).toContain(scope);
  });

  it('comes in bounds from one address', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: publicUrl });
    const ask = () => new TestBrowser(stack, gateway).ask(authorizationPath({ clientId: 'unknown' }));
    for (let turn = 0; turn < 120; turn++) expect((await ask()).status).toBe(400);
    const late = await ask();
    expect([late.status, late.text]).toEqual([429, expect.stringContaining('Too many requests')]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a consent', () => {
  const post = (path: string, fields: Readonly<Record<string, string>>, more: RequestOptions = {}) =>
    browser.ask(path, {
      ...{ method: 'POST', body: new URLSearchParams(fields).toString(), ...more },
      headers: { ...formHeaders, ...more.headers },
    });

  it.each<[string, RequestOptions]>([
    ['another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['another part of the site', { headers: { 'Sec-Fetch-Site': 'same-site' } }],
    ['another origin', { headers: { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' } }],
  ])('by a form of %s is refused, and the team reads of it', async (_, more) => {
    const { page, path } = await askConsent(browser, client);
    const refused = await post(path, { ...fieldsOf(page), decision: 'allow' }, more);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('The form is not the one')]);
    expect(await lastLine()).toMatchObject({ action: 'client.refused', target: 'anna' });
    expect((await decide(browser, { page, path })).searchParams.has('code')).toBe(true);
  });

  it('by the form of the page counts in browsers that tell only its origin', async () => {
    const { page, path } = await askConsent(browser, client);
    const headers = { 'Sec-Fetch-Site': '', Origin: publicUrl };
    expect((await post(path, { ...fieldsOf(page), decision: 'allow' }, { headers })).status).toBe(200);
  });

  it.each<[string, (fields: Record<string, string>) => Record<string, string>]>([
    ['without the token of the page', ({ form: _, ...fields }) => fields],
    ['with a made-up token', (fields) => ({ ...fields, form: 'x'.repeat(43) })],
  ])('%s is refused', async (_, change) => {
    const { page, path } = await askConsent(browser, client);
    expect((await post(path, { ...change(fieldsOf(page)), decision: 'allow' })).status).toBe(403);
  });

  it('with the page of another request, or of another person, is refused', async () => {
    const [one, two] = [await askConsent(browser, client), await askConsent(browser, client)];
    expect((await post(two.path, { ...fieldsOf(one.page), decision: 'allow' })).status).toBe(403);
    const fields = fieldsOf(two.page);
    await browser.signIn('berta', password);
    expect((await post(two.path, { ...fields, decision: 'allow' })).status).toBe(403);
    await browser.signIn('anna', password);
  });

  it('for another team than one of the person, or for nothing that is offered, is none', async () => {
    for (const more of [{ team: 'northgate' }, { team: '' }, { decision: 'other' }])
      expect((await decide(browser, await askConsent(browser, client), more)).searchParams.get('error')).toBe(
        'access_denied',
      );
  });

  it('belongs to the browser that asked', async () => {
    const { page, path } = await askConsent(browser, client);
    const thief = new TestBrowser(stack);
    await thief.signIn('berta', password);
    for (const answer of [
      await thief.ask(path),
      await thief.ask(path, { method: 'POST', body: 'a=b', headers: formHeaders }),
      await thief.ask(path.replace('consent', 'authorize')),
    ])
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('This does not go on')]);
    const forged = `tessera-consent=${path.split('/').at(-1)}; tessera-consent.sig=x`;
    expect((await thief.ask(path, { headers: { Cookie: forged } })).status).toBe(400);
    expect((await decide(browser, { page, path })).searchParams.has('code')).toBe(true);
    expect((await browser.ask(path)).status).toBe(400);
  });

  it('is not given by a look at its page, nor before the person is asked', async () => {
    const { path } = await askConsent(browser, client);
    expect((await browser.ask(path, { method: 'HEAD' })).status).toBe(200);
    const early = await browser.ask(path.replace('consent', 'authorize'));
    expect(locationOf(early)).not.toContain('code=');
  });
});

describe('a client that registers itself', () => {
  it('is told what was taken, and nothing with which it could be changed', async () => {
    const { status, headers, body } = await register(stack, { logo_uri: 'https://a.example/', scope: 'tools:execute' });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toMatchObject({
      client_id: expect.any(String),
      client_name: 'Spec Client',
      application_type: 'native',
    });
    for (const member of ['client_secret', 'registration_access_token', 'logo_uri', 'scope'])
      expect(body).not.toHaveProperty(member);
  });

  it.each<[string, object, string]>([
    ['an address by http', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a method that is not there', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  ])('with %s is refused', async (_, more, error) => {
    expect(errorOf(await register(stack, { ...more }))).toEqual([400, error]);
  });

  it('by something that is no JSON object is refused', async () => {
    const answers = [
      await register(stack, {}, { body: '{', headers: { 'Content-Type': 'application/json' } }),
      await register(stack, {}, { body: '[]', headers: { 'Content-Type': 'application/json' } }),
      await register(stack, {}, { body: 'a=b', headers: formHeaders }),
      await register(stack, { client_name: 'x'.repeat(17_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413]);
  });

  it('with an address that was taken once and is refused now is unknown', async () => {
    const fresh = await registered(stack);
    await database.query(
      `update gateway.oauth_client set metadata = jsonb_set(metadata::jsonb, '{redirect_uris,1}', '"editor:/cb"')::json
       where client_id = $1`,
      [fresh.clientId],
    );
    const answer = await browser.ask(authorizationPath(fresh, { redirect_uri: 'editor:/cb' }));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('client is invalid')]);
  });

  it('comes in bounds from one address', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: publicUrl });
    for (let turn = 0; turn < 20; turn++) expect((await register(stack, {}, { gateway })).status).toBe(201);
    const late = await register(stack, {}, { gateway });
    expect(errorOf(late)).toEqual([429, 'temporarily_unavailable']);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('and was never used is gone after a day, and lives on with each use', async () => {
    const fresh = await registered(stack);
    const lifeOf = async () => {
      const { rows } = await database.query<{ days: number }>(
        `select extract(epoch from expires_at - now())::int / 86400.0 as days from gateway.oauth_client where client_id = $1`,
        [fresh.clientId],
      );
      return Math.round(Number(rows[0]?.days));
    };
    expect(await lifeOf()).toBe(1);
    expect((await exchangeCode(stack, fresh, await codeOf(browser, fresh))).status).toBe(200);
    expect(await lifeOf()).toBe(90);
    await database.query(`update gateway.oauth_client set expires_at = now() where client_id = $1`, [fresh.clientId]);
    expect((await browser.ask(authorizationPath(fresh))).status).toBe(400);
  });
});

describe('a client that is known by a document', () => {
  const clientOf = (path: string): OAuthClient => ({ clientId: `https://${documentHost}${path}` });

  it('is named with the host of the document, and gets its tokens', async () => {
    const published = clientOf('/app.json');
    const question = await askConsent(browser, published);
    expect(question.page.text).toContain('Document App');
    expect(question.page.text).toContain(`described at <strong>${documentHost}</strong>`);
    const code = (await decide(browser, question)).searchParams.get('code') ?? '';
    const issued = await exchangeCode(stack, published, code);
    expect([issued.status, await callTool(issued.body?.['access_token'])]).toEqual([200, 200]);
    expect((await refresh(issued.body?.['refresh_token'], published)).status).toBe(200);
  });

  it.each([
    [`https://${documentHost}/moved.json`, 'its address leads elsewhere, and no redirect is followed'],
    [`https://${documentHost}/large.json`, 'it is larger than 64 KB'],
    ['https://127.0.0.1/app.json', 'its host is none of the public Internet'],
    ['https://10.1.2.3/app.json', 'its host is none of the public Internet'],
    ['https://localhost/app.json', 'its host is none of the public Internet'],
  ])('at %s is refused by a page that says why', async (clientId, why) => {
    const answer = await browser.ask(authorizationPath({ clientId }));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain(`The document about the application cannot be taken: ${why}`);
    const token = await exchangeCode(stack, { clientId }, 'x');
    expect(errorOf(token)).toEqual([400, 'invalid_client']);
  });

  it.each(['/other.json', '/secret.json'])('at %s is refused: the document is not one for it', async (path) => {
    expect((await browser.ask(authorizationPath(clientOf(path)))).status).toBe(400);
  });
});

describe('a client of the operator', () => {
  it('needs no registration', async () => {
    const listed = { clientId: 'desk.app' };
    const question = await askConsent(browser, listed);
    expect(question.page.text).toContain('Desk App');
    expect(question.page.text).toContain('known to the operators');
    const code = (await decide(browser, question)).searchParams.get('code') ?? '';
    expect((await exchangeCode(stack, listed, code)).body).toHaveProperty('refresh_token');
  });

  it('is the only kind where nothing else is allowed', async () => {
    const settings = { OAUTH_REGISTRATION: 'false', OAUTH_DOCUMENTS: 'false', PUBLIC_URL: publicUrl };
    const closed = await stack.startGateway(settings);
    expect((await register(stack, {}, { gateway: closed })).status).toBe(404);
    const at = browser.at(closed);
    expect((await at.ask(authorizationPath({ clientId: `https://${documentHost}/app.json` }))).status).toBe(400);
    expect((await at.ask(authorizationPath({ clientId: 'desk.app' }))).status).toBe(303);
    const { body } = await stack.request('/.well-known/oauth-authorization-server', {
      gateway: closed,
      key: undefined,
    });
    expect(body).toMatchObject({ client_id_metadata_document_supported: false });
    expect(body).not.toHaveProperty('registration_endpoint');
  });
});

describe('where the flow cannot be', () => {
  it('is 404 beside an issuer of the operator', async () => {
    const issuer = {
      ...{ JWT_ISSUER: testIssuer, JWT_AUDIENCE: testAudience, JWT_SECRET: sharedSecret },
      ...{ OAUTH_CLIENTS: '', OAUTH_DOCUMENT_HOSTS: '' },
    };
    const gateway = await stack.startGateway(issuer);
    const visitor = new TestBrowser(stack, gateway);
    for (const path of [authorizationPath(client), '/.well-known/openid-configuration', '/oauth2/userinfo'])
      expect((await visitor.ask(path)).status).toBe(404);
    expect((await register(stack, {}, { gateway })).status).toBe(404);
  });

  it('is 503 while PostgreSQL is away, as a page or as an error of OAuth', async () => {
    const gateway = await stack.startGateway({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:9/none' });
    const page = await new TestBrowser(stack, gateway).ask(authorizationPath(client));
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(errorOf(await exchangeCode(stack, client, 'x', {}, { gateway }))).toEqual([503, 'temporarily_unavailable']);
    expect(errorOf(await register(stack, {}, { gateway }))).toEqual([503, 'temporarily_unavailable']);
  });
});
