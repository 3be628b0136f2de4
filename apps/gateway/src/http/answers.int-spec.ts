import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRawRequest } from '../testing/raw-request.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const facets = contentRestPath('/facets');
const elements = contentRestPath('/facets/f/views/v/elements');

describe('a valid request', () => {
  it('reaches its service with coerced members and returns the answer unchanged', async () => {
    const { status, headers, body } = await stack.request(
      `${elements}?$page=2&$pageSize=5&$select=a,b&$select=c&$filter=name+-eq+'x%20y'`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({
      operation: 'listElements',
      request: {
        collectionId: 'demo',
        storageId: 'p2p',
        facetId: 'f',
        viewId: 'v',
        $page: 2,
        $pageSize: 5,
        $select: ['a', 'b', 'c'],
        $filter: "name -eq 'x y'",
        apiVersion: '4.0',
      },
    });
  });

  it('passes the headers of the reply on and marks data as private', async () => {
    const { headers } = await stack.request(elements);
    expect(headers.get('etag')).toBe('"1"');
    expect(headers.get('x-total-count')).toBe('7');
    expect(headers.get('x-page-selection-key')).toBe('k');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, AppKey, Cookie');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets a client cache only what has an ETag', async () => {
    expect((await stack.request(facets)).headers.get('cache-control')).toBe('private, no-store');
    const { status, headers, body } = await stack.request(elements, { headers: { 'If-None-Match': '"1"' } });
    expect(status).toBe(304);
    expect(body).toBeUndefined();
    expect(headers.get('etag')).toBe('"1"');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, AppKey, Cookie');
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('x-ratelimit-limit')).toBeTruthy();
    expect(headers.get('content-type')).toBeNull();
    expect((await stack.request(elements, { headers: { 'If-None-Match': '"2"' } })).status).toBe(200);
  });

  it('carries caller, ids, deadline and the address of the gateway', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { headers, body } = await stack.request(facets, { headers: { 'X-Request-Id': 'mine-1', traceparent } });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect(body?.['frame']).toMatchObject({
      caller: { team: 'meridian' },
      requestId: 'mine-1',
      traceparent,
      publicUrl: `http://localhost:${stack.gateway.port}`,
    });
  });

  it('reads api-version from the header or the query', async () => {
    const version = (answer: { body: unknown }) => answer.body;
    expect(version(await stack.request(facets))).toMatchObject({ request: { apiVersion: '1.0' } });
    expect(version(await stack.request(`${facets}?api-version=4.0`))).toMatchObject({ request: { apiVersion: '4.0' } });
    const header = { headers: { 'api-version': '4.0' } };
    expect(version(await stack.request(facets, header))).toMatchObject({ request: { apiVersion: '4.0' } });
    expect((await stack.request(`${facets}?api-version=1.0`, header)).status).toBe(400);
  });

  it('accepts an instant with a time zone whose plus sign was not escaped', async () => {
    const { body } = await stack.request(`${elements}?asOf=2026-05-07T08:30:00.250+02:00`);
    expect(body).toMatchObject({ request: { asOf: '2026-05-07T08:30:00.250+02:00' } });
  });

  it('ignores parameters of pages that link here', async () => {
    expect((await stack.request(`${facets}?utm_source=mail&_=1`)).status).toBe(200);
  });
});

describe('an invalid request', () => {
  it.each([
    [`${elements}?$resources=attributes,childrn`, '$resources.1', 'did you mean "children"'],
    [`${elements}?$fliter=x`, '$fliter', 'did you mean "$filter"'],
    [`${elements}?$page=0`, '$page', 'at least 1'],
    [`${elements}?$page=two`, '$page', 'a number'],
    [`${elements}?$pageSize=5000`, '$pageSize', 'at most 1000'],
    [`${elements}?$page=1&$page=2`, '$page', 'a number'],
    [`${facets}?api-version=9.0`, 'api-version', 'one of 1.0, 4.0'],
    [contentRestPath('/facets/f/reporting?api-version=1.0'), 'api-version', 'expected 4.0'],
    [`${elements}?$filter=${'x'.repeat(4001)}`, '$filter', 'at most 4000 characters'],
    [`${elements}?asOf=yesterday`, 'asOf', 'a date-time such as 2026-05-07T08:30:00Z'],
    [`${elements}?asOf=2026-02-30T00:00:00`, 'asOf', 'a date-time such as'],
    [`${elements}?asof=2026-02-28T00:00:00`, 'asof', 'did you mean "asOf"'],
  ])('is refused with what was expected: %s', async (path, member, expected) => {
    const { status, headers, body } = await stack.request(path);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({ output: 'Dialog', type: 'Error', data: { error: 'GENERAL_PARAMETER_ILLEGAL' } });
    expect(body?.['message']).toContain(member);
    expect(body?.['message']).toContain(expected);
  });

  it('is refused with all its faults at once', async () => {
    const { body } = await stack.request(`${elements}?$page=x&$pageSize=0&$resources=nothing`);
    expect(body?.['message']).toMatch(/3 faults.*\$page.*\$pageSize|3 faults.*\$resources/);
  });

  it('cannot set a member from another part of the request', async () => {
    const { body } = await stack.request(`${facets}?__proto__=1`);
    expect(body).toMatchObject({ request: { collectionId: 'demo' } });
    const refused = await stack.request(`${facets}?collectionId=other&constructor=2`);
    expect([refused.status, refused.body?.['faults']]).toMatchObject([
      400,
      [
        { in: 'query', path: 'collectionId' },
        { in: 'query', path: 'constructor' },
      ],
    ]);
  });
});

