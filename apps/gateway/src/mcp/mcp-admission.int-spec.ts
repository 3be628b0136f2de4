/** Who reaches an MCP server, and what everybody else is told. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { sendRaw } from '../testing/raw-request.js';
import { issuer, audience, secret } from '../testing/token-issuer.js';
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
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: audience,
    JWT_SECRET: secret,
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
      sendRaw(
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

describe('another method', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed for any caller', async (method) => {
    for (const key of [stack.keys.meridian, undefined]) {
      const { status, headers, body } = await stack.request(path, { method, key });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ status: 405, code: 'GENERAL_METHOD_NOTALLOWED', instance: path });
    }
  });

  it('HEAD and methods with a body are not allowed either', async () => {
    const head = await stack.request(path, { method: 'HEAD', key: undefined });
    expect([head.status, head.headers.get('allow'), head.text]).toEqual([405, 'POST', '']);
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'Content-Type': type };
      expect((await stack.request(path, { method: 'DELETE', body: '{}', headers, key: undefined })).status).toBe(405);
    }
  });

  it('of a path without an endpoint is still not found', async () => {
    for (const other of [mcpPrefix, `${path}/`, `${path}/tool-api`, `${path}/tool-api/load-data`])
      expect((await stack.request(other)).body).toMatchObject({ code: 'GENERAL_NOTFOUND_PATH' });
  });
});

describe('a caller without a credential', () => {
  it('is given the address of the metadata that names the issuer', async () => {
    const { status, headers, body } = await stack.request(path, { ...post, key: undefined });
    expect([status, body?.['code']]).toEqual([401, 'ACCESS_UNAUTHORIZED']);
    const where = `${here()}/.well-known/oauth-protected-resource${path}`;
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="tessera", resource_metadata="${where}", AppKey realm="tessera"`,
    );
    const found = await fetch(where);
    expect(found.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await found.json()).toMatchObject({ resource: `${here()}${path}` });
  });

  it('is given that address whatever the name of the asset', async () => {
    const { headers } = await stack.request(`${mcpPrefix}/%22a%20b%22,c=%22%C3%A4%2Fd`, { ...post, key: undefined });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="tessera", resource_metadata="${here()}/.well-known/oauth-protected-resource${mcpPrefix}/%22a%20b%22%2Cc%3D%22%C3%A4%2Fd", AppKey realm="tessera"`,
    );
  });

  it('is given the plain authentication schemes everywhere else', async () => {
    const { headers } = await stack.request(`${path}/tool-api/load-data`, { ...post, key: undefined });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="tessera", AppKey realm="tessera"');
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
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools:execute', 'knowledge-models:read', 'content:read'],
      resource_name: 'Tessera agent tools',
    });
  });

  it('names the token issuer when tokens are accepted, and the public address', async () => {
    const { body } = await stack.request(`${wellKnown}${path}`, { gateway: behindProxy, key: undefined });
    expect(body).toMatchObject({ resource: `${publicUrl}${path}`, authorization_servers: [issuer] });
    const root = await stack.request(wellKnown, { gateway: behindProxy, key: undefined });
    expect(root.body).toMatchObject({ resource: publicUrl, authorization_servers: [issuer] });
  });
});
