/** What clients read for messages of every kind and revision. */
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { answerCompletely, refuseLongBatch } from './complete-path.js';
import {
  older,
  read,
  stateless,
  statelessHeaders,
  trialExchange,
  trialTool,
  trialView,
  type TrialExchange,
} from './testing/trial-exchange.js';

const view = trialView([
  trialTool(),
  trialTool({
    id: 'walk',
    run: async (_given, { progress }) => {
      progress?.(1, 2, 'halfway');
      progress?.(2, 2);
      return { ok: true, value: { value: 'there' } };
    },
  }),
  trialTool({
    id: 'break',
    run: () => {
      throw new Error('select * from secrets');
    },
  }),
]);

const ask = async (message: unknown, more: TrialExchange = {}) =>
  read(await answerCompletely(trialExchange(view, more), message));

const error = (status: number, code: number, id: unknown = null) => ({
  status,
  contentType: 'application/json',
  body: { jsonrpc: '2.0', id, error: expect.objectContaining({ code, message: expect.any(String) }) },
});

const initialize = (protocolVersion: string) =>
  older('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'tester', version: '1' } });

describe('a client that begins with initialize', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'gets revision %s as it asked',
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

  it('gets the newest with initialize when it asks for one that is not known, or has none', async () => {
    for (const revision of ['1999-01-01', '2026-07-28'])
      expect(await ask(initialize(revision))).toMatchObject({
        status: 200,
        body: { result: { protocolVersion: '2025-11-25' } },
      });
  });

  it('has its notifications and answers accepted without a word', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
      expect(await ask(message)).toEqual({ status: 202, contentType: '', body: '' });
  });

  it('is answered a ping, and unknown methods with their error', async () => {
    expect(await ask(older('ping'))).toMatchObject({ status: 200, body: { id: 1, result: {} } });
    expect(await ask(older('tools/burn'))).toEqual(error(200, -32_601, 1));
    expect(await ask(older('resources/list'))).toEqual(error(200, -32_601, 1));
  });

  it('is told of a revision that nobody knows', async () => {
    expect(await ask(older('tools/list'), { protocolVersion: '1999-01-01' })).toEqual(error(400, -32_000));
  });
});

