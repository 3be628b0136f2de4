/** Requests of pages of other origins, as browsers send them, over the wire. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestStack, contentRestPath, type RequestOptions, type TestStack } from '../testing/test-stack.js';
import type { TestGateway } from '../testing/test-gateway.js';

const page = 'https://pages.example:8443';
const settings = { CORS_ORIGINS: `${page}, https://Other.Example:443`, APP_KEY_HEADERS: 'AppKey,X-Company-Key' };

let stack: TestStack;
let closed: TestGateway;
beforeAll(async () => {
  stack = await openTestStack(settings);
  closed = await stack.startGateway({ CORS_ORIGINS: '' });
});
afterAll(() => stack?.stop());

const from = (origin: string, path: string, { headers, ...options }: RequestOptions = {}) =>
  stack.request(path, { ...options, headers: { Origin: origin, ...headers } });
const preflight = (path: string, { origin = page, method = 'GET', headers = 'appkey', gateway = stack.gateway } = {}) =>
  from(origin, path, {
    ...{ gateway, method: 'OPTIONS', key: undefined },
    headers: { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': headers },
  });
const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const listed = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ');

const mcp = '/studio-copilot/api/v1/mcp-servers/mcp/p2p-tools';

describe('a preflight of an allowed origin', () => {
  it('is answered with the allowed methods and headers, without a credential and without a body', async () => {
    const { status, headers, text } = await preflight(contentRestPath('/facets'));
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('vary')).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(listed(headers, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining([
        ...['authorization', 'appkey', 'x-company-key', 'content-type', 'accept', 'if-match', 'if-none-match'],
        ...['prefer', 'idempotency-key', 'api-version', 'odata-maxversion', 'last-event-id'],
      ]),
    );
  });

  it.each([
    ['/me', 'GET, HEAD'],
    ['/admin/teams/meridian/members/anna%40example.com', 'DELETE, GET, HEAD, PUT'],
    ['/admin/keys', 'GET, HEAD, POST'],
    [`${contentRestPath('/facets/a/views/b/elements')}/`, 'GET, HEAD, POST'],
    ['/demo/p2p/_api/release/1/transitions', 'GET, HEAD'],
    ['/intelligence/api/odata/p2p.km.svc/$batch', 'POST'],
    [`/intelligence/api/odata/p2p.km.svc/ORDER_entries('a.b')`, 'GET, HEAD'],
    [mcp, 'POST'],
    [`/.well-known/oauth-protected-resource${mcp}`, 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
  ])('names the methods of %s: %s', async (path, methods) => {
    const { status, headers } = await preflight(path, { method: methods.split(', ').at(-1) ?? '' });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, methods]);
  });

  it('allows the headers of MCP, also of later versions, and no other requested headers', async () => {
    const requested = 'Mcp-Session-Id, mcp-protocol-version,Mcp-Param-Plant, Cookie, X-Evil, mcp-\u00e9';
    const { headers } = await preflight(mcp, { method: 'POST', headers: encodeURI(requested).replaceAll('%20', ' ') });
    const allowed = listed(headers, 'access-control-allow-headers');
    expect(allowed).toEqual(
      expect.arrayContaining(['mcp-session-id', 'mcp-protocol-version', 'mcp-param-plant', 'authorization']),
    );
    expect(allowed.filter((name) => /cookie|evil|%/.test(name))).toEqual([]);
  });

  it.each(['/nowhere', '/admin', `${mcp}/x`, '/demo/p2p/_api/rest'])(
    'is not answered for %s, where nothing is served',
    async (path) => {
      expect((await preflight(path)).status).toBe(404);
    },
  );

  it('needs to name a method', async () => {
    const options = { method: 'OPTIONS', key: undefined };
    expect((await from(page, contentRestPath('/facets'), options)).status).toBe(405);
  });
});

describe('an answer to a page of an allowed origin', () => {
  const exposed = [
    ...['ETag', 'Link', 'X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    ...['Retry-After', 'WWW-Authenticate', 'Mcp-Session-Id', 'Mcp-Protocol-Version'],
  ];

  it.each<readonly [string, number, string, RequestOptions]>([
    ['what was asked for', 200, '/me', {}],
    ['a failure of a service', 404, contentRestPath('/facets/missing/views'), {}],
    ['a missing credential', 401, '/me', { key: undefined }],
    ['a missing scope', 403, '/admin/teams', {}],
    ['an unknown path', 404, '/nowhere', {}],
    ['a head that is refused', 400, '/me%00', {}],
    ['a path that is no UTF-8', 400, '/%ff', {}],
    ['health', 200, '/health/live', { key: undefined }],
    ['a document that is the same for everybody', 200, '/openapi.json', { key: undefined }],
    ['the metadata of an MCP server', 200, `/.well-known/oauth-protected-resource${mcp}`, { key: undefined }],
  ])('can be read: %s (%i)', async (what, status, path, options) => {
    const { headers, status: answered } = await from(page, path, options);
    if (what !== 'a failure of a service') expect(answered).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(listed(headers, 'access-control-expose-headers')).toEqual(expect.arrayContaining(exposed));
    expect(headers.get('vary')?.split(', ')).toContain('Origin');
  });

  it('has the origin as browsers write it, however it is spelt in the setting', async () => {
    const { headers } = await from('https://other.example', '/me');
    expect(headers.get('access-control-allow-origin')).toBe('https://other.example');
  });

  it('of an MCP server can be read as well, since the origin is allowed there too', async () => {
    const call = { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } };
    expect((await from(page, mcp, call)).status).not.toBe(403);
    expect((await from('https://evil.example', mcp, call)).status).toBe(403);
  });
});

describe('any other origin', () => {
  it.each([
    ...[
      'https://evil.example',
      'null',
      'http://pages.example:8443',
      'https://pages.example',
      'https://sub.other.example',
    ],
    ...[`${page}.evil.example`, `${page}, ${page}`, '*', 'HTTPS://PAGES.EXAMPLE:8443'],
  ])('gets no header of CORS: %s', async (origin) => {
    const answers = [
      await from(origin, '/me'),
      await from(origin, '/openapi.json'),
      await preflight('/me', { origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 405]);
    for (const { headers } of answers) {
      expect(corsHeaders(headers)).toEqual([]);
      // What a cache keeps for one origin is not for another.
      expect(headers.get('vary')?.split(', ')).toContain('Origin');
    }
  });

  it('is every origin when the setting is empty: no header of CORS, and a preflight gets 405', async () => {
    const unset = await from(page, '/me', { gateway: closed });
    expect([unset.status, corsHeaders(unset.headers)]).toEqual([200, []]);
    expect(unset.headers.get('vary')).not.toContain('Origin');
    expect((await preflight('/me', { gateway: closed })).status).toBe(405);
    expect((await preflight(mcp, { gateway: closed })).status).toBe(405);
  });

  it('is not assumed for programs, which send none and get no headers of CORS', async () => {
    const { status, headers } = await stack.request('/me');
    expect([status, corsHeaders(headers)]).toEqual([200, []]);
  });
});
