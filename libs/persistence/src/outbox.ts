/**
 * The outbox of a service: events are rows, written in the transaction of the change that they report, and deleted once NATS
 * has acknowledged them. An event is published if and only if its transaction is committed.
 * Never shows a row to anybody but its tenant and the publisher.
 */
import { eventSubjectOf, type EventDataOf, type EventDeclaration, type OwningService } from '@tessera/contracts';
import type pg from 'pg';
import { createPool } from './pool.js';
import { runInTenantTransaction } from './tenant-transaction.js';

export type NewEvent<E extends EventDeclaration = EventDeclaration> = {
  readonly event: E;
  /** Who did it: `caller.subject`. */
  readonly subject: string;
  readonly requestId: string;
  readonly data: EventDataOf<E>;
};

/** An event as it goes over the wire, and its place in the outbox. */
export type PendingEvent = {
  readonly position: string;
  readonly id: string;
  /** Of NATS. */
  readonly subject: string;
  /** The envelope, JSON. */
  readonly payload: string;
};

/** Owners keep their outbox in their own schema. */
const outboxOf = (owner: OwningService): string => `${owner.replaceAll('-', '_')}.outbox`;

/**
 * Writes events of one owner, in this order, inside the transaction of the change. Data that its declaration refuses is a
 * bug and throws.
 */
export const writeEvents = async <const Events extends readonly EventDeclaration[]>(
  client: pg.ClientBase,
  tenant: string,
  events: { readonly [Index in keyof Events]: NewEvent<Events[Index]> },
): Promise<void> => {
  const written: readonly NewEvent[] = events;
  const [first] = written;
  if (first === undefined) return;
  const { owner } = first.event;
  if (written.some(({ event }) => event.owner !== owner)) throw new Error('Events of two owners in one transaction.');
  await client.query({
    name: `write_events_${owner}`,
    text: `
      with made as materialized (
        select uuidv7() as event_id, clock_timestamp() as happened_at, told.*
        from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
          as told(subject, type, who, request_id, data, place)
      )
      insert into ${outboxOf(owner)} (tenant, event_id, subject, payload, created_at)
      select $1, event_id, subject, json_build_object(
          'id', event_id, 'type', type,
          'time', to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'team', $1::text, 'subject', who, 'requestId', request_id, 'data', data::json)::text, happened_at
      from made order by place`,
    values: [
      tenant,
      written.map(({ event }) => eventSubjectOf(event, tenant)),
      written.map(({ event }) => event.type),
      written.map(({ subject }) => subject),
      written.map(({ requestId }) => requestId),
      written.map(({ event, data }) => JSON.stringify(event.data.parse(data))),
    ],
  });
};

/** The oldest events of all tenants. Only in the publisher's transaction; outside of it there are none. */
const takeEvents = async (
  client: pg.ClientBase,
  owner: OwningService,
  eventsMax: number,
): Promise<readonly PendingEvent[]> => {
  const { rows } = await client.query<PendingEvent>({
    name: `take_events_${owner}`,
    text: `select position, event_id as id, subject, payload from ${outboxOf(owner)} order by position limit $1 for update skip locked`,
    values: [eventsMax],
  });
  return rows;
};

/** What NATS has got leaves the table. */
const dropEvents = async (
  client: pg.ClientBase,
  owner: OwningService,
  events: readonly Pick<PendingEvent, 'position'>[],
): Promise<void> => {
  await client.query({
    name: `drop_events_${owner}`,
    text: `delete from ${outboxOf(owner)} where position = any($1::bigint[])`,
    values: [events.map(({ position }) => position)],
  });
};

/** The publisher is no tenant. */
const noTenant = '';

const eventsPerTurn = 200;
/** A turn holds a transaction open; it ends after this even when NATS is slow. */
const turnMs = 5_000;

/** Row-level security opens to the publisher by this setting of its transaction; only one of all replicas has the turn. */
const takeTurn = async (client: pg.ClientBase, owner: OwningService): Promise<boolean> => {
  const { rows } = await client.query<{ readonly mine: boolean }>({
    name: 'take_outbox_turn',
    text: `select set_config('app.outbox_publisher', 'on', true), pg_try_advisory_xact_lock(hashtextextended($1, 1)) as mine`,
    values: [`outbox ${owner}`],
  });
  return rows[0]?.mine === true;
};

/**
 * One turn of the publisher: hands the oldest events to `send`, one after the other, up to the first that it rejects, and
 * drops those that it resolved for. `busy`: another replica has the turn. Rejects with what stopped it.
 */
export const relayEvents = async (
  pool: pg.Pool,
  owner: OwningService,
  send: (event: PendingEvent) => Promise<void>,
): Promise<'drained' | 'more' | 'busy'> => {
  const turn = await runInTenantTransaction(pool, noTenant, async (client) => {
    if (!(await takeTurn(client, owner))) return { outcome: 'busy' } as const;
    const waiting = await takeEvents(client, owner, eventsPerTurn);
    const { sent, failed } = await sendInOrder(waiting, send);
    if (sent.length > 0) await dropEvents(client, owner, sent);
    const isAll = sent.length === waiting.length && waiting.length < eventsPerTurn;
    return { outcome: isAll ? 'drained' : 'more', failed } as const;
  });
  if (turn.failed) throw turn.failed.reason;
  return turn.outcome;
};

type SendResult = { readonly sent: readonly PendingEvent[]; readonly failed?: { readonly reason: unknown } };

const sendInOrder = async (
  waiting: readonly PendingEvent[],
  send: (event: PendingEvent) => Promise<void>,
): Promise<SendResult> => {
  const sent: PendingEvent[] = [];
  const untilMs = Date.now() + turnMs;
  for (const event of waiting) {
    if (Date.now() > untilMs) break;
    try {
      await send(event);
    } catch (reason) {
      return { sent, failed: { reason } };
    }
    sent.push(event);
  }
  return { sent };
};

export type OutboxBacklog = {
  readonly events: number;
  /** Since when the oldest waits; 0 when none does. */
  readonly oldestSeconds: number;
};

/** Of all tenants. */
export const readOutboxBacklog = (pool: pg.Pool, owner: OwningService): Promise<OutboxBacklog> =>
  runInTenantTransaction(pool, noTenant, async (client) => {
    await client.query(`set local app.outbox_publisher = 'on'`);
    const { rows } = await client.query<OutboxBacklog>(
      `select count(*)::int as events,
              greatest(0, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0))::float8 as "oldestSeconds"
       from ${outboxOf(owner)}`,
    );
    return rows[0] ?? { events: 0, oldestSeconds: 0 };
  });

export type OutboxSource = {
  /** See `relayEvents`. */
  readonly relay: (send: (event: PendingEvent) => Promise<void>) => Promise<'drained' | 'more' | 'busy'>;
  /** Of all replicas together. */
  readonly waiting: () => Promise<OutboxBacklog>;
  readonly close: () => Promise<void>;
};

/** One for the turn, which lasts as long as NATS takes to acknowledge, and one to count meanwhile. */
const connectionsMax = 2;
const statementTimeoutMs = 5_000;

/** The outbox on connections of its own, so that publisher and service do not wait for each other. */
export const openOutbox = (owner: OwningService, databaseUrl: string): OutboxSource => {
  const pool = createPool({
    url: databaseUrl,
    applicationName: `${owner}-events`,
    connectionsMax,
    statementTimeoutMs,
  });
  return {
    relay: (send) => relayEvents(pool, owner, send),
    waiting: () => readOutboxBacklog(pool, owner),
    close: () => pool.end(),
  };
};
