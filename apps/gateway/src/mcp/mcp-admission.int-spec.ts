/** Who reaches an MCP server, and what everybody else is told. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { sendRawRequest } from '../testing/raw-request.js';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  sharedSecret,
  signWithSharedSecret,
} from '../testing/token-issuer.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';
import type { TestGateway } from '../testing/test-gateway.js';

let stack: TestStack;
let behindProxy: TestGateway;
const publicUrl = 'https://tessera.example';
beforeAll(async () => {
  stack = await openTestStack();
  behindProxy = await stack.startGateway({
    PUBLIC_URL: publicUrl,
    MCP_ALLOWED_ORIGINS: 'https://pages.example, other.example',
    JWT_ISSUER: testIssuer,
    JWT_AUDIENCE: testAudience,
    JWT_SECRET: sharedSecret,
  });
});
afterAll(() => stack?.stop());

const path = `${mcpPrefix}/p2p-tools`;
const post = { method: 'POST', body: '{}' };
const here = () => `http://localhost:${stack.gateway.port}`;

describe('a page of another origin', () => {
  it('is refused before its credential is checked', async () => {
    for (const origin of ['http://evil.example', 'null'])
      for (const key of [stack.keys.meridian, undefined]) {
        const { status, headers, body } = await stack.request(path, { ...post, key, headers: { Origin: origin } });
        expect([status, body?.['code']]).toEqual([403, 'MCP_ORIGIN_REFUSED']);
        expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
        expect(headers.get('www-authenticate')).toBeNull();
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
  });

  it('is accepted from this machine, the public host and hosts that the operator allows', async () => {
    const answers = [
      await stack.request(path, { ...post, headers: { Origin: 'http://localhost:3000' } }),
      await stack.request(path, { ...post, gateway: behindProxy, headers: { Origin: publicUrl } }),
      await stack.request(path, { ...post, gateway: behindProxy, headers: { Origin: 'https://pages.example' } }),
      await stack.request(path, { ...post, gateway: behindProxy, headers: { Origin: 'http://other.example:9' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const local = { ...post, gateway: behindProxy, headers: { Origin: 'http://localhost' } };
    expect((await stack.request(path, local)).status).toBe(403);
  });

  it('that resolves its name to this machine is refused by its Host header', async () => {
    const ask = (host: string, { port }: TestGateway) =>
      sendRawRequest(
        port,
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAppKey: ${stack.keys.meridian}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask('evil.example', stack.gateway)).toMatch(/^HTTP\/1.1 403 [^]*MCP_ORIGIN_REFUSED/);
    for (const host of ['localhost', '127.0.0.1:1', '[::1]:80'])
      expect(await ask(host, stack.gateway)).toMatch(/^HTTP\/1.1 200 /);
    expect(await ask('inner-host', behindProxy)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('may call every other path, where it needs a credential', async () => {
    const options = { method: 'POST', body: {}, headers: { Origin: 'http://evil.example' } };
    expect((await stack.request(`${path}/tool-api/load-data`, options)).status).toBe(200);
  });
});

describe('a request to an MCP server with a method other than POST', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('gets 405 for every caller: %s', async (method) => {
    for (const key of [stack.keys.meridian, undefined]) {
      const { status, headers, body } = await stack.request(path, { method, key });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ status: 405, code: 'GENERAL_METHOD_NOTALLOWED', instance: path });
    }
  });

  it('gets 405 also for HEAD and for methods with a body', async () => {
    const head = await stack.request(path, { method: 'HEAD', key: undefined });
    expect([head.status, head.headers.get('allow'), head.text]).toEqual([405, 'POST', '']);
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'Content-Type': type };
      expect((await stack.request(path, { method: 'DELETE', body: '{}', headers, key: undefined })).status).toBe(405);
    }
  });

  it('gets what the path without a slash at its end gets', async () => {
    expect(await stack.request(`${path}/`, { method: 'GET' })).toMatchObject({ status: 405 });
    expect((await stack.request(`${path}/`, post)).body).toMatchObject({ operation: 'exchangeMcp' });
    expect((await stack.request(`${mcpPrefix}/`)).body).toMatchObject({ operation: 'tools.assets.list' });
    expect((await stack.request(`${path}/tool-api/`)).body).toMatchObject({ operation: 'tools.list' });
    const metadata = await stack.request(`/.well-known/oauth-protected-resource${path}/`, { key: undefined });
    expect(metadata.body).toMatchObject({ resource: `${here()}${path}` });
  });
});

/** What a client asks its issuer for. */
const scope = 'scope="tools:execute knowledge-models:read content:read"';

