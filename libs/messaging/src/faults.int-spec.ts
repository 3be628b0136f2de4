import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subjectOf } from '@tessera/contracts';
import { testNats, type TestNats } from '@tessera/testing';
import { silenceMs } from './stream-limits.js';
import { bytes, echo, endless, store, wait } from './testing/operations.js';
import {
  eventually,
  frame,
  seen,
  startTrialClient,
  startTrialService,
  type TrialService,
} from './testing/trial-service.js';

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

describe('faults of NATS and of services', () => {
  let nats: TestNats;
  let service: TrialService;
  let caller: Awaited<ReturnType<typeof startTrialClient>>;
  beforeAll(async () => {
    nats = await testNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    service = await startTrialService(nats.urlFor('content-repo'));
    caller = await startTrialClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  const waiting = (count: number) => caller.client.call(wait, { word: 'a', count }, frame());
  const echoes = () => caller.client.call(echo, { word: 'a', count: 1 }, frame());
  const codes = async (calls: readonly ReturnType<typeof echoes>[]): Promise<readonly string[]> =>
    (await Promise.all(calls)).map((result) => (result.ok ? 'ok' : result.failure.code));

  it('end every pending call at once when nats-server is killed, and calls work again when it is back', async () => {
    const calls = Array.from({ length: 20 }, () => waiting(20_000));
    await eventually(() => seen.running >= 20);
    const killedAt = Date.now();
    await nats.kill();
    expect(new Set(await codes(calls))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(Date.now() - killedAt).toBeLessThan(1000);

    const offlineAt = Date.now();
    expect(await codes([echoes()])).toEqual(['SERVICE_UNAVAILABLE']);
    expect(Date.now() - offlineAt).toBeLessThan(50);

    await nats.restart();
    const backAt = Date.now();
    while ((await codes([echoes()]))[0] !== 'ok' && Date.now() - backAt < 5000) await pause(20);
    expect(await codes([echoes()])).toEqual(['ok']);
    expect(Date.now() - backAt).toBeLessThan(2000);
  });

  it('a client and a service that start before nats-server find it when it comes', async () => {
    await nats.kill();
    const lateService = await startTrialServiceWithoutWaiting();
    expect(lateService.link.connected).toBe(false);
    await nats.restart();
    expect(await lateService.link.whenConnected(3000)).toBe(true);
    await lateService.stop();
  });
  const startTrialServiceWithoutWaiting = () => startTrialService(nats.urlFor('content-repo'), undefined, 0);

  it('tell the reader of a chunked reply when only the service has lost its connection', async () => {
    const result = await caller.client.call(endless, { word: 'a', count: 1 }, frame());
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const { body } = result.value;
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length === 0) return;
    })();
    await Promise.all([service.link.connection?.reconnect(), expect(reading).rejects.toThrow(/connection/)]);
    await service.link.whenConnected(2000);
    expect(await codes([echoes()])).toEqual(['ok']);
  });

  it('a read that a dying replica has swallowed is answered by another one after a few seconds', async () => {
    const dying = await startTrialClient(nats.urlFor('content-repo'), undefined, 'content-repo');
    await service.operations.close();
    let swallowed = 0;
    const subscription = dying.link.connection?.subscribe(subjectOf(echo), {
      queue: 'content-repo',
      callback: () => void (swallowed += 1),
    });
    await dying.link.connection?.flush();
    const call = echoes();
    await eventually(() => swallowed === 1);
    subscription?.unsubscribe();
    const living = await startTrialService(nats.urlFor('content-repo'));
    const startedAt = Date.now();
    expect(await codes([call])).toEqual(['ok']);
    expect(Date.now() - startedAt).toBeLessThan(silenceMs + 500);
    await Promise.all([living.stop(), dying.stop()]);
  });

  it('a write that a dying replica has swallowed ends with 503 and is not sent again', async () => {
    const dying = await startTrialClient(nats.urlFor('content-repo'), undefined, 'content-repo');
    let swallowed = 0;
    dying.link.connection?.subscribe(subjectOf(store), { queue: 'x', callback: () => void (swallowed += 1) });
    await dying.link.connection?.flush();
    const result = await caller.client.call(store, { word: 'a', count: 1 }, frame());
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(swallowed).toBe(1);
    await dying.stop();
  });

  it('a call that takes longer than a dead service would stay silent is waited for', async () => {
    expect(await codes([waiting(silenceMs + 700)])).toEqual(['ok']);
  });

  it('lose no call when one of two replicas drains under load', async () => {
    const second = await startTrialService(nats.urlFor('content-repo'));
    let running = true;
    const outcomes: string[] = [];
    const load = Array.from({ length: 16 }, async (_, worker) => {
      while (running) outcomes.push(...(await codes([worker % 4 === 0 ? waiting(20) : echoes()])));
    });
    await eventually(() => outcomes.length > 200, 15_000);
    await second.stop();
    const drained = outcomes.length;
    await eventually(() => outcomes.length > drained + 200, 15_000);
    running = false;
    await Promise.all(load);
    expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([]);
  });

  it('finish a chunked reply before a draining service ends', async () => {
    const result = await caller.client.call(bytes, { word: 'pieces', count: 8_000_000 }, frame());
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const stopped = service.operations.close();
    let arrivedBytes = 0;
    for await (const chunk of result.value.body) {
      arrivedBytes += chunk.length;
      await pause(1);
    }
    expect(arrivedBytes).toBe(8_000_000);
    await stopped;
  });

  it('end a drain as soon as the last call is answered', async () => {
    const call = waiting(150);
    await eventually(() => seen.running > 0);
    const startedAt = Date.now();
    await service.operations.close();
    expect(Date.now() - startedAt).toBeLessThan(400);
    expect(await codes([call])).toEqual(['ok']);
  });

  it('refuse new calls on a closing client and let the running ones end', async () => {
    const call = waiting(100);
    const closed = caller.client.close(1000);
    expect(await codes([echoes()])).toEqual(['SERVICE_UNAVAILABLE']);
    await closed;
    expect(await codes([call])).toEqual(['ok']);
  });
});

describe('permissions of NATS', () => {
  it('are logged and end a call at once when they forbid it, and make a service not ready', async () => {
    const nats = await testNats();
    const errors: string[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(JSON.stringify(fields)) };
    const wrongCaller = await startTrialClient(nats.urlFor('content-repo'), log, 'content-repo');
    const startedAt = Date.now();
    const result = await wrongCaller.client.call(echo, { word: 'a', count: 1 }, frame());
    expect(result).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Date.now() - startedAt).toBeLessThan(500);
    expect(errors.join()).toMatch(/permissions violation/i);

    const wrongService = await startTrialService(nats.urlFor('agents'), log);
    await eventually(() => wrongService.operations.refusedSubjects.includes('op.content-repo.trial.echo'));
    await wrongCaller.stop();
    await wrongService.stop();
    await nats.stop();
  });
});
