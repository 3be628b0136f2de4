import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventEnvelopeSchema, type EventDataOf } from '@tessera/contracts';
import { elementChanged, storageImported } from '@tessera/contracts/content-repo';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { readOutboxBacklog, relayEvents, writeEvents, type NewEvent, type PendingEvent } from './outbox.js';
import { createPool } from './pool.js';
import { runInTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = database.urlFor('content-repo');
  pool = createPool({
    url,
    applicationName: 'outbox-spec',
    connectionsMax: 12,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 60_000,
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  while ((await relayEvents(pool, 'content-repo', () => Promise.resolve())) !== 'drained');
});

const elementId = '019a0000-0000-7000-8000-000000000001';
const changed = (sequence: number | string): NewEvent<typeof elementChanged> => ({
  event: elementChanged,
  subject: 'user-1',
  requestId: 'request-1',
  data: { collection: 'c', storage: 's', facet: 'f', elementId, sequence: String(sequence), change: 'updated' },
});
const write = (tenant: string, ...events: readonly NewEvent<typeof elementChanged>[]): Promise<void> =>
  runInTenantTransaction(pool, tenant, (client) => writeEvents(client, tenant, events));

const sequenceOf = ({ payload }: PendingEvent): string =>
  eventEnvelopeSchema(elementChanged).parse(JSON.parse(payload)).data.sequence;

/** Everything that waits, taken out. */
const relayAll = async (): Promise<readonly PendingEvent[]> => {
  const taken: PendingEvent[] = [];
  const take = (event: PendingEvent): Promise<void> => Promise.resolve(void taken.push(event));
  while ((await relayEvents(pool, 'content-repo', take)) !== 'drained');
  return taken;
};

describe('the outbox', () => {
  it('stores the events of a transaction as envelopes with the subject of their owner, team and type', async () => {
    const before = Date.now();
    const imported: EventDataOf<typeof storageImported> = {
      collection: 'c',
      storage: 's',
      created: 1,
      changed: 2,
      unchanged: 3,
    };
    await runInTenantTransaction(pool, 'Nord.Süd*>', (client) =>
      writeEvents(client, 'Nord.Süd*>', [
        changed(7),
        { event: storageImported, subject: 'key:1', requestId: 'r "2"', data: imported },
      ]),
    );
    const [first, second] = await relayAll();
    expect(first?.subject).toBe('evt.content-repo.Nord%2ES%C3%BCd%2A%3E.content.element.changed');
    const envelope = eventEnvelopeSchema(elementChanged).parse(JSON.parse(first?.payload ?? ''));
    expect(envelope).toMatchObject({ id: first?.id, team: 'Nord.Süd*>', subject: 'user-1', data: { sequence: '7' } });
    expect(Math.abs(Date.parse(envelope.time) - before)).toBeLessThan(60_000);
    expect(eventEnvelopeSchema(storageImported).parse(JSON.parse(second?.payload ?? ''))).toMatchObject({
      requestId: 'r "2"',
      data: imported,
    });
  });

  it('holds nothing of a transaction that was rolled back', async () => {
    const work = runInTenantTransaction(pool, 'one', async (client) => {
      await writeEvents(client, 'one', [changed(1)]);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await readOutboxBacklog(pool, 'content-repo')).toEqual({ events: 0, oldestSeconds: 0 });
  });

  it('rejects data that does not match the declaration of the event, and events of another tenant', async () => {
    await expect(write('one', changed('soon'))).rejects.toThrow('decimal');
    const smuggle = runInTenantTransaction(pool, 'one', (client) => writeEvents(client, 'two', [changed(1)]));
    await expect(smuggle).rejects.toThrow(/row-level security/);
    expect(await readOutboxBacklog(pool, 'content-repo')).toEqual({ events: 0, oldestSeconds: 0 });
  });

  it('shows a tenant only its own rows, and nothing to a transaction without tenant or publisher setting', async () => {
    await write('one', changed(1));
    await write('two', changed(2));
    const tenants = 'select tenant from content_repo.outbox';
    expect((await pool.query(tenants)).rows).toEqual([]);
    expect((await runInTenantTransaction(pool, 'two', (client) => client.query(tenants))).rows).toEqual([
      { tenant: 'two' },
    ]);
    const deleted = await runInTenantTransaction(pool, 'two', (client) =>
      client.query('delete from content_repo.outbox'),
    );
    expect(deleted.rowCount).toBe(1);
    const waiting = await readOutboxBacklog(pool, 'content-repo');
    expect(waiting.events).toBe(1);
    expect(waiting.oldestSeconds).toBeGreaterThan(0);
    expect((await pool.query(tenants)).rows).toEqual([]);
  });

  it('cannot be written by the publisher', async () => {
    const write = runInTenantTransaction(pool, '', async (client) => {
      await client.query(`set local app.outbox_publisher = 'on'`);
      await client.query(`insert into content_repo.outbox (tenant, subject, payload) values ('one', 's', '{}')`);
    });
    await expect(write).rejects.toThrow(/row-level security/);
  });
});

describe('a run of the publisher', () => {
  it('sends the events of an element in the order in which its writers committed', async () => {
    let next = 0;
    const writeInTurn = (tenant: string): Promise<void> =>
      runInTenantTransaction(pool, tenant, async (client) => {
        await client.query('select pg_advisory_xact_lock(1)');
        await writeEvents(client, tenant, [changed(next++), changed(next++)]);
      });
    await Promise.all(Array.from({ length: 200 }, (_, index) => writeInTurn(`team-${index % 3}`)));
    const sequences = (await relayAll()).map(sequenceOf);
    expect(sequences).toEqual(Array.from({ length: 400 }, (_, index) => String(index)));
  });

  it('stops at the first event that NATS rejects, keeps it and later ones, and reports the reason', async () => {
    await write('one', changed(1), changed(2), changed(3));
    const taken: string[] = [];
    const refuseTwo = (event: PendingEvent): Promise<void> => {
      if (sequenceOf(event) === '2') return Promise.reject(new Error('no answer'));
      return Promise.resolve(void taken.push(sequenceOf(event)));
    };
    await expect(relayEvents(pool, 'content-repo', refuseTwo)).rejects.toThrow('no answer');
    expect(taken).toEqual(['1']);
    expect((await relayAll()).map(sequenceOf)).toEqual(['2', '3']);
  });

  it('runs on one replica at a time', async () => {
    await write('one', changed(1));
    const { promise, resolve } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const first = relayEvents(pool, 'content-repo', () => {
      began.resolve();
      return promise;
    });
    await began.promise;
    const second = await relayEvents(pool, 'content-repo', () => Promise.reject(new Error('sent twice')));
    expect(second).toBe('busy');
    resolve();
    expect(await first).toBe('drained');
  });

  it('keeps all events when it loses its connection', async () => {
    await write('one', changed(1), changed(2));
    const cut = async (): Promise<void> => {
      const sql = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
      const admin = createPool({
        url: database.adminUrl,
        applicationName: 'outbox-admin',
        connectionsMax: 1,
        statementTimeoutMs: 5_000,
      });
      await admin.query(sql);
      await admin.end();
    };
    await expect(relayEvents(pool, 'content-repo', cut)).rejects.toThrow();
    expect((await relayAll()).map(sequenceOf)).toEqual(['1', '2']);
  });
});
