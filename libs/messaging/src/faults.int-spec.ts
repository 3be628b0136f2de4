import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operationSubjectOf, type Operation } from '@tessera/contracts';
import { fail } from '@tessera/failures';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { maxSendAttempts, silenceTimeoutMs } from './stream-limits.js';
import {
  throwingOperation,
  bytesOperation,
  echoOperation,
  endlessReplyOperation,
  storingOperation,
  keyedStoringOperation,
  waitingOperation,
} from './testing/operations.js';
import {
  connectTimeoutMs,
  createCallFrame,
  resetRecordedStoreCalls,
  handlerRecord,
  startTestClient,
  startTestService,
  recordedStoreCalls,
  type TestService,
} from './testing/test-service.js';

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

describe('when NATS or services fail', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    resetRecordedStoreCalls();
    service = await startTestService(nats.urlFor('content-repo'));
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  const waiting = (count: number) => caller.client.call(waitingOperation, { word: 'a', count }, createCallFrame());
  type Asked = ReturnType<typeof caller.client.call>;
  const echoes = () => caller.client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame());
  const codes = async (calls: readonly ReturnType<typeof echoes>[]): Promise<readonly string[]> =>
    (await Promise.all(calls)).map((result) => (result.ok ? 'ok' : result.failure.code));

  /** What they end with when they end before anything of the next turn of the event loop. */
  const withoutWaiting = (call: ReturnType<typeof echoes>) =>
    Promise.race([codes([call]), new Promise((resolve) => setImmediate(resolve, 'waits'))]);

  it('every pending call ends at once when nats-server is killed, and calls work again when it is back', async () => {
    const { running } = handlerRecord;
    const calls = Array.from({ length: 20 }, () => waiting(waitingOperation.timeoutMs));
    await waitUntil(() => handlerRecord.running >= running + 20);
    await nats.kill();
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({
        failure: { code: 'SERVICE_UNAVAILABLE', detail: 'The connection to the services is lost.' },
      });
    expect(await withoutWaiting(echoes())).toEqual(['SERVICE_UNAVAILABLE']);

    await nats.restart();
    await waitUntil(async () => (await codes([echoes()]))[0] === 'ok');
    expect(await codes([echoes()])).toEqual(['ok']);
  });

  it('a client and a service that start before nats-server connect when it starts', async () => {
    await nats.kill();
    const lateService = await startTestService(nats.urlFor('content-repo'), undefined, { waitMs: 0 });
    expect(lateService.link.connected).toBe(false);
    await nats.restart();
    expect(await lateService.link.whenConnected(connectTimeoutMs)).toBe(true);
    await lateService.stop();
  });

  it('a chunked reply fails for its reader when only the service has lost its connection', async () => {
    const result = await caller.client.call(endlessReplyOperation, { word: 'a', count: 1 }, createCallFrame());
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const { body } = result.value;
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length === 0) return;
    })();
    await Promise.all([service.link.connection?.reconnect(), expect(reading).rejects.toThrow(/connection/)]);
    await service.link.whenConnected(connectTimeoutMs);
    expect(await codes([echoes()])).toEqual(['ok']);
  });

  /** A replica that takes `callsMax` calls of the operation and is then gone, as NATS itself sees it. */
  const startDying = async (operation: Operation, callsMax = 1, queue = 'content-repo') => {
    const { link, stop } = await startTestClient(nats.urlFor('content-repo'), undefined, 'content-repo');
    const swallowed: number[] = [];
    const callback = (): void => void swallowed.push(Date.now());
    link.connection?.subscribe(operationSubjectOf(operation), { queue, max: callsMax, callback });
    await link.connection?.flush();
    return { swallowed, stop };
  };
  /** Calls until the dying replica has taken one; what they all ended with. */
  const callUntilSwallowed = async (dying: { readonly swallowed: readonly number[] }, ask: () => Asked) => {
    const asked: Asked[] = [];
    await waitUntil(() => {
      if (dying.swallowed.length === 0) asked.push(ask());
      return dying.swallowed.length > 0;
    });
    return Promise.all(asked);
  };
  const storeUnder = (idempotencyKey: string) =>
    caller.client.call(keyedStoringOperation, { word: 'a', idempotencyKey }, createCallFrame());

  it('a read lost with a dying replica is answered by another one', async () => {
    const dying = await startDying(echoOperation);
    const results = await callUntilSwallowed(dying, echoes);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(dying.swallowed).toHaveLength(1);
    await dying.stop();
  });

  it('a write lost with a dying replica ends with 503 and is not sent again', async () => {
    const dying = await startDying(storingOperation, 2, 'x');
    const result = await caller.client.call(storingOperation, { word: 'a', count: 1 }, createCallFrame());
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(dying.swallowed).toHaveLength(1);
    await dying.stop();
  });

  it('an idempotent write lost with a dying replica is done by another one before the timeout', async () => {
    const dying = await startDying(keyedStoringOperation);
    let last = 0;
    const results = await callUntilSwallowed(dying, () => storeUnder(`key ${++last}`));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(recordedStoreCalls.stored.toSorted()).toEqual(
      Array.from({ length: last }, (_, index) => `key ${index + 1}`).toSorted(),
    );
    expect((recordedStoreCalls.asked.at(-1) ?? 0) - (dying.swallowed[0] ?? 0)).toBeLessThan(silenceTimeoutMs);
    await dying.stop();
  });

  it('a write that was sent again waits while the previous attempt holds its key', async () => {
    await service.stop();
    const alone = await startDying(keyedStoringOperation);
    const call = storeUnder('held');
    await waitUntil(() => alone.swallowed.length === 1);
    recordedStoreCalls.heldTimes = 3;
    service = await startTestService(nats.urlFor('content-repo'));
    expect(await call).toMatchObject({ ok: true });
    expect(recordedStoreCalls).toMatchObject({ stored: ['held'], heldTimes: -1 });
    await alone.stop();
  });

  it('a write whose key is held by another request is refused at once', async () => {
    recordedStoreCalls.heldTimes = 1;
    expect(await codes([storeUnder('held')])).toEqual(['GENERAL_IDEMPOTENCY_RUNNING']);
    expect(recordedStoreCalls.asked).toHaveLength(1);
  });

  it('an idempotent write is sent only a few times when no replica responds', async () => {
    await service.stop();
    const dying = await startDying(keyedStoringOperation, 100);
    expect(await storeUnder('lost')).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(dying.swallowed).toHaveLength(maxSendAttempts);
    await dying.stop();
    service = await startTestService(nats.urlFor('content-repo'));
  });

  it('a call that reports progress is awaited beyond the silence limit', async () => {
    expect(await codes([waiting(silenceTimeoutMs + 700)])).toEqual(['ok']);
  });

  it('no call is lost when one of two replicas drains under load', async () => {
    const second = await startTestService(nats.urlFor('content-repo'));
    let running = true;
    const outcomes: string[] = [];
    const load = Array.from({ length: 16 }, async (_, worker) => {
      while (running) outcomes.push(...(await codes([worker % 4 === 0 ? waiting(20) : echoes()])));
    });
    await waitUntil(() => outcomes.length > 200);
    await second.stop();
    const drained = outcomes.length;
    await waitUntil(() => outcomes.length > drained + 200);
    running = false;
    await Promise.all(load);
    expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([]);
  });

  /** The only replica from now on; it would wait for its last call longer than the spec lasts. */
  const startPatientService = async (): Promise<TestService> => {
    await service.stop();
    service = await startTestService(nats.urlFor('content-repo'), undefined, { drainMs: waitingOperation.timeoutMs });
    return service;
  };

  it('a draining service finishes a chunked reply before it ends', async () => {
    const { operations } = await startPatientService();
    const result = await caller.client.call(bytesOperation, { word: 'pieces', count: 8_000_000 }, createCallFrame());
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const stopped = operations.close();
    let arrivedBytes = 0;
    for await (const chunk of result.value.body) {
      arrivedBytes += chunk.length;
      await pause(1);
    }
    expect(arrivedBytes).toBe(8_000_000);
    await stopped;
  });

  it('a drain ends as soon as the last call is answered', async () => {
    const { operations } = await startPatientService();
    const { running } = handlerRecord;
    const call = waiting(150);
    await waitUntil(() => handlerRecord.running > running);
    await operations.close();
    expect(handlerRecord.running).toBe(running);
    expect(await codes([call])).toEqual(['ok']);
  });

  it('a closing client refuses new calls and lets the running ones end', async () => {
    const call = waiting(100);
    const closed = caller.client.close(waitingOperation.timeoutMs);
    expect(await withoutWaiting(echoes())).toEqual(['SERVICE_UNAVAILABLE']);
    await closed;
    expect(await codes([call])).toEqual(['ok']);
  });
});

