/** Permissions that a running nats-server loses and gets back, before and after its clients connect anew. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Operation, RequestOf } from '@tessera/contracts';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { EventPublisher } from './event-publisher.js';
import {
  announcedOperation,
  bytesOperation,
  echoOperation,
  endlessReplyOperation,
  waitingOperation,
} from './testing/operations.js';
import {
  connectTimeoutMs,
  createCallFrame,
  handlerRecord,
  megabyte,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';

const mendedWithinMs = 10_000;

let nats: TestNats;
let service: TestService;
let caller: Awaited<ReturnType<typeof startTestClient>>;
let logged: string[];
beforeAll(async () => void (nats = await startTestNats()));
afterAll(() => nats.stop());
beforeEach(async () => {
  logged = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: object) => void logged.push(JSON.stringify(fields)),
  };
  service = await startTestService(nats.urlFor('content-repo'), log);
  caller = await startTestClient(nats.urlFor('gateway'), log);
});
afterEach(async () => {
  await caller.stop();
  await service.stop();
  await nats.deny('gateway', {});
});

const call = <O extends Operation>(operation: O, request: RequestOf<O>, signal?: AbortSignal) =>
  caller.client.call(operation, request, createCallFrame(), signal);
const echo = () => call(echoOperation, { word: 'a', count: 1 });

/** Whether this is answered; one that waits for somebody who hears nothing is not waited for. */
const answers = async (asked: ReturnType<typeof echo>): Promise<boolean> => (await asked).ok;

const readsChunks = async (): Promise<boolean> => {
  const result = await call(bytesOperation, { word: 'pieces', count: 3 * megabyte });
  if (!result.ok || result.value.body instanceof Uint8Array) return false;
  let bytes = 0;
  try {
    for await (const chunk of result.value.body) bytes += chunk.length;
  } catch {
    return false;
  }
  return bytes === 3 * megabyte;
};

/** Whether a call that its caller leaves is aborted where it runs. */
const isCancelled = async (): Promise<boolean> => {
  const { aborted, running } = handlerRecord;
  const leaving = new AbortController();
  const asked = call(waitingOperation, { word: 'a', count: 2_000 }, leaving.signal);
  await waitUntil(() => handlerRecord.running > running);
  leaving.abort();
  await asked;
  await waitUntil(() => handlerRecord.running === running);
  return handlerRecord.aborted > aborted;
};

const isReady = async ({ link }: { readonly link: TestService['link'] }): Promise<boolean> =>
  (await link.answers()) &&
  (await Promise.all([link.hears('inbox'), link.hears('operations'), link.hears('replicas')])).every(Boolean);

const orders = ['mended, then connected anew', 'connected anew, then mended'] as const;

type Fault = {
  readonly of: string;
  readonly user: 'gateway' | 'content-repo';
  readonly denied: Parameters<TestNats['deny']>[1];
  readonly works: () => Promise<boolean>;
  readonly isReadyWithout: boolean;
};

const faults: readonly Fault[] = [
  {
    of: 'the inbox of a caller',
    user: 'gateway',
    denied: { subscribe: ['_INBOX.gateway.>'] },
    works: () => answers(echo()),
    isReadyWithout: false,
  },
  {
    of: 'the operations of a service',
    user: 'content-repo',
    denied: { subscribe: ['op.content-repo.>'] },
    works: async () => (await answers(echo())) && (await isCancelled()),
    isReadyWithout: false,
  },
  {
    of: 'the inbox of a service, by which readers give credits',
    user: 'content-repo',
    denied: { subscribe: ['_INBOX.content-repo.>'] },
    works: readsChunks,
    isReadyWithout: false,
  },
  {
    of: 'the inbox of a service, by which effects are acknowledged',
    user: 'content-repo',
    denied: { subscribe: ['_INBOX.content-repo.>'] },
    works: () => answers(call(announcedOperation, { word: 'a', count: 1 })),
    isReadyWithout: false,
  },
  {
    of: 'answering to inboxes',
    user: 'content-repo',
    denied: { publish: ['_INBOX.>'] },
    works: () => answers(echo()),
    isReadyWithout: false,
  },
  {
    of: 'calling a service',
    user: 'gateway',
    denied: { publish: ['op.content-repo.>'] },
    works: () => answers(echo()),
    isReadyWithout: true,
  },
];

const connectAnew = async () => {
  for (const { link } of [caller, service]) {
    const lost = new Promise<void>((resolve) => link.listen({ lost: resolve }));
    await link.connection?.reconnect();
    await lost;
    await link.whenConnected(connectTimeoutMs);
  }
};

