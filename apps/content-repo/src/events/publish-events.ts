/**
 * The events of the content repository leave here: from the outbox to NATS, as long as the service runs, and what the last
 * answered call has written before NATS is closed. Whoever writes events calls `wake` after the commit.
 * Refuses: to be a condition of readiness; without JetStream events wait, and everything else goes on.
 */
import { EventPublisher } from '@tessera/messaging';
import { countWaitingEvents, createPool, relayEvents } from '@tessera/persistence';
import type { ServiceProcess } from '@tessera/service-kit';
import type { Settings } from '../settings.js';

/** What a handler sees of it, and by which it is injected. */
export abstract class EventPublishing {
  /** Events were committed: they are published now. */
  abstract wake(): void;
}

/** One for the turn, which lasts as long as NATS takes to acknowledge, and one to count meanwhile. */
const connectionsMax = 2;
const statementTimeoutMs = 5_000;

export const publishEvents = ({
  configuration,
  log,
  link,
  metrics,
  onStop,
}: Pick<ServiceProcess<Settings>, 'configuration' | 'log' | 'link' | 'metrics' | 'onStop'>): EventPublishing => {
  const pool = createPool({
    url: configuration.DATABASE_URL,
    applicationName: 'content-repo-events',
    connectionsMax,
    statementTimeoutMs,
  });
  const publisher = new EventPublisher({
    link,
    log,
    source: { relay: (send) => relayEvents(pool, 'content-repo', send) },
  });
  metrics.gauge('tessera_outbox_events', 'Events that wait for NATS, of all replicas together.', () =>
    countWaitingEvents(pool, 'content-repo'),
  );
  onStop('publishing', () => publisher.stop());
  onStop('resources', () => pool.end());
  publisher.start();
  return publisher;
};
