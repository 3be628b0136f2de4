/** The operation as the gateway calls it: what is HTTP, what is a stream, and that calls go the way of all calls. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { succeed } from '@tessera/failures';
import { waitUntil } from '@tessera/testing';
import type { AssetVersion } from '../assets/assets.js';
import { fixtureTools } from './fixtures/fixture-tools.js';
import { openMcpEndpoint, type McpEndpoint, type TestRequest } from './testing/mcp-endpoint.js';
import {
  createLegacyRequest,
  readMcpReply,
  createStatelessRequest,
  createStatelessHeaders,
  createTestTool,
  createTestView,
} from './testing/test-exchange.js';
import { createFixedToolSource } from '../tools/tool.js';

/** A tool that tells how far it is and ends when a spec lets it. */
const held = { release: () => {}, aborted: false };
const waiting = createTestTool({
  id: 'wait',
  run: async (_given, { progress, signal }) => {
    progress?.(1, 2, 'started');
    signal.addEventListener('abort', () => (held.aborted = true));
    await new Promise<void>((resolve) => (held.release = resolve));
    return succeed({ value: { done: true } });
  },
});
const top = { type: 'object', properties: { top: { type: 'integer' } }, additionalProperties: false };
const { asset } = createTestView([]);
const own: AssetVersion = {
  ...asset,
  tools: [
    createFixedToolSource(waiting, 'fixture'),
    createFixedToolSource(createTestTool({ inputSchema: top }), 'fixture', 'content:read'),
  ],
};
const scarce: AssetVersion = {
  ...asset,
  assetId: 'scarce',
  callsPerMinute: 2,
  tools: [createFixedToolSource(createTestTool(), 'fixture')],
};

let door: McpEndpoint;
beforeAll(async () => {
  door = await openMcpEndpoint([own, scarce], { MCP_FIXTURE_ASSET: 'true' });
});
afterAll(() => door.stop());

const replyTo = async (request: TestRequest): Promise<ByteReply> => {
  const result = await door.exchange(request);
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};
const ask = async (message: unknown, more: Partial<TestRequest> = {}) =>
  readMcpReply(await replyTo({ message, ...more }));
const call = (name: string, given: object = {}, meta?: object) => ({
  ...createLegacyRequest('tools/call'),
  params: { name, arguments: given, ...(meta && { _meta: meta }) },
});