describe.each(orders)('a permission that is lost, %s', (order) => {
  it.each(faults)('$of: works within ten seconds, without a restart', async (fault) => {
    expect(await fault.works()).toBe(true);
    const one = fault.user === 'gateway' ? caller : service;
    expect(await isReady(one)).toBe(true);
    await nats.deny(fault.user, fault.denied);
    if (order === orders[1]) await connectAnew();
    expect(await fault.works()).toBe(false);
    await waitUntil(async () => (await isReady(one)) === fault.isReadyWithout);

    await nats.deny(fault.user, {});
    const mendedAtMs = performance.now();
    await waitUntil(fault.works);
    await waitUntil(() => isReady(one));
    expect(performance.now() - mendedAtMs).toBeLessThan(mendedWithinMs);

    if (order === orders[0]) await connectAnew();
    await waitUntil(fault.works);
    await waitUntil(() => isReady(one));
  });

  it('what replicas tell each other: is heard within ten seconds, without a restart', async () => {
    const heard: string[] = [];
    caller.link.subscribe('replicas.gateway.trial', (message) => void heard.push(message.string()));
    const works = async () => {
      const { length } = heard;
      caller.link.connection?.publish('replicas.gateway.trial', 'a');
      await caller.link.connection?.flush();
      return heard.length > length;
    };
    expect(await works()).toBe(true);
    await nats.deny('gateway', { subscribe: ['replicas.gateway.>'] });
    if (order === orders[1]) await connectAnew();
    expect(await works()).toBe(false);
    expect([await caller.link.hears('replicas'), await caller.link.hears('inbox')]).toEqual([false, true]);

    await nats.deny('gateway', {});
    const mendedAtMs = performance.now();
    await waitUntil(works);
    await waitUntil(() => isReady(caller));
    expect(performance.now() - mendedAtMs).toBeLessThan(mendedWithinMs);
    if (order === orders[0]) await connectAnew();
    expect(await works()).toBe(true);
  });

  it.each([
    ['publishing them', { publish: ['evt.content-repo.>'] }],
    ['hearing that they are stored', { subscribe: ['_INBOX.content-repo.>'] }],
    ['finding their stream', { publish: ['$JS.API.STREAM.INFO.TESSERA_EVENTS'] }],
  ])('events and %s: they wait, and are stored within ten seconds', async (_what, denied) => {
    const events: string[] = [];
    const publisher = new EventPublisher({
      link: service.link,
      log: { info: () => {}, warn: () => void (waits = true), error: () => {} },
      source: {
        relay: async (send) => {
          for (let id = events[0]; id !== undefined; id = events[0]) {
            await send({ id, subject: 'evt.content-repo.meridian.trial', payload: '{}' });
            events.shift();
          }
          return 'drained';
        },
      },
    });
    let waits = false;
    await nats.deny('content-repo', denied);
    if (order === orders[1]) await connectAnew();
    const id = `${order} ${JSON.stringify(denied)}`;
    events.push(id);
    publisher.start();
    await waitUntil(() => waits);
    expect(events).toEqual([id]);

    await nats.deny('content-repo', {});
    const mendedAtMs = performance.now();
    await waitUntil(() => events.length === 0);
    expect(performance.now() - mendedAtMs).toBeLessThan(mendedWithinMs);
    expect((await nats.storedEvents()).filter(({ messageId }) => messageId === id)).toHaveLength(1);
    await publisher.stop();
  });
});

describe('while a permission is lost', () => {
  it('calls fail at once when their answers cannot be heard: those under way, and those that come', async () => {
    const { running } = handlerRecord;
    const waiting = call(waitingOperation, { word: 'a', count: waitingOperation.timeoutMs });
    await waitUntil(() => handlerRecord.running > running);
    await nats.deny('gateway', { subscribe: ['_INBOX.gateway.>'] });
    for (const asked of [waiting, echo()])
      expect(await asked).toMatchObject({
        failure: {
          code: 'SERVICE_UNAVAILABLE',
          detail: 'The platform may not receive its own answers at the moment; the log names the missing permission.',
        },
      });
    expect(logged.join()).toContain('_INBOX.gateway.');
  });

  it('calls that may not be sent fail at once, and the log names the subject', async () => {
    await nats.deny('gateway', { publish: ['op.content-repo.>'] });
    expect(await echo()).toMatchObject({
      failure: {
        code: 'SERVICE_UNAVAILABLE',
        detail: 'The platform may not send this call at the moment; the log names the missing permission.',
      },
    });
    expect(logged.join()).toContain('op.content-repo.trial.echo');
  });

  it('an answer in pieces ends when its service cannot hear its reader', async () => {
    const result = await call(endlessReplyOperation, { word: 'a', count: 1 });
    if (!result.ok || result.value.body instanceof Uint8Array) throw new Error('not chunked');
    const { body } = result.value;
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length === 0) return;
    })();
    await Promise.all([
      nats.deny('content-repo', { subscribe: ['_INBOX.content-repo.>'] }),
      expect(reading).rejects.toThrow(),
    ]);
  });

  it('it is logged once a minute, however often it is tried', async () => {
    await nats.deny('gateway', { subscribe: ['_INBOX.gateway.>'], publish: ['op.content-repo.>'] });
    for (let turn = 0; turn < 3; turn++) {
      await connectAnew();
      caller.link.connection?.publish('op.content-repo.trial.echo');
      await caller.link.connection?.flush();
    }
    expect(logged.filter((line) => line.includes('_INBOX.gateway.'))).toHaveLength(1);
    expect(logged.filter((line) => line.includes('op.content-repo.'))).toHaveLength(1);
  });
});
