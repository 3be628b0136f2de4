/** The outbox of a service as its publisher needs it, on connections of its own, so that neither waits for the other. */
import type { Owner } from '@tessera/contracts';
import { readWaitingEvents, relayEvents, type WaitingEvent, type WaitingEvents } from './outbox.js';
import { createPool } from './pool.js';

export type OutboxSource = {
  /** See `relayEvents`. */
  readonly relay: (send: (event: WaitingEvent) => Promise<void>) => Promise<'drained' | 'more' | 'busy'>;
  /** Of all replicas together. */
  readonly waiting: () => Promise<WaitingEvents>;
  readonly close: () => Promise<void>;
};

/** One for the turn, which lasts as long as NATS takes to acknowledge, and one to count meanwhile. */
const connectionsMax = 2;
const statementTimeoutMs = 5_000;

export const openOutbox = (owner: Owner, databaseUrl: string): OutboxSource => {
  const pool = createPool({
    url: databaseUrl,
    applicationName: `${owner}-events`,
    connectionsMax,
    statementTimeoutMs,
  });
  return {
    relay: (send) => relayEvents(pool, owner, send),
    waiting: () => readWaitingEvents(pool, owner),
    close: () => pool.end(),
  };
};