describe('the MCP server of an asset', () => {
  it('fails for an unknown asset with the same answer for every team', async () => {
    for (const team of ['meridian', 'northgate'])
      expect(await door.exchange({ asset: 'nowhere', team, message: createLegacyRequest('ping') })).toMatchObject({
        ok: false,
        failure: { code: 'TOOL_ASSET_NOTFOUND' },
      });
  });

  it('requires the scope tools:execute', async () => {
    expect(await door.exchange({ message: createLegacyRequest('ping'), scopes: ['content:read'] })).toMatchObject({
      ok: false,
      failure: { code: 'ADMIN_ACCESS_ERROR' },
    });
  });

  it.each([
    ['text that is no JSON', 'no JSON', {}, 400, -32_700],
    ['text that was no UTF-8', '\uFFFD', {}, 400, -32_700],
    ['nothing', '', {}, 400, -32_700],
    ['what is nested too deeply', `${'['.repeat(65)}${']'.repeat(65)}`, {}, 400, -32_700],
    [
      'a batch that is too long',
      Array.from({ length: 10_000 }, (_, id) => createLegacyRequest('x', {}, id)),
      {},
      400,
      -32_600,
    ],
    ['another type of content', createLegacyRequest('ping'), { contentType: 'text/plain' }, 415, -32_000],
    ['no type of content', createLegacyRequest('ping'), { contentType: undefined }, 415, -32_000],
    ['a client that takes neither form', createLegacyRequest('ping'), { accept: 'text/html' }, 406, -32_000],
    ['an unknown revision', createLegacyRequest('ping'), { protocolVersion: '1999-01-01' }, 400, -32_000],
  ])('answers %s with an error', async (_, message, more, status, code) => {
    expect(await ask(message, more)).toMatchObject({
      status,
      contentType: 'application/json',
      body: { error: { code } },
    });
  });

  it('takes null for absent: parameters, their members, and optional arguments', async () => {
    const list = createLegacyRequest('tools/list');
    const [plain, ...others] = await Promise.all([
      ask(list),
      ...[null, { cursor: null }, { cursor: null, _meta: null }].map((params) => ask({ ...list, params })),
    ]);
    expect(plain?.body).toMatchObject({ result: { tools: expect.anything() } });
    for (const other of others) expect(other).toEqual(plain);
    const more = { asset: 'p2p', scopes: ['tools:execute', 'content:read'] } as const;
    for (const [given, taken] of [
      [null, {}],
      [{ top: null }, {}],
      [{ top: 1, _trace: 'x' }, { top: 1 }],
    ]) {
      const message = { ...createLegacyRequest('tools/call'), params: { name: 'load-data', arguments: given } };
      expect((await ask(message, more)).body).toMatchObject({ result: { structuredContent: { given: taken } } });
    }
    const [first] = Object(await ask([{ ...list, params: null }])).body;
    expect(first).toMatchObject({ result: { tools: expect.anything() } });
  });

  it('answers notifications with an empty body', async () => {
    const { status, contentType, body } = await replyTo({
      message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    expect({ status, contentType, bytes: Buffer.from(Object(body)).length }).toEqual({
      status: 202,
      contentType: '',
      bytes: 0,
    });
  });

  it('lists and calls in every revision', async () => {
    for (const protocolVersion of [undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      expect(await ask(createLegacyRequest('tools/list'), { protocolVersion })).toMatchObject({
        body: { result: { tools: fixtureTools.map(({ id }) => ({ name: id })) } },
      });
      expect(await ask(call('test-simple-text'), { protocolVersion })).toMatchObject({
        body: { result: { content: [{ text: 'This is a simple text response for testing.' }] } },
      });
    }
    const list = await ask(createStatelessRequest('tools/list'), createStatelessHeaders('tools/list'));
    expect(list).toMatchObject({ status: 200, body: { result: { ttlMs: 60_000, cacheScope: 'private' } } });
  });
});

describe('a call', () => {
  const logged = (toolId: string) =>
    door.rows(
      'select tenant, subject, door, asset_id, version, outcome from tool_gateway.tool_call where tool_id = $1',
      toolId,
    );

  it('is logged with the member door set to mcp', async () => {
    await ask(call('test_image_content'), { team: 'northgate' });
    await waitUntil(async () => (await logged('test_image_content')).length > 0);
    expect(await logged('test_image_content')).toEqual([
      { tenant: 'northgate', subject: 'tester', door: 'mcp', asset_id: 'mcp-conformance', version: '1', outcome: 'ok' },
    ]);
  });

  it('with invalid arguments is answered with their faults as text', async () => {
    const scopes = ['tools:execute', 'content:read'] as const;
    const { body } = await ask(call('load_data', { tpo: 1, top: 'x' }), { asset: 'p2p', scopes });
    const text = [
      'TOOL_ARGUMENTS_INVALID: 2 arguments do not fit.',
      '- tpo: unknown argument "tpo"; did you mean "top"?',
      '- top: expected integer',
    ].join('\n');
    expect(body).toMatchObject({ result: { isError: true, content: [{ type: 'text', text }] } });
  });

  it('is checked against its whole schema', async () => {
    const answered = await ask(
      call('json_schema_2020_12_tool', { contactMethod: 'email', email: 'a', address: { city: 'b' } }),
    );
    expect(answered).toMatchObject({ body: { result: { content: [{ type: 'text' }] } } });
    expect(answered).not.toHaveProperty('body.result.isError');
    expect(await ask(call('json_schema_2020_12_tool', { contactMethod: 'email', phone: '1' }))).toMatchObject({
      body: { result: { isError: true, content: [{ text: expect.stringContaining('- email: is missing') }] } },
    });
  });

  it('without the scope of its data is rejected with a text', async () => {
    expect(await ask(call('load-data'), { asset: 'p2p' })).toMatchObject({
      status: 200,
      body: {
        result: { isError: true, content: [{ text: expect.stringMatching(/^ADMIN_ACCESS_ERROR: .*content:read/) }] },
      },
    });
  });

  it('over the quota of its asset says when to try again', async () => {
    const answers: unknown[] = [];
    // Over the end of a minute four may pass.
    for (let calls = 0; calls < 5; calls++) answers.push((await ask(call('load-data'), { asset: 'scarce' })).body);
    const text = expect.stringMatching(/^LIMIT_ASSET_EXCEEDED: [^]*\nRetry after \d+ seconds\.$/);
    const refused = { isError: true, content: [{ type: 'text', text }] };
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 1, result: refused });
  });
});

describe('progress', () => {
  const pieces = async (request: TestRequest) => {
    const { body, contentType } = await replyTo(request);
    expect(contentType).toBe('text/event-stream');
    if (body instanceof Uint8Array) throw new Error('The answer came whole.');
    return body[Symbol.asyncIterator]();
  };
  const next = async (iterator: AsyncIterator<Uint8Array>): Promise<string> => {
    const { value, done } = await iterator.next();
    return done ? '' : Buffer.from(value).toString();
  };
  const request = { asset: 'p2p', message: call('wait', {}, { progressToken: 'w' }) };

  it('reaches the client while the tool runs', async () => {
    const iterator = await pieces(request);
    expect(await next(iterator)).toContain('"message":"started"');
    held.release();
    let rest = '';
    for (let piece = await next(iterator); piece !== ''; piece = await next(iterator)) rest += piece;
    expect(rest).toContain('\\"done\\":true');
  });

  it('stops when the client leaves', async () => {
    held.aborted = false;
    const leaving = new AbortController();
    const iterator = await pieces({ ...request, leaving: leaving.signal });
    await next(iterator);
    leaving.abort();
    await waitUntil(() => held.aborted);
    held.release();
  });
});
