import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { eventStreamName } from '@tessera/contracts';
import { findFreePort, findOrInstallNatsServer } from '@tessera/local-stack';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { EventPublisher, type PendingEventSource } from './event-publisher.js';
import type { OutgoingEvent } from './event-stream.js';
import { type MessagingLog, connectNats } from './nats-link.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const eventOf = (id: number, subject = 'evt.content-repo.meridian.trial'): OutgoingEvent => ({
  id: `event-${id}`,
  subject,
  payload: `{"id":${id}}`,
});

/** Events in memory, as an outbox hands them out. */
const waitingIn = (events: OutgoingEvent[]): PendingEventSource => ({
  relay: async (send) => {
    for (let event = events[0]; event !== undefined; event = events[0]) {
      await send(event);
      events.shift();
    }
    return 'drained';
  },
});

const start = (url: string, source: PendingEventSource, service = 'content-repo', streamReplicas = 1) => {
  const reasons: string[] = [];
  const told: string[] = [];
  const log: MessagingLog = {
    info: (_fields, message) => void told.push(message),
    warn: (fields, message) => {
      // How long a machine takes to connect is not what these specs are about.
      if (!('reason' in fields) || fields.reason === 'NATS is not connected') return;
      told.push(message);
      reasons.push(String(fields.reason));
    },
    error: () => undefined,
  };
  const link = connectNats({ url, service, log: { ...log, info: () => undefined, warn: () => undefined } });
  const publisher = new EventPublisher({ link, source, log, streamReplicas });
  publisher.start();
  ends.push(async () => {
    await publisher.stop();
    await link.close();
  });
  return { publisher, link, reasons, told };
};

describe('a publisher', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());

  const onStreams = async <T>(
    work: (streams: Awaited<ReturnType<typeof jetstreamManager>>['streams']) => Promise<T>,
  ) => {
    const { host, username, password } = new URL(nats.url);
    const connection = await connect({ servers: host, user: username, pass: password });
    try {
      return await work((await jetstreamManager(connection)).streams);
    } finally {
      await connection.close();
    }
  };

  it('creates the stream when it is missing: on disk, bounded by age and size, with a deduplication window', async () => {
    const events = [eventOf(1), eventOf(2), eventOf(1)];
    start(nats.urlFor('content-repo'), waitingIn(events));
    await waitUntil(() => events.length === 0);
    const { config } = await onStreams((streams) => streams.info(eventStreamName));
    expect(config).toMatchObject({
      subjects: ['evt.>'],
      storage: StorageType.File,
      max_age: nanos(7 * 24 * 3600 * 1000),
      max_bytes: 512 * 1024 * 1024,
      duplicate_window: nanos(120_000),
    });
    expect((await nats.storedEvents()).map(({ messageId }) => messageId)).toEqual(['event-1', 'event-2']);
  });

  it('leaves an existing stream unchanged and creates it again when it is gone', async () => {
    await onStreams(async (streams) => {
      await streams.delete(eventStreamName);
      await streams.add({ name: eventStreamName, subjects: ['evt.>'], max_msgs: 1000, storage: StorageType.Memory });
    });
    const events = [eventOf(3)];
    const { publisher } = start(nats.urlFor('content-repo'), waitingIn(events));
    await waitUntil(() => events.length === 0);
    const { config } = await onStreams((streams) => streams.info(eventStreamName));
    expect(config).toMatchObject({ max_msgs: 1000, storage: StorageType.Memory });

    await onStreams((streams) => streams.delete(eventStreamName));
    events.push(eventOf(4));
    publisher.wake();
    await waitUntil(() => events.length === 0);
    expect((await nats.storedEvents()).map(({ messageId }) => messageId)).toEqual(['event-4']);
  });

  it('names the subjects that a stream must have when it does not accept its events', async () => {
    await onStreams(async (streams) => {
      await streams.delete(eventStreamName);
      await streams.add({ name: eventStreamName, subjects: ['other.>'] });
    });
    const events = [eventOf(5)];
    const { reasons } = start(nats.urlFor('content-repo'), waitingIn(events));
    await waitUntil(() => reasons.length > 0);
    expect(reasons).toEqual(['no stream takes the event; the subjects of TESSERA_EVENTS must have evt.>']);
    await onStreams((streams) => streams.delete(eventStreamName));
    await waitUntil(() => events.length === 0);
  });

  it('may publish only the events of its own service; other events stay pending', async () => {
    const events = [eventOf(6, 'evt.gateway.meridian.trial')];
    const { reasons } = start(nats.urlFor('content-repo'), waitingIn(events));
    await waitUntil(() => reasons.length > 0);
    expect(reasons.join()).toMatch(/permissions violation.*evt\.gateway/i);
    expect(events).toHaveLength(1);
  });

  it('is refused by NATS for a service without events', async () => {
    const { reasons } = start(nats.urlFor('gateway'), waitingIn([]), 'gateway');
    await waitUntil(() => reasons.length > 0);
    expect(reasons.join()).toMatch(/permissions violation.*STREAM\.INFO/i);
  });
});

describe('a stream with more replicas than servers', () => {
  it('is not created with fewer replicas, and the log says what NATS lacks', async () => {
    const nats = await startTestNats();
    ends.push(nats.stop);
    const events = [eventOf(7)];
    const { reasons } = start(nats.urlFor('content-repo'), waitingIn(events), 'content-repo', 3);
    await waitUntil(() => reasons.length > 0);
    expect(reasons.join()).toMatch(/replicas/);
    expect(events).toHaveLength(1);
  });
});

describe('a server without JetStream', () => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await findFreePort();
    server = spawn(await findOrInstallNatsServer(), ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    url = `nats://127.0.0.1:${port}`;
  });
  afterAll(() => void server.kill('SIGKILL'));

  it('is logged once, saying what to enable, even before an event is pending', async () => {
    const { reasons, told, publisher } = start(url, waitingIn([]));
    await waitUntil(() => reasons.length > 0);
    publisher.wake();
    // Several attempts.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(reasons).toEqual([
      'JetStream is not enabled on the server of NATS_URL; start nats-server with -js or give its configuration a jetstream block',
    ]);
    expect(told).toHaveLength(1);
  });
});
