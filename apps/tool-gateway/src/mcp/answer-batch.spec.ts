/** Batches of the revisions that have them: what is refused as a whole, and what each message of the others is answered. */
import { expect, it } from '@jest/globals';
import { answerBatch, refuseBatch } from './answer-batch.js';
import {
  createLegacyRequest,
  createTestExchange,
  createTestTool,
  createTestView,
  type ExchangeOptions,
  readMcpReply,
} from './testing/test-exchange.js';

const view = createTestView([createTestTool()]);
const ask = async (messages: readonly unknown[], { protocolVersion, ...more }: ExchangeOptions = {}) =>
  readMcpReply(
    refuseBatch(messages, protocolVersion) ??
      (await answerBatch(createTestExchange(view, { protocolVersion, ...more }), messages, 'meridian')),
  );

const batch = [
  createLegacyRequest('ping'),
  createLegacyRequest('tools/call', { name: 'load-data' }, 'b'),
  { jsonrpc: '2.0', method: 'x/y' },
];
const pings = (count: number) => Array.from({ length: count }, (_, id) => createLegacyRequest('ping', {}, id));

it('a batch is answered as an array when the protocol revision supports batches', async () => {
  for (const protocolVersion of [undefined, '2024-11-05', '2025-03-26'])
    expect(await ask(batch, { protocolVersion })).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 'b' }] });
});

it('a batch with one request is answered as an array too, and one without any by an empty body', async () => {
  const notification = { jsonrpc: '2.0', method: 'x/y' };
  for (const one of [[createLegacyRequest('ping')], [notification, createLegacyRequest('ping')]])
    expect(await ask(one)).toEqual({
      status: 200,
      contentType: 'application/json',
      body: [{ jsonrpc: '2.0', id: 1, result: {} }],
    });
  expect(await ask([notification])).toMatchObject({ status: 202, body: '' });
});

it('a batch is answered as events to a client that accepts only these', async () => {
  expect(await ask(batch, { shape: 'events' })).toMatchObject({
    status: 200,
    contentType: 'text/event-stream',
    body: [{ id: 1 }, { id: 'b' }],
  });
});

it('a message of a batch that is none of JSON-RPC has an error of its own', async () => {
  const error = { id: null, error: { code: -32_600 } };
  expect(await ask([7, createLegacyRequest('ping'), { jsonrpc: '1.0' }])).toMatchObject({
    status: 200,
    body: [error, { id: 1, result: {} }, error],
  });
});

it('a batch is refused when the protocol revision has none, and when it is empty, too long, or has a duplicate id', async () => {
  const refused = { status: 400, body: { id: null, error: { code: -32_600, message: expect.any(String) } } };
  for (const protocolVersion of ['2025-06-18', '2025-11-25', '2026-07-28'])
    expect(await ask(batch, { protocolVersion })).toMatchObject(refused);
  for (const wrong of [[], [...pings(1), ...pings(1)], pings(101)]) expect(await ask(wrong)).toMatchObject(refused);
  expect(await ask(pings(100))).toMatchObject({ status: 200 });
});

it('a batch is answered even when it cancels its own request', async () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } };
  expect(await ask([...batch, cancel])).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 'b' }] });
  expect(await ask([cancel])).toMatchObject({ status: 202 });
});

it('each message of a batch begins in an iteration of the event loop of its own', async () => {
  const iterations: number[] = [];
  let iteration = 0;
  let isDone = false;
  const count = (): void => {
    iteration++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const counting = createTestView([
    createTestTool({
      run: async () => {
        iterations.push(iteration);
        return { ok: true, value: { value: 'there' } };
      },
    }),
  ]);
  const calls = pings(20).map(({ id }) => ({ ...createLegacyRequest('tools/call', { name: 'load-data' }), id }));
  await answerBatch(createTestExchange(counting), calls, 'meridian');
  isDone = true;
  expect(iterations).toHaveLength(20);
  expect(new Set(iterations).size).toBe(20);
});
