/** What HEAD and gzip make of answers: the same, without a body or in fewer bytes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { get, request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { waitUntil } from '@tessera/testing';
import { echoHandlerCounts, pieceBytes } from '../testing/echo-service.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  Object.assign(echoHandlerCounts, { left: 0, produced: 0 });
});

const facets = contentRestPath('/facets');
const report = (facet: string): string => contentRestPath(`/facets/${facet}/reporting`);
const elements = contentRestPath('/facets/f/views/v/elements');
const entries = (characters: number): string =>
  `/intelligence/api/odata/m.svc/R_entries?$filter=${'x'.repeat(characters)}`;

type Received = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

/** As bytes: nothing is asked for and nothing is undone that the test does not say. */
const receive = (path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    const options = { method, headers: { AppKey: stack.keys.meridian, 'x-request-id': 'r', ...headers }, agent: false };
    const sent = request(`${stack.gateway.url}${path}`, options, (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      message.on('end', () =>
        resolve({ status: message.statusCode, headers: message.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject).end();
  });
const withGzip = { 'accept-encoding': 'gzip, deflate, br' };

/** Those that differ between any two requests, and those of the connection. */
const lasting = ({ headers }: Received) => {
  const { date: _date, 'x-ratelimit-remaining': _left, 'transfer-encoding': _way, ...rest } = headers;
  return rest;
};

describe('HEAD', () => {
  it.each([
    ['an answer', facets, 200],
    ['an answer with an ETag', elements, 200],
    ['an answer in pieces', report('3'), 200],
    ['a fault', `${elements}?$page=0`, 400],
    ['an unknown path', '/nowhere', 404],
    ['an unknown path of OData', '/intelligence/api/odata/m.svc/R', 404],
    ['a service root', '/intelligence/api/odata/m.svc/', 200],
    ['health', '/health/live', 200],
    ['the front page', '/', 200],
    ['the OpenAPI document', '/openapi.json', 200],
    ['the reference', '/docs', 200],
  ])('answers with the headers of GET and no body: %s', async (_, path, status) => {
    const [whole, head] = [await receive(path), await receive(path, 'HEAD')];
    expect(whole.body.length).toBeGreaterThan(0);
    expect(head).toMatchObject({ status, body: Buffer.alloc(0) });
    expect(lasting(head)).toEqual(lasting(whole));
  });

  it('answers 401, 403 and 304 where GET does', async () => {
    expect((await stack.request(facets, { method: 'HEAD', key: undefined })).status).toBe(401);
    expect((await stack.request(facets, { method: 'HEAD', key: stack.keys.reader })).status).toBe(403);
    const unchanged = await receive(elements, 'HEAD', { 'if-none-match': '"1"' });
    expect(unchanged).toMatchObject({ status: 304, headers: { etag: '"1"' } });
  });

  it('counts against the rate limit as GET does', async () => {
    const left = async (method: string) => Number((await receive(facets, method)).headers['x-ratelimit-remaining']);
    const before = await left('GET');
    expect(await left('HEAD')).toBe(before - 1);
    expect(await left('GET')).toBe(before - 2);
  });

  it('does not read a long answer to its end', async () => {
    expect((await receive(report('100000'), 'HEAD')).status).toBe(200);
    await waitUntil(() => echoHandlerCounts.left === 1);
    expect(echoHandlerCounts.produced).toBeLessThan(1_000);
  });

  it('is not allowed where GET is not', async () => {
    const { status } = await stack.request('/admin/keys/k/revoke', { method: 'HEAD', key: stack.keys.operator });
    expect(status).toBe(405);
  });
});

describe('gzip', () => {
  it('is sent to clients that accept it, with identical content', async () => {
    const [plain, coded] = [await receive(entries(4000)), await receive(entries(4000), 'GET', withGzip)];
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(coded.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(coded.body.length),
      'content-type': plain.headers['content-type'],
    });
    expect(coded.body.length).toBeLessThan(plain.body.length / 3);
    const requestOf = (bytes: Buffer) => JSON.parse(bytes.toString()).request;
    expect(requestOf(gunzipSync(coded.body))).toEqual(requestOf(plain.body));
    for (const { headers } of [plain, coded])
      expect(headers.vary).toBe('Authorization, AppKey, Cookie, Accept-Encoding');
  });

  it('is also used for streamed answers', async () => {
    const coded = await receive(report('320'), 'GET', withGzip);
    expect(coded.headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
    expect(coded.body.length).toBeLessThan(pieceBytes * 32);
    expect(gunzipSync(coded.body).equals(Buffer.alloc(320 * pieceBytes, 'x'))).toBe(true);
  });

  it.each([
    ['a small answer', facets],
    ['an answer with an ETag', `${elements}?$filter=${'x'.repeat(4000)}`],
    ['a fault', `${elements}?$page=${'0'.repeat(4000)}`],
  ])('is not used for %s', async (_, path) => {
    const { headers } = await receive(path, 'GET', withGzip);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers.vary).toBe('Authorization, AppKey, Cookie');
  });

  it('is not sent to clients that do not accept it', async () => {
    for (const refused of ['gzip;q=0', 'identity', 'br', 'identity;q=1, gzip;q=0.5']) {
      const { headers } = await receive(entries(4000), 'GET', { 'accept-encoding': refused });
      expect([refused, headers['content-encoding']]).toEqual([refused, undefined]);
    }
  });

  it.each([
    ['a whole answer', entries(4000)],
    ['an answer in pieces', report('3')],
  ])('has the same headers for HEAD as for GET, except the length: %s', async (_, path) => {
    const { 'content-length': _length, ...whole } = lasting(await receive(path, 'GET', withGzip));
    expect(lasting(await receive(path, 'HEAD', withGzip))).toEqual(whole);
    expect(whole).toMatchObject({ 'content-encoding': 'gzip' });
  });

  it('stops when its client leaves', async () => {
    const headers = { AppKey: stack.keys.meridian, ...withGzip };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${stack.gateway.url}${report('1000000')}`, { headers, agent: false }, resolve).on('error', reject);
    });
    await waitUntil(() => echoHandlerCounts.produced > 0);
    message.destroy();
    await waitUntil(() => echoHandlerCounts.left === 1);
  });

  it('does not complete an answer that broke off', async () => {
    await expect(receive(report('broken-40'), 'GET', withGzip)).rejects.toThrow();
  });
});
