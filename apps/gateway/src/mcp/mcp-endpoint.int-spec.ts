/** The endpoint of MCP servers as a carrier: texts in, whatever their type; any status, no body, and events out. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, gatewayEntities } from '@tessera/persistence/gateway';
import { echoHandlerCounts } from '../testing/echo-service.js';
import { openTestPool } from '../testing/test-gateway.js';
import { openTestStack, type RequestOptions, type TestStack } from '../testing/test-stack.js';
import { stubEventState } from '../testing/stub-tools.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());
beforeEach(() => {
  stubEventState.next = Promise.resolve();
});

const path = `${mcpPrefix}/p2p-tools`;
const send = (body: unknown, more: RequestOptions = {}) => stack.request(path, { method: 'POST', body, ...more });
const url = () => `${stack.gateway.url}${path}`;
const key = () => ({ AppKey: stack.keys.meridian });

describe('a message to an MCP server', () => {
  it('arrives unchanged, with the headers of the protocol', async () => {
    const text = '{ "jsonrpc":"2.0", "id": 1e0,\n "method":"tools/list" }';
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'load-data',
    };
    const { status, body } = await stack.request(`${path}?draft=true`, { method: 'POST', body: text, headers });
    expect(status).toBe(200);
    expect(body?.['request']).toEqual({
      asset_id: 'p2p-tools',
      draft: true,
      message: text,
      contentType: 'application/json; charset=utf-8',
      accept: 'application/json, text/event-stream',
      protocolVersion: '2026-07-28',
      methodHeader: 'tools/call',
      nameHeader: 'load-data',
    });
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    'is passed on as text whatever its content, as %s',
    async (type) => {
      for (const text of ['no JSON at all', `${'['.repeat(200)}`, '{"__proto__":1}', 'Grüße \u0000 𝄞']) {
        const { status, body } = await send(text, { headers: { 'Content-Type': type } });
        expect([status, body?.['request']]).toMatchObject([200, { message: text, contentType: type }]);
      }
    },
  );

  it('needs no Content-Type and no body', async () => {
    const untyped = await fetch(url(), { method: 'POST', headers: key(), body: Buffer.from('{}') });
    expect(await untyped.json()).toMatchObject({ request: { message: '{}' } });
    expect((await stack.request(path, { method: 'POST' })).body).toMatchObject({ request: { message: '' } });
    const typed = await stack.request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' } });
    expect(typed.body).toMatchObject({ request: { message: '' } });
  });

  it.each(['application/json', 'text/plain'])(
    'that is not UTF-8 is passed on as the replacement character, as %s',
    async (type) => {
      const body = Buffer.from([0x7b, 0xff, 0x7d]);
      const answer = await fetch(url(), { method: 'POST', headers: { ...key(), 'Content-Type': type }, body });
      expect(await answer.json()).toMatchObject({ request: { message: '\ufffd' } });
    },
  );

  it.each(['application/json', 'text/plain'])('may be as long as the limit, as %s', async (type) => {
    const headers = { 'Content-Type': type };
    expect((await send('x'.repeat(1024 * 1024), { headers })).status).toBe(413);
    expect((await send('x'.repeat(1024 * 1024 + 1), { headers })).body).toMatchObject({
      code: 'GENERAL_BODY_TOOLARGE',
    });
    const long = await send('x'.repeat(400_000), { headers });
    expect([long.status, long.text.length > 400_000]).toEqual([200, true]);
  });

  it.each(['application/json', 'text/plain'])('of unknown length is refused at the limit, as %s', async (type) => {
    const { served } = echoHandlerCounts;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(0x78)),
    });
    const headers = { ...key(), 'Content-Type': type };
    const status = await fetch(url(), { method: 'POST', headers, body, duplex: 'half' }).then(
      (answer) => answer.status,
      () => 'cut',
    );
    // A client that writes on may find the connection closed before it reads.
    expect([413, 'cut']).toContain(status);
    expect(echoHandlerCounts.served).toBe(served);
  });

  it.each(['application/json', 'text/plain'])('may not be compressed by anything but gzip, as %s', async (type) => {
    const { status, body } = await send('{}', { headers: { 'Content-Type': type, 'Content-Encoding': 'br' } });
    expect([status, body?.['code']]).toEqual([415, 'GENERAL_MEDIATYPE_UNSUPPORTED']);
  });
});

describe('the answer of an MCP server', () => {
  it.each([400, 404, 405, 500])('has the status %d and the body of the protocol', async (status) => {
    const answer = await send(`[${status}]`);
    expect(answer).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code: -1 } } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('mcp-session-id')).toBe('none');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-ratelimit-limit')).toBeTruthy();
    expect(answer.headers.get('content-encoding')).toBe('gzip');
  });

  it('without a body has no content type', async () => {
    const taken = await send('[202]');
    expect([taken.status, taken.text, taken.headers.get('content-length')]).toEqual([202, '', '0']);
    expect(taken.headers.get('content-type')).toBeNull();
    const nothing = await send('[204]');
    expect([nothing.status, nothing.text, nothing.headers.get('content-length')]).toEqual([204, '', null]);
  });

  it('as events sends each at once and uncompressed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stubEventState.next = promise;
    const headers = { ...key(), 'Accept-Encoding': 'gzip' };
    const answer = await fetch(url(), { method: 'POST', headers, body: 'events' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('content-length')).toBeNull();
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'data: 1\n\n' });
    resolve();
    expect(await reader?.read()).toEqual({ done: false, value: 'data: 2\n\n' });
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  it('is a Problem when the team has no such asset', async () => {
    const { status, headers, body } = await send('{}', { key: stack.keys.northgate });
    expect([status, body?.['code']]).toEqual([404, 'TOOL_ASSET_NOTFOUND']);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });
});

describe('a batch of messages', () => {
  it('counts in the hourly limit by its messages, and is refused as a whole beyond it', async () => {
    const pool = openTestPool(stack.database);
    const owner = { team: 'meridian', name: 'batches', scopes: ['tools:execute'], hourlyLimit: 10 };
    const limited = await createApiKey(openDataSource(pool, gatewayEntities), owner);
    await pool.end();
    const batchOf = (count: number) =>
      send(
        Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
        { key: limited.key },
      );
    const first = await batchOf(7);
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '3']);
    const served = echoHandlerCounts.served;
    const second = await batchOf(4);
    expect([second.status, second.body?.['code']]).toEqual([429, 'LIMIT_RATE_EXCEEDED']);
    expect(echoHandlerCounts.served).toBe(served);
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { key: limited.key })).status).toBe(429);
  });
});
