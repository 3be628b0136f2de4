/**
 * The JetStream stream of all events: created when missing, one event published at a time. Never changes an existing stream,
 * whose settings belong to the operator of NATS, nor counts an event as kept before JetStream has acknowledged it.
 */
import {
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { allEventsSubject, eventStreamName } from '@tessera/contracts';
import { LoggableMessageError } from '@tessera/failures';
import type { MessagingLog, NatsLink } from './nats-link.js';

export type OutgoingEvent = {
  /** The same when it is sent once more; within the duplicate window JetStream keeps it once. */
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
};

const acknowledgeWithinMs = 2_000;
const dayMs = 86_400_000;

const streamSettings = {
  name: eventStreamName,
  subjects: [allEventsSubject],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(7 * dayMs),
  max_bytes: 512 * 1024 * 1024,
  duplicate_window: nanos(120_000),
};

const notEnabled =
  'JetStream is not enabled on the server of NATS_URL; start nats-server with -js or give its configuration a jetstream block';
const noMatchingStream = `no stream takes the event; the subjects of ${eventStreamName} must have ${allEventsSubject}`;

/** The client library calls it so whenever nobody listens where JetStream would. */
const isNotEnabled = (error: unknown): boolean => error instanceof Error && error.name === 'JetStreamNotEnabled';

/** NATS names subjects and streams. */
const refusalReason = (cause: unknown, whenNotEnabled: string): LoggableMessageError => {
  const said = cause instanceof Error ? cause.message : 'NATS refused the event';
  return new LoggableMessageError(isNotEnabled(cause) ? whenNotEnabled : said, { cause });
};

type ReadyStream = { readonly connection: NatsConnection; readonly client: JetStreamClient };

export class EventStream {
  readonly #link: NatsLink;
  readonly #log: MessagingLog;
  readonly #replicas: number;
  #ready: ReadyStream | undefined;

  /** `replicas`: how many members of a cluster keep the stream, when it is made here. */
  constructor(link: NatsLink, log: MessagingLog, replicas: number) {
    this.#link = link;
    this.#log = log;
    this.#replicas = replicas;
  }

  /** Makes the stream when it is missing. Rejects with what keeps it from taking events. */
  async open(): Promise<JetStreamClient> {
    const { connection } = this.#link;
    if (connection === undefined) throw new LoggableMessageError('NATS is not connected');
    if (this.#ready?.connection === connection) return this.#ready.client;
    try {
      await this.#makeWhenMissing(connection);
    } catch (error) {
      throw refusalReason(error, notEnabled);
    }
    this.#ready = { connection, client: jetstream(connection) };
    return this.#ready.client;
  }

  /** Resolves when JetStream has the event. Rejects when it may not have it; to send it again is safe. */
  async publish({ id, subject, payload }: OutgoingEvent): Promise<void> {
    const client = await this.open();
    try {
      await client.publish(subject, payload, {
        msgID: id,
        expect: { streamName: eventStreamName },
        timeout: acknowledgeWithinMs,
      });
    } catch (error) {
      // Perhaps the stream is gone: the next attempt looks.
      this.#ready = undefined;
      throw refusalReason(error, noMatchingStream);
    }
  }

  async #makeWhenMissing(connection: NatsConnection): Promise<void> {
    const { streams } = await jetstreamManager(connection, { checkAPI: false, timeout: acknowledgeWithinMs });
    try {
      await streams.info(eventStreamName);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
      await streams.add({ ...streamSettings, num_replicas: this.#replicas });
      this.#log.info({ stream: eventStreamName }, 'made the stream of events');
    }
  }
}
