import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { fail, type Failure, type Result } from '@tessera/failures';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { ReplyInterruptedError } from './incoming-reply.js';
import { silentLog } from './nats-link.js';
import { maxUnreadBytesPerTeam, windowBytes } from './stream-limits.js';
import { brokenStreamOperation, bytesOperation, endlessReplyOperation } from './testing/operations.js';
import {
  connectTimeoutMs,
  createExpectedBytes,
  createCallFrame,
  megabyte,
  handlerRecord,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';

const streamOf = (result: Result<ByteReply>): AsyncIterable<Uint8Array> => {
  if (!result.ok) throw new Error(`failed: ${result.failure.code}`);
  if (result.value.body instanceof Uint8Array) throw new Error('not chunked');
  return result.value.body;
};

const wholeOf = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Bytes in buffers that somebody still holds; what waits to be collected does not count. */
const heldBytes = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
};

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

describe('chunked replies', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  beforeAll(async () => {
    nats = await startTestNats();
    service = await startTestService(nats.urlFor('content-repo'));
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterAll(async () => {
    await caller.stop();
    await service.stop();
    await nats.stop();
  });
  const ask = (word: string, count: number) => caller.client.call(bytesOperation, { word, count }, createCallFrame());

  it.each(['whole', 'pieces'])('transfer 20 MB unchanged (%s)', async (word) => {
    const count = 20 * megabyte + 12;
    const expected = createExpectedBytes(count, word === 'whole' ? count : 100_000);
    const arrived = await wholeOf(streamOf(await ask(word, count)));
    expect(arrived.equals(expected)).toBe(true);
  });

  it('send a small streamed body as one plain message', async () => {
    const result = await ask('pieces', 50_000);
    expect(result.ok && result.value.body instanceof Uint8Array && result.value.body.length).toBe(50_000);
  });

  it('send an empty body as one plain message', async () => {
    const result = await ask('pieces', 0);
    expect(result.ok && result.value.body instanceof Uint8Array && result.value.body.length).toBe(0);
  });

  it('wait for a slow reader of 200 MB within the share of its team, with bounded memory', async () => {
    const body = streamOf(await ask('pieces', 200 * megabyte));
    const before = heldBytes();
    const producedBefore = handlerRecord.produced;
    let consumedBytes = 0;
    let aheadMax = 0;
    let heldMax = before;
    let turn = 0;
    for await (const chunk of body) {
      consumedBytes += chunk.length;
      if (consumedBytes < 10 * megabyte) await pause(5);
      aheadMax = Math.max(aheadMax, handlerRecord.produced - producedBefore - consumedBytes);
      if (turn++ % 200 === 0) heldMax = Math.max(heldMax, heldBytes());
    }
    expect(consumedBytes).toBe(200 * megabyte);
    expect(aheadMax).toBeLessThan(maxUnreadBytesPerTeam + windowBytes * 3);
    // Far below what was sent; other things in this process allocate meanwhile, up to 64 MB at once.
    expect(heldMax - before).toBeLessThan(maxUnreadBytesPerTeam + 150 * megabyte);
  });

  it('have no more under way together than one of them, and reach their ends', async () => {
    const [count, bytes] = [10, 3 * megabyte];
    const { produced } = handlerRecord;
    const { inBytes = 0 } = caller.link.connection?.stats() ?? {};
    const bodies = (await Promise.all(Array.from({ length: count }, () => ask('pieces', bytes)))).map(streamOf);
    await waitUntil(() => handlerRecord.produced - produced >= count * bytes);
    // Whoever asks meanwhile waits behind what is under way.
    await ask('pieces', 10);
    const underWay = (caller.link.connection?.stats().inBytes ?? 0) - inBytes;
    expect(underWay).toBeLessThan(2 * windowBytes);
    const arrived = await Promise.all(bodies.map(wholeOf));
    expect(arrived.map(({ length }) => length)).toEqual(bodies.map(() => bytes));
  });

  it('stop as soon as the reader stops reading: the handler is aborted and its iterator closed', async () => {
    const body = streamOf(await caller.client.call(endlessReplyOperation, { word: 'a', count: 1 }, createCallFrame()));
    const { returned, aborted } = handlerRecord;
    for await (const chunk of body) if (chunk.length > 0) break;
    await waitUntil(() => handlerRecord.returned > returned && handlerRecord.aborted > aborted);
    const { produced } = handlerRecord;
    await pause(50);
    expect(handlerRecord.produced).toBe(produced);
  });

  it('stop when the signal of the caller aborts, and the reader gets an error', async () => {
    const leaving = new AbortController();
    const body = streamOf(
      await caller.client.call(endlessReplyOperation, { word: 'a', count: 1 }, createCallFrame(), leaving.signal),
    );
    const { returned } = handlerRecord;
    const reading = wholeOf(body);
    leaving.abort();
    await expect(reading).rejects.toThrow(ReplyInterruptedError);
    await waitUntil(() => handlerRecord.returned > returned);
  });

  it('give the reader an error without details when their source fails midway', async () => {
    const result = await caller.client.call(
      brokenStreamOperation,
      { word: 'a', count: 3 * megabyte },
      createCallFrame(),
    );
    const reading = wholeOf(streamOf(result));
    await expect(reading).rejects.toThrow(ReplyInterruptedError);
    await expect(reading).rejects.not.toThrow(/secrets/);
  });

  it('become an internal error when their source fails before anything was sent', async () => {
    const result = await caller.client.call(brokenStreamOperation, { word: 'a', count: 1000 }, createCallFrame());
    expect(result).toMatchObject({ ok: false, failure: { code: 'ADMIN_FATAL_ERROR' } });
  });

  it('give the reader an error at once when nats-server is killed', async () => {
    const body = streamOf(await caller.client.call(endlessReplyOperation, { word: 'a', count: 1 }, createCallFrame()));
    const { returned } = handlerRecord;
    const reading = wholeOf(body);
    reading.catch(() => {});
    await nats.kill();
    await expect(reading).rejects.toThrow(ReplyInterruptedError);
    await waitUntil(() => handlerRecord.returned > returned);
    await nats.restart();
    await Promise.all([caller.link, service.link].map((link) => link.whenConnected(connectTimeoutMs)));
    // NATS knows the subscriptions of the service again before it hears of the call.
    await service.link.connection?.flush();
    expect((await ask('pieces', 10)).ok).toBe(true);
  });
});

describe('a body whose source becomes unavailable', () => {
  let nats: TestNats;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  beforeAll(async () => {
    nats = await startTestNats();
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterAll(async () => {
    await caller.stop();
    await nats.stop();
  });

  const outage = fail('SERVICE_UNAVAILABLE', 'The source is away.', { retryAfterSeconds: 1 }).failure;
  const log = { ...silentLog, warn: jest.fn(), error: jest.fn() };
  const served = jest.fn<(operation: string, outcome: string) => void>();
  const observer = { served, called: () => undefined };
  /** Answers the failure, if the answer had not begun, and how it was counted. */
  const askWith = async (failureOf: () => Failure | undefined, count: number): Promise<readonly unknown[]> => {
    log.warn.mockClear();
    log.error.mockClear();
    served.mockClear();
    const service = await startTestService(nats.urlFor('content-repo'), log, { failureOf, observer });
    const result = await caller.client.call(brokenStreamOperation, { word: 'a', count }, createCallFrame());
    if (result.ok) await expect(wholeOf(streamOf(result))).rejects.toThrow(ReplyInterruptedError);
    await waitUntil(() => served.mock.calls.length === 1);
    await service.stop();
    return [result.ok ? 'begun' : result.failure, served.mock.calls[0]?.[1]];
  };

  it('is logged as a warning and counted separately from internal errors', async () => {
    expect(await askWith(() => outage, 3 * megabyte)).toEqual(['begun', 'interrupted']);
    expect(log.warn).toHaveBeenCalledWith(
      expect.objectContaining({ operation: 'trial.broken', code: 'SERVICE_UNAVAILABLE', reason: expect.any(String) }),
      'an answer broke off',
    );
    expect(await askWith(() => outage, 1000)).toEqual([outage, 'SERVICE_UNAVAILABLE']);
    expect(log.warn).toHaveBeenCalledWith(expect.anything(), 'an answer could not be made');
    expect(log.error).not.toHaveBeenCalled();
  });

  it('is logged as an internal error when its error is unknown', async () => {
    expect(await askWith(() => undefined, 3 * megabyte)).toEqual(['begun', 'ADMIN_FATAL_ERROR']);
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ operation: 'trial.broken' }),
      'an operation failed by a bug',
    );
    expect(log.warn).not.toHaveBeenCalled();
  });
});
