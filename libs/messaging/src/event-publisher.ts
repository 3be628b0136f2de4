/**
 * Publishes the events of an outbox to JetStream: right after a commit of this process (`wake`), and by a timer those that
 * other replicas or a crash have left. While NATS is away they wait; logged once, and once when it is over. Never publishes an
 * event before the previous one is acknowledged.
 */
import { toLoggableReason } from '@tessera/failures';
import { EventStream, type OutgoingEvent } from './event-stream.js';
import type { MessagingLog, NatsLink } from './nats-link.js';

/** Where events wait. */
export type PendingEventSource = {
  /**
   * Hands waiting events to `send`, the oldest first, one after the other, and forgets those for which it resolved.
   * `more`: there may be others; `busy`: another replica is at it. Rejects with what stopped it.
   */
  readonly relay: (send: (event: OutgoingEvent) => Promise<void>) => Promise<'drained' | 'more' | 'busy'>;
};

export type PublisherOptions = {
  readonly link: NatsLink;
  readonly source: PendingEventSource;
  readonly log: MessagingLog;
  /** How many members of a cluster of NATS keep the stream, when it is made here; one when absent. */
  readonly streamReplicas?: number;
};

const gatherMs = 50;
const pollEveryMs = 2_000;
const busyWaitMs = 50;
const firstRetryMs = 100;
const lastRetryMs = 5_000;
const stopWithinMs = 500;

const outcomeWaitMs = { more: 0, busy: busyWaitMs, drained: pollEveryMs } as const;

export class EventPublisher {
  readonly #link: NatsLink;
  readonly #source: PendingEventSource;
  readonly #log: MessagingLog;
  readonly #stream: EventStream;
  /** What was said about the trouble of this time; empty while all is well. */
  readonly #reasons = new Set<string>();
  #retryMs = firstRetryMs;
  #stopping = false;
  #skipsPause = false;
  #gatherTimer: NodeJS.Timeout | undefined;
  #endPause: () => void = () => undefined;
  #runEnded: Promise<void> | undefined;

  constructor({ link, source, log, streamReplicas = 1 }: PublisherOptions) {
    this.#link = link;
    this.#source = source;
    this.#log = log;
    this.#stream = new EventStream(link, log, streamReplicas);
  }

  start(): void {
    this.#link.listen({ connected: () => this.#retryNow() });
    this.#runEnded ??= this.#run();
  }

  /**
   * Events were committed: they are published with those that follow closely, since each look is a transaction. In trouble
   * they wait for the next attempt.
   */
  wake(): void {
    if (this.#reasons.size > 0) return;
    this.#gatherTimer ??= setTimeout(() => {
      this.#gatherTimer = undefined;
      this.#endPauseNow();
    }, gatherMs);
  }

  /** Publishes what is there, for half a second at most; what is left stays in the outbox. Before NATS is closed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#gatherTimer);
    this.#endPauseNow();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, stopWithinMs);
    await Promise.race([this.#runEnded, promise]);
    clearTimeout(timer);
  }

  #retryNow(): void {
    this.#retryMs = firstRetryMs;
    this.#endPauseNow();
  }

  #endPauseNow(): void {
    this.#skipsPause = true;
    this.#endPause();
  }

  async #run(): Promise<void> {
    // A connection that is only being opened is no trouble yet.
    await this.#pause(pollEveryMs);
    for (;;) {
      const isLast = this.#stopping;
      this.#skipsPause = false;
      const waitMs = await this.#publishWaiting();
      if (isLast && waitMs > 0) return;
      if (waitMs > 0) await this.#pause(waitMs);
    }
  }

  /** How long to wait for the next look, in milliseconds. */
  async #publishWaiting(): Promise<number> {
    try {
      // Asked for before there is an event, so that whoever runs NATS hears early of what is missing.
      if (this.#link.connected) await this.#stream.open();
      const outcome = await this.#source.relay((event) => this.#stream.publish(event));
      this.#onSuccess(outcome);
      return outcomeWaitMs[outcome];
    } catch (error) {
      return this.#onFailure(error);
    }
  }

  /** Another replica at work says nothing about this one. */
  #onSuccess(outcome: keyof typeof outcomeWaitMs): void {
    if (outcome === 'busy' || this.#reasons.size === 0) return;
    this.#reasons.clear();
    this.#retryMs = firstRetryMs;
    this.#log.info({}, 'events are published again');
  }

  #onFailure(error: unknown): number {
    const reason = this.#link.connected ? toLoggableReason(error) : 'NATS is not connected';
    if (!this.#reasons.has(reason)) this.#log.warn({ reason }, 'events wait in the outbox; trying on');
    this.#reasons.add(reason);
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(waitMs * 2, lastRetryMs);
    return waitMs;
  }

  async #pause(waitMs: number): Promise<void> {
    if (this.#skipsPause) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#endPause = resolve;
    await promise;
    clearTimeout(timer);
  }
}
