/** What clients get for messages of every kind and revision. */
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { handleWithSdk } from './sdk-path.js';
import {
  createLegacyRequest,
  readMcpReply,
  createStatelessRequest,
  createStatelessHeaders,
  createTestExchange,
  type ExchangeOptions,
  createTestTool,
  createTestView,
} from './testing/test-exchange.js';

const view = createTestView([
  createTestTool(),
  createTestTool({
    id: 'walk',
    run: async (_given, { progress }) => {
      progress?.(1, 2, 'halfway');
      progress?.(2, 2);
      return { ok: true, value: { value: 'there' } };
    },
  }),
  createTestTool({
    id: 'break',
    run: () => {
      throw new Error('select * from secrets');
    },
  }),
]);

const ask = async (message: unknown, more: ExchangeOptions = {}) =>
  readMcpReply(await handleWithSdk(createTestExchange(view, more), message));

const error = (status: number, code: number, id: unknown = null) => ({
  status,
  contentType: 'application/json',
  body: { jsonrpc: '2.0', id, error: expect.objectContaining({ code, message: expect.any(String) }) },
});

const initialize = (protocolVersion: string) =>
  createLegacyRequest('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'tester', version: '1' },
  });

describe('a client that begins with initialize', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'gets the revision %s that it asked for',
    async (revision) => {
      expect(await ask(initialize(revision))).toEqual({
        status: 200,
        contentType: 'application/json',
        body: {
          jsonrpc: '2.0',
          id: 1,
          result: {
            protocolVersion: revision,
            capabilities: { tools: { listChanged: false } },
            serverInfo: { name: 'p2p', title: 'Purchase to pay', version: '3' },
            instructions: 'Load before you search.',
          },
        },
      });
    },
  );

  it('gets the newest revision that has initialize when it asks for an unknown one or none', async () => {
    for (const revision of ['1999-01-01', '2026-07-28'])
      expect(await ask(initialize(revision))).toMatchObject({
        status: 200,
        body: { result: { protocolVersion: '2025-11-25' } },
      });
  });

  it('gets an empty answer to notifications and responses', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
      expect(await ask(message)).toEqual({ status: 202, contentType: '', body: '' });
  });

  it('gets an answer to ping, and an error for unknown methods', async () => {
    expect(await ask(createLegacyRequest('ping'))).toMatchObject({ status: 200, body: { id: 1, result: {} } });
    expect(await ask(createLegacyRequest('tools/burn'))).toEqual(error(200, -32_601, 1));
    expect(await ask(createLegacyRequest('resources/list'))).toEqual(error(200, -32_601, 1));
  });

  it('gets an error for an unknown revision in the header', async () => {
    expect(await ask(createLegacyRequest('tools/list'), { protocolVersion: '1999-01-01' })).toEqual(
      error(400, -32_000),
    );
  });
});

describe('a client that does not begin with initialize', () => {
  it('is answered without initialize', async () => {
    const called = await ask(createLegacyRequest('tools/call', { name: 'load_data', arguments: { top: 1 } }));
    expect(called).toMatchObject({ status: 200, body: { id: 1, result: { content: [{ type: 'text' }] } } });
    expect(await ask(createLegacyRequest('tools/list'))).toMatchObject({
      body: { result: { tools: [{ name: 'load-data' }, {}, {}] } },
    });
  });

  it('gets structured content when its revision supports it', async () => {
    const call = createLegacyRequest('tools/call', { name: 'load-data', arguments: { top: 1 } });
    const result = { content: [{ type: 'text', text: '{"given":{"top":1}}' }] };
    const early = await ask(call, { protocolVersion: '2025-03-26' });
    expect(early).toMatchObject({ body: { result } });
    expect(early).not.toHaveProperty('body.result.structuredContent');
    for (const protocolVersion of [undefined, '2025-06-18'])
      expect(await ask(call, { protocolVersion })).toMatchObject({
        body: { result: { ...result, structuredContent: { given: { top: 1 } } } },
      });
  });
});

describe('a stateless client', () => {
  it('discovers the server', async () => {
    expect(
      await ask(createStatelessRequest('server/discover'), createStatelessHeaders('server/discover')),
    ).toMatchObject({
      status: 200,
      body: {
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          instructions: 'Load before you search.',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'p2p', version: '3' } },
        },
      },
    });
  });

  it('may cache a list for a minute', async () => {
    expect(await ask(createStatelessRequest('tools/list'), createStatelessHeaders('tools/list'))).toMatchObject({
      status: 200,
      body: { result: { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', tools: [{}, {}, {}] } },
    });
  });

  it('gets an error when a header contradicts the message', async () => {
    const call = createStatelessRequest('tools/call', { name: 'load-data' });
    for (const headers of [
      createStatelessHeaders('tools/call'),
      createStatelessHeaders('tools/list', 'load-data'),
      createStatelessHeaders('tools/call', 'other'),
      { ...createStatelessHeaders('tools/call', 'load-data'), protocolVersion: '2025-11-25' },
      { ...createStatelessHeaders('tools/call', 'load-data'), protocolVersion: undefined },
    ])
      expect(await ask(call, headers)).toEqual(error(400, -32_020, 1));
  });

  it('gets errors for unknown methods and incomplete metadata', async () => {
    expect(await ask(createStatelessRequest('ping'), createStatelessHeaders('ping'))).toEqual(error(404, -32_601, 1));
    expect(await ask(createLegacyRequest('tools/list'), createStatelessHeaders('tools/list'))).toEqual(
      error(400, -32_602, 1),
    );
  });

  it('gets a finite stream for a subscription', async () => {
    const listen = createStatelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const { status, contentType, body } = await ask(listen, createStatelessHeaders('subscriptions/listen'));
    expect({ status, contentType }).toEqual({ status: 200, contentType: 'text/event-stream' });
    expect(body).toEqual([
      expect.objectContaining({ method: 'notifications/subscriptions/acknowledged' }),
      expect.objectContaining({ id: 1, result: expect.anything() }),
    ]);
  });
});

