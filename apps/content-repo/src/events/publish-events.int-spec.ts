import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventEnvelopeSchema } from '@tessera/contracts';
import { elementChanged } from '@tessera/contracts/content-repo';
import { connectNats, EventPublisher, silentLog, type NatsLink } from '@tessera/messaging';
import { createPool, runInTenantTransaction, openOutbox, relayEvents, writeEvents } from '@tessera/persistence';
import { EventPublishTrigger, EventsModule, openLog, ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { waitUntil, createTestDatabase, startTestNats, type TestDatabase, type TestNats } from '@tessera/testing';
import type pg from 'pg';
import { contentRepoSettings } from '../settings.js';

const elementId = '019a0000-0000-7000-8000-000000000001';
const requestId = 'request-1';

let database: TestDatabase;
let nats: TestNats;
let pool: pg.Pool;
let admin: pg.Pool;
let last: number;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const open = (url: string) =>
    createPool({ url, applicationName: 'events-spec', connectionsMax: 4, statementTimeoutMs: 5_000 });
  pool = open(database.urlFor('content-repo'));
  admin = open(database.adminUrl);
});
afterAll(async () => {
  await pool.end();
  await admin.end();
  await database.drop();
});
beforeEach(async () => {
  nats = await startTestNats();
  last = 0;
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await admin.query('delete from content_repo.outbox');
  await nats.stop();
});

type Service = {
  readonly publisher: EventPublishTrigger;
  readonly link: NatsLink;
  readonly lines: readonly string[];
  readonly waiting: () => Promise<string | undefined>;
  readonly stop: () => Promise<void>;
};

/** What the service has of events, beside the operations. */
const startService = async (url = nats.urlFor('content-repo')): Promise<Service> => {
  const lines: string[] = [];
  const { log } = openLog('content-repo', 'info', { write: (line) => void lines.push(line) });
  const link = connectNats({ url, service: 'content-repo', log: silentLog });
  const configuration = contentRepoSettings.parse({ DATABASE_URL: database.urlFor('content-repo') });
  const service = createTestProcess('content-repo', configuration, link);
  const events = EventsModule.forRootAsync({
    useFactory: () => openOutbox('content-repo', configuration.DATABASE_URL),
  });
  const module = await Test.createTestingModule({
    imports: [ServiceModule.forRoot({ ...service, log }), events],
  }).compile();
  await module.init();
  const publisher = module.get<EventPublishTrigger>(EventPublishTrigger, { strict: false });
  let closed: Promise<void> | undefined;
  const stop = () => (closed ??= module.close());
  ends.push(stop);
  const waiting = async () =>
    /^tessera_outbox_events\S* (\S+)$/m.exec(
      await service.metrics.registry.getSingleMetricAsString('tessera_outbox_events'),
    )?.[1];
  return { publisher, link, lines, waiting, stop };
};

/** A change of `tenant` that tells `count` events, numbered on. */
const change = (tenant: string, count = 1): Promise<void> =>
  runInTenantTransaction(pool, tenant, (client) => tell(client, tenant, count));

const tell = (client: pg.ClientBase, tenant: string, count = 1): Promise<void> => {
  const data = { collection: 'c', storage: 's', facet: 'f', elementId, change: 'updated' } as const;
  const events = Array.from({ length: count }, () => {
    last += 1;
    return { event: elementChanged, subject: 'user-1', requestId, data: { ...data, sequence: String(last) } };
  });
  return writeEvents(client, tenant, events);
};

const storedSequences = async (): Promise<readonly number[]> =>
  (await nats.storedEvents()).map(({ payload }) =>
    Number(eventEnvelopeSchema(elementChanged).parse(JSON.parse(payload)).data.sequence),
  );

const untilEmpty = (): Promise<void> =>
  waitUntil(async () => (await admin.query('select from content_repo.outbox limit 1')).rowCount === 0);

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const messages = (lines: readonly string[]) => lines.map((line) => /"msg":"([^"]*)"/.exec(line)?.[1]);