describe('an error of an unavailable dependency', () => {
  const lines: { readonly level: 'warn' | 'error'; readonly message: string }[] = [];
  const log = {
    info: () => {},
    warn: (_fields: object, message: string) => void lines.push({ level: 'warn', message }),
    error: (_fields: object, message: string) => void lines.push({ level: 'error', message }),
  };
  const away = fail('SERVICE_UNAVAILABLE', 'The database is not available at the moment.', { retryAfterSeconds: 1 });
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

  it('becomes the failure of the dependency, not an internal error, when a handler throws it', async () => {
    const ask = () => caller.client.call(throwingOperation, { word: 'a', count: 1 }, createCallFrame());
    const unknowing = await startTestService(nats.urlFor('content-repo'), log);
    expect(await ask()).toMatchObject({ failure: { code: 'ADMIN_FATAL_ERROR' } });
    expect(lines.splice(0)).toEqual([{ level: 'error', message: 'an operation failed by a bug' }]);
    await unknowing.stop();
    const service = await startTestService(nats.urlFor('content-repo'), log, { failureOf: () => away.failure });
    expect(await ask()).toEqual(away);
    expect(lines.splice(0)).toEqual([{ level: 'warn', message: 'an answer could not be made' }]);
    await service.stop();
  });
});

describe('permissions of NATS', () => {
  it('that forbid a call are logged, fail the call at once and make the service not ready', async () => {
    const nats = await startTestNats();
    const errors: string[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(JSON.stringify(fields)) };
    const wrongCaller = await startTestClient(nats.urlFor('content-repo'), log, 'content-repo');
    const result = await wrongCaller.client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame());
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('may not send this call') },
    });
    expect(errors.join()).toMatch(/permissions violation/i);

    const wrongService = await startTestService(nats.urlFor('agents'), log);
    await waitUntil(async () => !(await wrongService.link.hears('operations')));
    await wrongCaller.stop();
    await wrongService.stop();
    await nats.stop();
  });
});