describe('a client that does not begin with initialize', () => {
  it('is served', async () => {
    const called = await ask(older('tools/call', { name: 'load_data', arguments: { top: 1 } }));
    expect(called).toMatchObject({ status: 200, body: { id: 1, result: { content: [{ type: 'text' }] } } });
    expect(await ask(older('tools/list'))).toMatchObject({
      body: { result: { tools: [{ name: 'load-data' }, {}, {}] } },
    });
  });

  it('reads structure unless it says a revision without it', async () => {
    const call = older('tools/call', { name: 'load-data', arguments: { top: 1 } });
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
    expect(await ask(stateless('server/discover'), statelessHeaders('server/discover'))).toMatchObject({
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

  it('may keep a list for a minute', async () => {
    expect(await ask(stateless('tools/list'), statelessHeaders('tools/list'))).toMatchObject({
      status: 200,
      body: { result: { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', tools: [{}, {}, {}] } },
    });
  });

  it('is refused when header and message differ', async () => {
    const call = stateless('tools/call', { name: 'load-data' });
    for (const headers of [
      statelessHeaders('tools/call'),
      statelessHeaders('tools/list', 'load-data'),
      statelessHeaders('tools/call', 'other'),
      { ...statelessHeaders('tools/call', 'load-data'), protocolVersion: '2025-11-25' },
      { ...statelessHeaders('tools/call', 'load-data'), protocolVersion: undefined },
    ])
      expect(await ask(call, headers)).toEqual(error(400, -32_020, 1));
  });

  it('reads which methods there are not, and which claim is incomplete', async () => {
    expect(await ask(stateless('ping'), statelessHeaders('ping'))).toEqual(error(404, -32_601, 1));
    expect(await ask(older('tools/list'), statelessHeaders('tools/list'))).toEqual(error(400, -32_602, 1));
  });

  it('listens to a stream that ends', async () => {
    const listen = stateless('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const { status, contentType, body } = await ask(listen, statelessHeaders('subscriptions/listen'));
    expect({ status, contentType }).toEqual({ status: 200, contentType: 'text/event-stream' });
    expect(body).toEqual([
      expect.objectContaining({ method: 'notifications/subscriptions/acknowledged' }),
      expect.objectContaining({ id: 1, result: expect.anything() }),
    ]);
  });
});

describe('every client', () => {
  it('reads the nearest name of an unknown tool', async () => {
    const message = expect.stringContaining('load-data');
    const body = { error: { code: -32_602, message } };
    expect(await ask(older('tools/call', { name: 'lode-data' }))).toMatchObject({ status: 200, body });
    const headers = statelessHeaders('tools/call', 'lode-data');
    expect(await ask(stateless('tools/call', { name: 'lode-data' }), headers)).toMatchObject({ status: 200, body });
  });

  it('is refused a cursor that nobody gave', async () => {
    for (const cursor of ['x', '', 5, null, {}])
      expect(await ask(older('tools/list', { cursor }))).toEqual(error(200, -32_602, 1));
  });

  it('reads nothing of a bug', async () => {
    Logger.overrideLogger(false);
    const { body } = await ask(older('tools/call', { name: 'break' }));
    expect(body).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } });
    expect(JSON.stringify(body)).not.toContain('secrets');
  });

  it('is told what is no message', async () => {
    for (const message of [null, 7, 'x', {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { id: 1, method: 'ping' }])
      expect(await ask(message)).toMatchObject({ status: 400, body: { error: { code: -32_600 } } });
  });
});

describe('a batch', () => {
  const batch = [older('ping'), older('tools/call', { name: 'load-data' }, 'b'), { jsonrpc: '2.0', method: 'x/y' }];

  it('is answered as a list where the revision has batches', async () => {
    for (const protocolVersion of [undefined, '2024-11-05', '2025-03-26'])
      expect(await ask(batch, { protocolVersion })).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 'b' }] });
  });

  it('of one request is answered as a list as well', async () => {
    const notification = { jsonrpc: '2.0', method: 'x/y' };
    for (const one of [[older('ping')], [notification, older('ping')]])
      expect(await ask(one)).toEqual({
        status: 200,
        contentType: 'application/json',
        body: [{ jsonrpc: '2.0', id: 1, result: {} }],
      });
    expect(await ask([notification])).toMatchObject({ status: 202, body: '' });
  });

  it('is refused where it has none, and when it is empty, too long, or has an id twice', async () => {
    for (const protocolVersion of ['2025-06-18', '2025-11-25', '2026-07-28'])
      expect(await ask(batch, { protocolVersion })).toEqual(error(400, -32_600));
    expect(await ask([])).toEqual(error(400, -32_600));
    expect(await ask([older('ping'), older('ping')])).toEqual(error(400, -32_600));
    expect(await ask(Array.from({ length: 101 }, (_, id) => older('ping', {}, id)))).toEqual(error(400, -32_600));
    expect(await ask(Array.from({ length: 100 }, (_, id) => older('ping', {}, id)))).toMatchObject({ status: 200 });
  });

  it('that is too long is refused without the SDK in the words of the SDK', async () => {
    const batchOf = (length: number) => Array.from({ length }, (_, id) => older('ping', {}, id));
    for (const protocolVersion of [undefined, '1999-01-01', '2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28']) {
      const refused = refuseLongBatch(batchOf(101), protocolVersion);
      expect(refused && (await read(refused))).toEqual(await ask(batchOf(101), { protocolVersion }));
      expect(refuseLongBatch(batchOf(100), protocolVersion)).toBeUndefined();
    }
  });

  it('is answered although it cancels what it asks', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } };
    expect(await ask([...batch, cancel])).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 'b' }] });
    expect(await ask([cancel])).toMatchObject({ status: 202 });
  });
});

describe('progress', () => {
  const progressToken = 'walk-1';
  const told = (progress: number, message?: string) => ({
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

  it('is told before the answer to a client that gave a token', async () => {
    const answered = [told(1, 'halfway'), told(2), expect.objectContaining({ id: 1, result: expect.anything() })];
    expect(await ask(call())).toEqual({ status: 200, contentType: 'text/event-stream', body: answered });
    const message = stateless('tools/call', { name: 'walk' });
    const claimed = { ...message, params: { name: 'walk', _meta: { ...claimOf(message), progressToken } } };
    expect(await ask(claimed, statelessHeaders('tools/call', 'walk'))).toMatchObject({ body: answered });
  });

  it('is not told to a client that takes JSON alone', async () => {
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

describe('a client that takes events alone', () => {
  it('reads the answer as one', async () => {
    for (const [message, headers] of [
      [older('tools/call', { name: 'load-data' }), {}],
      [stateless('tools/call', { name: 'load-data' }), statelessHeaders('tools/call', 'load-data')],
    ] as const)
      expect(await ask(message, { ...headers, shape: 'events' })).toMatchObject({
        status: 200,
        contentType: 'text/event-stream',
        body: [{ id: 1, result: {} }],
      });
  });
});

describe('a call whose caller has gone', () => {
  const endless = trialView([trialTool({ id: 'wait', run: () => new Promise(() => {}) })]);

  it.each(['json', 'events', 'either'] as const)('ends, answered as %s', async (shape) => {
    const leaving = new AbortController();
    const older_ = answerCompletely(
      trialExchange(endless, { shape, signal: leaving.signal }),
      older('tools/call', { name: 'wait' }),
    );
    const headers = statelessHeaders('tools/call', 'wait');
    const message = stateless('tools/call', { name: 'wait' });
    const newer = answerCompletely(trialExchange(endless, { shape, signal: leaving.signal, ...headers }), message);
    setImmediate(() => leaving.abort());
    for (const reply of [await older_, await newer]) await read(reply).catch(() => undefined);
    expect(leaving.signal.aborted).toBe(true);
  });
});