describe('every client', () => {
  it('gets the code of the failure and its faults as the data of an error', async () => {
    const unknownTool = await ask(createLegacyRequest('tools/call', { name: 'lode-data' }));
    expect(unknownTool.body).toMatchObject({
      error: { data: { errorCode: 'GENERAL_PARAMETER_ILLEGAL', faults: [{ in: 'body', path: 'params.name' }] } },
    });
    const unknownMethod = await ask(createLegacyRequest('tools/lst'));
    expect(unknownMethod.body).toMatchObject({
      error: { code: -32_601, data: { errorCode: 'GENERAL_NOTFOUND', faults: [{ in: 'body' }] } },
    });
    const { body } = await ask(createStatelessRequest('ping'), createStatelessHeaders('ping'));
    expect(body).toMatchObject({ error: { data: { errorCode: 'GENERAL_NOTFOUND' } } });
  });

  it('gets the nearest name of an unknown tool', async () => {
    const message = expect.stringContaining('load-data');
    const body = { error: { code: -32_602, message } };
    expect(await ask(createLegacyRequest('tools/call', { name: 'lode-data' }))).toMatchObject({ status: 200, body });
    const headers = createStatelessHeaders('tools/call', 'lode-data');
    expect(await ask(createStatelessRequest('tools/call', { name: 'lode-data' }), headers)).toMatchObject({
      status: 200,
      body,
    });
  });

  it('gets an error for a cursor', async () => {
    for (const cursor of ['x', '', 5, null, {}])
      expect(await ask(createLegacyRequest('tools/list', { cursor }))).toEqual(error(200, -32_602, 1));
  });

  it('gets no details of an internal error', async () => {
    Logger.overrideLogger(false);
    const { body } = await ask(createLegacyRequest('tools/call', { name: 'break' }));
    expect(body).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } });
    expect(JSON.stringify(body)).not.toContain('secrets');
  });

  it('gets an error for a body that is not a JSON-RPC message', async () => {
    for (const message of [null, 7, 'x', {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { id: 1, method: 'ping' }])
      expect(await ask(message)).toMatchObject({ status: 400, body: { error: { code: -32_600 } } });
  });
});

describe('progress', () => {
  const progressToken = 'walk-1';
  const progress = (progress: number, message?: string) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, total: 2, ...(message && { message }) },
  });
  const call = (params: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'walk', ...params, _meta: { progressToken } },
  });

  it('is sent before the answer to a client that gave a token', async () => {
    const answered = [
      progress(1, 'halfway'),
      progress(2),
      expect.objectContaining({ id: 1, result: expect.anything() }),
    ];
    expect(await ask(call())).toEqual({ status: 200, contentType: 'text/event-stream', body: answered });
    const message = createStatelessRequest('tools/call', { name: 'walk' });
    const claimed = { ...message, params: { name: 'walk', _meta: { ...claimOf(message), progressToken } } };
    expect(await ask(claimed, createStatelessHeaders('tools/call', 'walk'))).toMatchObject({ body: answered });
  });

  it('is not sent to a client that accepts only JSON', async () => {
    expect(await ask(call(), { shape: 'json' })).toMatchObject({
      contentType: 'application/json',
      body: { result: { content: [{ text: 'there' }] } },
    });
  });

  const claimOf = (message: { readonly params?: unknown }): object => {
    const { params } = message;
    if (typeof params !== 'object' || params === null || !('_meta' in params)) throw new Error('no claim');
    return Object(params._meta);
  };
});

describe('a client that accepts only events', () => {
  it('gets the answer as an event', async () => {
    for (const [message, headers] of [
      [createLegacyRequest('tools/call', { name: 'load-data' }), {}],
      [createStatelessRequest('tools/call', { name: 'load-data' }), createStatelessHeaders('tools/call', 'load-data')],
    ] as const)
      expect(await ask(message, { ...headers, shape: 'events' })).toMatchObject({
        status: 200,
        contentType: 'text/event-stream',
        body: [{ id: 1, result: {} }],
      });
  });
});

describe('a call whose caller has disconnected', () => {
  const endless = createTestView([createTestTool({ id: 'wait', run: () => new Promise(() => {}) })]);

  it.each(['json', 'events', 'either'] as const)('ends when its response format is %s', async (shape) => {
    const leaving = new AbortController();
    const legacy = handleWithSdk(
      createTestExchange(endless, { shape, signal: leaving.signal }),
      createLegacyRequest('tools/call', { name: 'wait' }),
    );
    const headers = createStatelessHeaders('tools/call', 'wait');
    const message = createStatelessRequest('tools/call', { name: 'wait' });
    const newer = handleWithSdk(createTestExchange(endless, { shape, signal: leaving.signal, ...headers }), message);
    setImmediate(() => leaving.abort());
    for (const reply of [await legacy, await newer]) await readMcpReply(reply).catch(() => undefined);
    expect(leaving.signal.aborted).toBe(true);
  });
});
