import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subjectOf, type Operation } from '@tessera/contracts';
import { fail } from '@tessera/failures';
import { waitUntil, testNats, type TestNats } from '@tessera/testing';
import { sendsMax, silenceMs } from './stream-limits.js';
import { throwError, bytes, echo, endless, store, storeOnce, wait } from './testing/operations.js';
import {
  connectWithinMs,
  frame,
  resetStoreCalls,
  handlerRecord,
  startTestClient,
  startTestService,
  storeCalls,
  type TestService,
} from './testing/test-service.js';

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

describe('faults of NATS and of services', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  beforeAll(async () => {
    nats = await testNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    resetStoreCalls();
    service = await startTestService(nats.urlFor('content-repo'));
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  const waiting = (count: number) => caller.client.call(wait, { word: 'a', count }, frame());
  type Asked = ReturnType<typeof caller.client.call>;
  const echoes = () => caller.client.call(echo, { word: 'a', count: 1 }, frame());
  const codes = async (calls: readonly ReturnType<typeof echoes>[]): Promise<readonly string[]> =>
    (await Promise.all(calls)).map((result) => (result.ok ? 'ok' : result.failure.code));

  /** What they end with when they end before anything of the next turn of the event loop. */
  const withoutWaiting = (call: ReturnType<typeof echoes>) =>
    Promise.race([codes([call]), new Promise((resolve) => setImmediate(resolve, 'waits'))]);

  it('end every pending call at once when nats-server is killed, and calls work again when it is back', async () => {
    const { running } = handlerRecord;
    const calls = Array.from({ length: 20 }, () => waiting(wait.timeoutMs));
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
    expect(await lateService.link.whenConnected(connectWithinMs)).toBe(true);
    await lateService.stop();
  });

  it('break the chunked reply at its reader when only the service has lost its connection', async () => {
    const result = await caller.client.call(endless, { word: 'a', count: 1 }, frame());
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const { body } = result.value;
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length === 0) return;
    })();
    await Promise.all([service.link.connection?.reconnect(), expect(reading).rejects.toThrow(/connection/)]);
    await service.link.whenConnected(connectWithinMs);
    expect(await codes([echoes()])).toEqual(['ok']);
  });

  /** A replica that takes `callsMax` calls of the operation and is then gone, as NATS itself sees it. */
  const startDying = async (operation: Operation, callsMax = 1, queue = 'content-repo') => {
    const { link, stop } = await startTestClient(nats.urlFor('content-repo'), undefined, 'content-repo');
    const swallowed: number[] = [];
    const callback = (): void => void swallowed.push(Date.now());
    link.connection?.subscribe(subjectOf(operation), { queue, max: callsMax, callback });
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
  const storeUnder = (idempotencyKey: string) => caller.client.call(storeOnce, { word: 'a', idempotencyKey }, frame());

  it('a read lost with a dying replica is answered by another one', async () => {
    const dying = await startDying(echo);
    const results = await callUntilSwallowed(dying, echoes);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(dying.swallowed).toHaveLength(1);
    await dying.stop();
  });

  it('a write lost with a dying replica ends with 503 and is not sent again', async () => {
    const dying = await startDying(store, 2, 'x');
    const result = await caller.client.call(store, { word: 'a', count: 1 }, frame());
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(dying.swallowed).toHaveLength(1);
    await dying.stop();
  });

  it('an idempotent write lost with a dying replica is done by another one before the timeout', async () => {
    const dying = await startDying(storeOnce);
    let last = 0;
    const results = await callUntilSwallowed(dying, () => storeUnder(`key ${++last}`));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(storeCalls.stored.toSorted()).toEqual(
      Array.from({ length: last }, (_, index) => `key ${index + 1}`).toSorted(),
    );
    expect((storeCalls.asked.at(-1) ?? 0) - (dying.swallowed[0] ?? 0)).toBeLessThan(silenceMs);
    await dying.stop();
  });

  it('a write that was sent again waits while the previous attempt holds its key', async () => {
    await service.stop();
    const alone = await startDying(storeOnce);
    const call = storeUnder('held');
    await waitUntil(() => alone.swallowed.length === 1);
    storeCalls.heldTimes = 3;
    service = await startTestService(nats.urlFor('content-repo'));
    expect(await call).toMatchObject({ ok: true });
    expect(storeCalls).toMatchObject({ stored: ['held'], heldTimes: -1 });
    await alone.stop();
  });

  it('a write whose key is held by another request is refused at once', async () => {
    storeCalls.heldTimes = 1;
    expect(await codes([storeUnder('held')])).toEqual(['GENERAL_IDEMPOTENCY_RUNNING']);
    expect(storeCalls.asked).toHaveLength(1);
  });

  it('an idempotent write is sent only a few times when no replica responds', async () => {
    await service.stop();
    const dying = await startDying(storeOnce, 100);
    expect(await storeUnder('lost')).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(dying.swallowed).toHaveLength(sendsMax);
    await dying.stop();
    service = await startTestService(nats.urlFor('content-repo'));
  });

  it('a call that reports progress is awaited beyond the silence limit', async () => {
    expect(await codes([waiting(silenceMs + 700)])).toEqual(['ok']);
  });

  it('lose no call when one of two replicas drains under load', async () => {
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
    service = await startTestService(nats.urlFor('content-repo'), undefined, { drainMs: wait.timeoutMs });
    return service;
  };

  it('finish a chunked reply before a draining service ends', async () => {
    const { operations } = await startPatientService();
    const result = await caller.client.call(bytes, { word: 'pieces', count: 8_000_000 }, frame());
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

  it('end a drain as soon as the last call is answered', async () => {
    const { operations } = await startPatientService();
    const { running } = handlerRecord;
    const call = waiting(150);
    await waitUntil(() => handlerRecord.running > running);
    await operations.close();
    expect(handlerRecord.running).toBe(running);
    expect(await codes([call])).toEqual(['ok']);
  });

  it('refuse new calls on a closing client and let the running ones end', async () => {
    const call = waiting(100);
    const closed = caller.client.close(wait.timeoutMs);
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
    nats = await testNats();
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterAll(async () => {
    await caller.stop();
    await nats.stop();
  });

  it('becomes its failure, not a bug, when a handler throws it', async () => {
    const ask = () => caller.client.call(throwError, { word: 'a', count: 1 }, frame());
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
  it('that forbid a call are logged, end it at once and make a service not ready', async () => {
    const nats = await testNats();
    const errors: string[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(JSON.stringify(fields)) };
    const wrongCaller = await startTestClient(nats.urlFor('content-repo'), log, 'content-repo');
    const result = await wrongCaller.client.call(echo, { word: 'a', count: 1 }, frame());
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: 'This service may not call that operation.' },
    });
    expect(errors.join()).toMatch(/permissions violation/i);

    const wrongService = await startTestService(nats.urlFor('agents'), log);
    await waitUntil(() => wrongService.operations.refusedSubjects.includes('op.content-repo.trial.echo'));
    await wrongCaller.stop();
    await wrongService.stop();
    await nats.stop();
  });
});