describe('a caller without a credential', () => {
  it('is given the address of the metadata that names the issuer', async () => {
    const { status, headers, body } = await stack.request(path, { ...post, key: undefined });
    expect([status, body?.['code']]).toEqual([401, 'ACCESS_UNAUTHORIZED']);
    const where = `${here()}/.well-known/oauth-protected-resource${path}`;
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="tessera", resource_metadata="${where}", ${scope}, AppKey realm="tessera"`,
    );
    const found = await fetch(where);
    expect(found.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await found.json()).toMatchObject({ resource: `${here()}${path}` });
  });

  it('is given the address of the metadata whatever the name of the asset', async () => {
    const { headers } = await stack.request(`${mcpPrefix}/%22a%20b%22,c=%22%C3%A4%2Fd`, { ...post, key: undefined });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="tessera", resource_metadata="${here()}/.well-known/oauth-protected-resource${mcpPrefix}/%22a%20b%22%2Cc%3D%22%C3%A4%2Fd", ${scope}, AppKey realm="tessera"`,
    );
  });

  it('is given the plain authentication schemes everywhere else', async () => {
    const { headers } = await stack.request(`${path}/tool-api/load-data`, { ...post, key: undefined });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="tessera", AppKey realm="tessera"');
  });
});

describe('a token whose audience is the address of an MCP server', () => {
  const bearer = (aud: string) => ({
    gateway: behindProxy,
    key: undefined,
    headers: {
      Authorization: `Bearer ${signWithSharedSecret({ ...createValidClaims(), scope: 'tools:execute content:read', aud })}`,
    },
  });

  it('is accepted by that server', async () => {
    expect((await stack.request(path, { ...post, ...bearer(`${publicUrl}${path}`) })).status).toBe(200);
  });

  it.each([
    ['at another server', `${publicUrl}${mcpPrefix}/other-tools`, path],
    ['at this server of another installation', `https://else.example${path}`, path],
    ['at other interfaces', `${publicUrl}${path}`, '/acme/processes/_api/rest/facets'],
    ['at the tools of the same asset over HTTP', `${publicUrl}${path}`, `${path}/tool-api/load-data`],
  ])('is refused %s', async (_, aud, other) => {
    const { status, text } = await stack.request(other, { ...(other.endsWith('facets') ? {} : post), ...bearer(aud) });
    expect([status, text]).toEqual([401, expect.stringContaining('The credential is not valid.')]);
  });

  it('is refused elsewhere even while it is cached after that server has accepted it', async () => {
    const known = bearer(`${publicUrl}${path}`);
    const answers = [path, `${mcpPrefix}/other-tools`, path].map(
      async (each) => (await stack.request(each, { ...post, ...known })).status,
    );
    expect(await Promise.all(answers)).toEqual([200, 401, 200]);
  });
});

describe('a caller without the scope', () => {
  it('is told which scope is missing', async () => {
    const { status, headers, body } = await stack.request(path, { ...post, key: stack.keys.reader });
    expect([status, body?.['code']]).toEqual([403, 'ADMIN_ACCESS_ERROR']);
    const where = `${here()}/.well-known/oauth-protected-resource${path}`;
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="tessera", error="insufficient_scope", scope="tools:execute", resource_metadata="${where}"`,
    );
  });
});

describe('the document about an endpoint', () => {
  const wellKnown = '/.well-known/oauth-protected-resource';

  it('is public and identical for every asset', async () => {
    const { status, body } = await stack.request(`${wellKnown}${mcpPrefix}/nobody-has-it`, { key: undefined });
    expect(status).toBe(200);
    expect(body).toEqual({
      resource: `${here()}${mcpPrefix}/nobody-has-it`,
      authorization_servers: [here()],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools:execute', 'knowledge-models:read', 'content:read'],
      resource_name: 'Tessera agent tools',
    });
  });

  it('names the token issuer when tokens are accepted, and the public address', async () => {
    const { body } = await stack.request(`${wellKnown}${path}`, { gateway: behindProxy, key: undefined });
    expect(body).toMatchObject({ resource: `${publicUrl}${path}`, authorization_servers: [testIssuer] });
    const root = await stack.request(wellKnown, { gateway: behindProxy, key: undefined });
    expect(root.body).toMatchObject({ resource: publicUrl, authorization_servers: [testIssuer] });
  });
});
