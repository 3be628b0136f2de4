/**
 * The events of a service leave here: from its outbox to NATS, as long as the service runs, and what the last answered
 * call has written before NATS is closed. Whoever writes events calls `wake` after the commit.
 * No condition of readiness: without JetStream events wait, and everything else goes on.
 */
import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { EventPublisher, NatsLink, type PendingEventSource } from '@tessera/messaging';
import type { EventConfiguration } from './configuration.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { logToken, metricsToken, settingsToken } from './tokens.js';

/** What a handler sees of it, and by which it is injected. */
export abstract class EventPublishTrigger {
  /** Events were committed: they are published now. */
  abstract wake(): void;
}

/** Where the events of this service wait. */
type Outbox = PendingEventSource & {
  readonly waiting: () => Promise<{ readonly events: number; readonly oldestSeconds: number }>;
  readonly close: () => Promise<unknown>;
};

const outboxToken = Symbol('outbox');

@Module({})
export class EventsModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly publisher: EventPublisher,
    @Inject(outboxToken) private readonly outbox: Outbox,
    @Inject(metricsToken) private readonly metrics: Pick<Metrics, 'gauge'>,
  ) {}

  static forRootAsync(outbox: Pick<FactoryProvider<Outbox>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: EventsModule,
      providers: [
        { provide: outboxToken, ...outbox },
        {
          provide: EventPublisher,
          inject: [settingsToken, outboxToken, NatsLink, logToken],
          useFactory: (settings: EventConfiguration, source: Outbox, link: NatsLink, log: Log) =>
            new EventPublisher({ link, log, source, streamReplicas: settings.EVENT_STREAM_REPLICAS }),
        },
        { provide: EventPublishTrigger, useExisting: EventPublisher },
      ],
      exports: [EventPublishTrigger],
    };
  }

  onApplicationBootstrap(): void {
    // Both figures are read at once, and of one look.
    let looking: ReturnType<Outbox['waiting']> | undefined;
    const look = (): ReturnType<Outbox['waiting']> =>
      (looking ??= this.outbox.waiting().finally(() => (looking = undefined)));
    this.metrics.gauge(
      'tessera_outbox_events',
      'Events that wait for NATS, of all replicas together.',
      async () => (await look()).events,
    );
    this.metrics.gauge(
      'tessera_outbox_oldest_seconds',
      'How long the oldest event has waited for NATS; 0 when none waits.',
      async () => (await look()).oldestSeconds,
    );
    this.publisher.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.publisher.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.outbox.close();
  }
}