describe('a missing resource', () => {
  it('has the same body in the content repository whatever is missing, except for the path', async () => {
    const paths = ['/demo/p2p', '/demo/none', '/none/p2p'].map((storage) => `${storage}/_api/rest/facets/f/views`);
    for (const path of paths) {
      const { status, body, headers } = await stack.request(path, { key: stack.keys.northgate });
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        message: `There is nothing at ${path}`,
        output: 'Dialog',
        type: 'Error',
        data: { error: 'CONTENT_NOTFOUND' },
        ...{ errorCode: 'CONTENT_NOTFOUND', faults: [] },
      });
    }
  });

  it.each(['/nowhere', '/demo/p2p/_api/rest', contentRestPath('/facets//'), contentRestPath('/no/such/path')])(
    'is answered with a Problem for the unknown path %s',
    async (path) => {
      const { status, headers, body } = await stack.request(path);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(body).toMatchObject({ status: 404, code: 'GENERAL_NOTFOUND_PATH', instance: path });
    },
  );

  it.each(['POST', 'DELETE', 'PATCH', 'OPTIONS'])(
    'is answered with 405 for the method %s of a known path, and with the methods that it takes',
    async (method) => {
      const { status, headers, body } = await stack.request(facets, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(body).toMatchObject({
        message: `${facets} takes GET, HEAD, not ${method}.`,
        data: { error: 'GENERAL_METHOD_NOTALLOWED' },
      });
    },
  );

  it('is answered with 405 for a head of a path that is only written, and for public paths', async () => {
    const head = await stack.request('/admin/teams/meridian/storages/a/b/deleted/purge', { method: 'HEAD' });
    expect([head.status, head.headers.get('allow'), head.text]).toEqual([405, 'POST', '']);
    const document = await stack.request('/openapi.json', { method: 'PUT', key: undefined });
    expect([document.status, document.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a bug', () => {
  it('of a service is answered as an internal error without its details', async () => {
    const { status, text, body } = await stack.request(contentRestPath('/facets/bug/views'));
    expect(status).toBe(500);
    expect(body).toMatchObject({ type: 'Critical', data: { error: 'ADMIN_FATAL_ERROR' } });
    expect(text).not.toMatch(/select|secrets|internal:|\bat /);
  });
});

describe('the head of a request', () => {
  const key = () => `AppKey: ${stack.keys.meridian}\r\n`;
  const raw = (lines: string) => sendRawRequest(stack.gateway.port, `${lines}Connection: close\r\n\r\n`);

  it('is refused with two hosts, two credentials or two content types', async () => {
    expect(await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${key()}`)).toMatch(/^HTTP\/1.1 400 /);
    const twice = `Authorization: Bearer x\r\nAuthorization: Bearer y\r\n`;
    expect(await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\n${twice}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\n${key()}${key()}`)).toMatch(/^HTTP\/1.1 400 /);
    const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\n';
    expect(await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\n${key()}${types}`)).toMatch(/^HTTP\/1.1 400 /);
    const both = `${key()}Authorization: Bearer x\r\n`;
    const answer = await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\n${both}`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('several credentials');
  });

  it('is refused in absolute form for another host and served for ours', async () => {
    const own = `http://localhost:${stack.gateway.port}`;
    expect(await raw(`GET http://evil.example${facets} HTTP/1.1\r\nHost: a\r\n${key()}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(`GET ${own}${facets} HTTP/1.1\r\nHost: a\r\n${key()}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('does not determine the addresses in answers', async () => {
    const answer = await raw(
      `GET ${facets} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n${key()}`,
    );
    expect(answer).toContain('HTTP/1.1 200 ');
    expect(answer).not.toContain('evil');
  });

  it('does not treat underscores as hyphens and ignores identity headers', async () => {
    const forged = 'app_key: x\r\nTessera-Caller: {"team":"meridian"}\r\nX-Team: meridian\r\n';
    expect(await raw(`GET ${facets} HTTP/1.1\r\nHost: a\r\n${forged}`)).toMatch(/^HTTP\/1.1 401 /);
  });

  it('is refused when it is not HTTP', async () => {
    expect(await sendRawRequest(stack.gateway.port, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*problem\+json/);
    const smuggled = `POST /admin/keys HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await sendRawRequest(stack.gateway.port, smuggled)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('is refused when its target is not a path', async () => {
    const bad = await stack.request(`${facets}%zz`);
    expect(bad.status).toBe(400);
    expect(bad.body).toMatchObject({ code: 'GENERAL_PARAMETER_ILLEGAL' });
    expect((await stack.request(contentRestPath('/facets/a%00b/views'))).status).toBe(400);
    expect((await stack.request(`${facets}?x=%00`)).status).toBe(400);
  });

  it('may carry a URL of 16 KiB and not one more', async () => {
    const start = `${facets}?_=`;
    const longest = 16 * 1024 - start.length;
    expect((await stack.request(start + 'y'.repeat(longest))).status).toBe(200);
    const { status, body } = await stack.request(start + 'y'.repeat(longest + 1));
    expect(status).toBe(400);
    expect(body?.['message']).toContain('16384 characters');
    expect((await stack.request(contentRestPath(`/facets/${'y'.repeat(129)}/views`))).status).toBe(400);
  });

  it('gets a new request id when none is valid', async () => {
    for (const id of ['has space', 'x'.repeat(129), 'a;b']) {
      const { headers } = await stack.request(facets, { headers: { 'X-Request-Id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