/** Ends the connections of every publisher from the side of PostgreSQL. */
const cutDatabase = () =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'content-repo-events'`);

describe('the events of the content repository', () => {
  it('are published after commit and never after rollback', async () => {
    const { publisher } = await startService();
    await change('meridian');
    publisher.wake();
    await untilEmpty();
    const undone = runInTenantTransaction(pool, 'meridian', async (client) => {
      await tell(client, 'meridian');
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await change('northgate');
    await untilEmpty();
    const stored = await nats.storedEvents();
    expect(stored.map(({ subject }) => subject)).toEqual([
      'evt.content-repo.meridian.content.element.changed',
      'evt.content-repo.northgate.content.element.changed',
    ]);
    expect(await storedSequences()).toEqual([1, 3]);
    for (const { messageId, payload } of stored) expect(payload).toContain(messageId);
  });

  it('are queued while NATS is down without failing writes, then arrive in order, with one log line', async () => {
    const { publisher, link, lines, waiting } = await startService();
    await link.whenConnected(60_000);
    await change('meridian');
    publisher.wake();
    await untilEmpty();
    await nats.kill();
    await waitUntil(() => !link.connected);
    for (let count = 0; count < 50; count++) {
      await change('meridian');
      publisher.wake();
    }
    await waitUntil(() => lines.length === 2);
    expect(await waiting()).toBe('50');
    await nats.restart();
    await untilEmpty();
    expect(await storedSequences()).toEqual(upTo(51));
    expect(await waiting()).toBe('0');
    await waitUntil(() => lines.length === 3);
    expect(messages(lines)).toEqual([
      'made the stream of events',
      'events wait in the outbox; trying on',
      'events are published again',
    ]);
    expect(lines[1]).toContain('NATS is not connected');
  });

  it('arrive once and in order when NATS and database connections fail meanwhile', async () => {
    const url = database.urlFor('content-repo');
    const name = 'content-repo-events';
    const cutPool = createPool({ url, applicationName: name, connectionsMax: 1, statementTimeoutMs: 5_000 });
    const link = connectNats({ url: nats.urlFor('content-repo'), service: 'content-repo', log: silentLog });
    let sent = 0;
    const disturbances = new Map<number, () => Promise<unknown>>([
      [20, cutDatabase],
      [60, () => nats.kill().then(() => nats.restart())],
      [100, cutDatabase],
      [150, () => Promise.resolve(link.connection?.reconnect())],
    ]);
    const publisher = new EventPublisher({
      link,
      log: silentLog,
      source: {
        relay: (send) =>
          relayEvents(cutPool, 'content-repo', async (event) => {
            await send(event);
            await disturbances.get(++sent)?.();
          }),
      },
    });
    ends.push(async () => {
      await publisher.stop();
      await link.close();
      await cutPool.end();
    });
    await change('meridian', 200);
    publisher.start();
    await untilEmpty();
    expect(await storedSequences()).toEqual(upTo(200));
    expect(sent).toBeGreaterThan(200);
  });

  it('are published by one replica at a time, each once and in order', async () => {
    const replicas = [await startService(), await startService(), await startService()];
    for (const { link } of replicas) await link.whenConnected(60_000);
    for (let round = 0; round < 40; round++) {
      await Promise.all([change('meridian', 5), change('northgate', 5)]);
      for (const { publisher } of replicas) publisher.wake();
    }
    await untilEmpty();
    const stored = await nats.storedEvents();
    expect(stored).toHaveLength(400);
    for (const team of ['meridian', 'northgate']) {
      const ofTeam = stored.filter(({ subject }) => subject.includes(`.${team}.`));
      const sequences = ofTeam.map(({ payload }) => Number(/"sequence":"(\d+)"/.exec(payload)?.[1]));
      expect(sequences).toHaveLength(200);
      expect(sequences).toEqual([...sequences].sort((left, right) => left - right));
    }
    expect(
      replicas.flatMap(({ lines }) => messages(lines)).filter((text) => text !== 'made the stream of events'),
    ).toEqual([]);
  });

  it('of the last write are published before the service stops', async () => {
    const { stop, link } = await startService();
    await link.whenConnected(60_000);
    await change('meridian', 20);
    await stop();
    expect(await storedSequences()).toEqual(upTo(20));
  });

  it('left unpublished by a stopped process are published by the next one', async () => {
    await change('meridian', 3);
    await startService();
    await untilEmpty();
    expect(await storedSequences()).toEqual([1, 2, 3]);
  });
});
