import { describe, expect, it } from '@jest/globals';
import { type ByteReply, type Caller, freshForHeader } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { RateLimitGuard } from '../auth/rate-limit.guard.js';
import { HttpExchange } from '../http/exchange.js';
import { countMessages, McpExchangeClient } from './mcp-exchanges.js';

const caller: Caller = { team: 'meridian', subject: 'ann', scopes: ['tools:execute'] };
const frame = { caller, requestId: 'r', deadlineMs: Infinity, publicUrl: 'https://tessera.example' };
const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const requestOf = (more: object = {}) => exchangeMcp.request.parse({ asset_id: 'p2p', message, ...more });

const setup = (freshFor: string | undefined, made?: Result<ByteReply>) => {
  let asked = 0;
  const call = async (): Promise<Result<ByteReply>> =>
    made ??
    succeed({
      contentType: 'application/json',
      body: Buffer.from(`list ${++asked}`),
      ...(freshFor !== undefined && { headers: { [freshForHeader]: freshFor } }),
    });
  const client: OperationClient = Object.assign(Object.create(OperationClient.prototype), { call });
  const exchanges = new McpExchangeClient(client, Object.create(RateLimitGuard.prototype));
  const exchange: HttpExchange = Object.create(HttpExchange.prototype);
  const textOf = async (more: object = {}, by: Partial<Caller> = {}): Promise<string> => {
    const byCaller = { ...frame, caller: { ...caller, ...by } };
    const result = await exchanges.send(requestOf(more), byCaller, new AbortController().signal, exchange);
    if (!result.ok) return result.failure.code;
    expect(result.value.headers ?? {}).toEqual({});
    return result.value.body instanceof Uint8Array ? Buffer.from(result.value.body).toString() : '';
  };
  return { textOf };
};
const hour = '3600000';

describe('a cacheable list of tools', () => {
  it('is requested once for callers with the same rights', async () => {
    const { textOf } = setup(hour);
    expect(await textOf()).toBe('list 1');
    expect(await textOf({}, { subject: 'bob' })).toBe('list 1');
  });

  it.each<[string, object, Partial<Caller>]>([
    ['another asset', { asset_id: 'p2q' }, {}],
    ['a draft', { draft: true }, {}],
    ['another revision', { protocolVersion: '2025-06-18' }, {}],
    ['another type that is welcome', { accept: 'text/event-stream' }, {}],
    ['another method in the headers', { methodHeader: 'tools/call' }, {}],
    ['another id', { message: message.replace('1', '2') }, {}],
    ['another team', {}, { team: 'northgate' }],
    ['other scopes', {}, { scopes: ['tools:execute', 'content:read'] }],
    ['further scopes', {}, { furtherScopes: ['sales:all'] }],
    ['other attributes', {}, { attributes: { plant: 'Bremen' } }],
  ])('is requested again for %s', async (_, more, by) => {
    const { textOf } = setup(hour);
    expect(await textOf()).toBe('list 1');
    expect(await textOf(more, by)).toBe('list 2');
  });

  it('is requested again after it has expired', async () => {
    const { textOf } = setup('0');
    expect(await textOf()).toBe('list 1');
    expect(await textOf()).toBe('list 2');
  });
});

describe('answers that are not cacheable', () => {
  it('are requested each time', async () => {
    const { textOf } = setup(undefined);
    expect(await textOf()).toBe('list 1');
    expect(await textOf()).toBe('list 2');
    const failing = setup(undefined, fail('TOOL_ASSET_NOTFOUND', 'There is no such asset.'));
    expect(await failing.textOf()).toBe('TOOL_ASSET_NOTFOUND');
  });

  it('to long messages are requested each time, even with a cache lifetime', async () => {
    const { textOf } = setup(hour);
    const long = { message: message + ' '.repeat(1_000) };
    expect(await textOf(long)).toBe('list 1');
    expect(await textOf(long)).toBe('list 2');
  });
});

it.each<[string, number]>([
  ['', 1],
  ['{"a":[1,2,3]}', 1],
  ['[]', 1],
  ['[{"id":1}]', 1],
  [' \n[{"id":1,"b":[1,2]},{"id":"],[,\\",","c":{"d":[],"e":1}} , {}]', 3],
  [`[${'{},'.repeat(99)}{}]`, 100],
  [`[${'{},'.repeat(50_000)}{}]`, 101],
  [`[${'['.repeat(50_000)}`, 1],
  ['["', 1],
])('the messages of a batch are counted: %#', (text, count) => {
  expect(countMessages(text)).toBe(count);
});
