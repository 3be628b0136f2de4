/**
 * The events of a service leave here: from its outbox to NATS, as long as the service runs, and what the last answered
 * call has written before NATS is closed. Whoever writes events calls `wake` after the commit.
 * Refuses: to be a condition of readiness; without JetStream events wait, and everything else goes on.
 */
import { EventPublisher, type EventSource } from '@tessera/messaging';
import type { CommonConfiguration, EventConfiguration } from './configuration.js';
import type { ServiceProcess } from './service-process.js';

/** What a handler sees of it, and by which it is injected. */
export abstract class EventPublishing {
  /** Events were committed: they are published now. */
  abstract wake(): void;
}

/** Where the events of this service wait. */
export type Outbox = EventSource & {
  readonly waiting: () => Promise<{ readonly events: number; readonly oldestSeconds: number }>;
  readonly close: () => Promise<unknown>;
};

type PublishingProcess = Pick<ServiceProcess<CommonConfiguration>, 'log' | 'link' | 'metrics' | 'onStop'> & {
  readonly configuration: EventConfiguration;
};

export const publishEvents = (
  { configuration, log, link, metrics, onStop }: PublishingProcess,
  outbox: Outbox,
): EventPublishing => {
  const publisher = new EventPublisher({
    link,
    log,
    source: outbox,
    streamReplicas: configuration.EVENT_STREAM_REPLICAS,
  });
  // Both figures are read at once, and of one look.
  let looking: ReturnType<Outbox['waiting']> | undefined;
  const look = (): ReturnType<Outbox['waiting']> => (looking ??= outbox.waiting().finally(() => (looking = undefined)));
  metrics.gauge(
    'tessera_outbox_events',
    'Events that wait for NATS, of all replicas together.',
    async () => (await look()).events,
  );
  metrics.gauge(
    'tessera_outbox_oldest_seconds',
    'How long the oldest event has waited for NATS; 0 when none waits.',
    async () => (await look()).oldestSeconds,
  );
  onStop('publishing', () => publisher.stop());
  onStop('resources', outbox.close);
  publisher.start();
  return publisher;
};
