/**
 * The subjects that a process hears, declared once: each is subscribed to on every connection, and again with back-off when NATS
 * refuses it or it is lost. A nats-server whose users change takes subscriptions away with one error; the client library then
 * drops those without a queue group for good, and keeps the others as if they still heard something.
 */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { MessagingLog } from './nats-link.js';
import { inboxRoot } from './wire.js';

export type SubscriptionOptions = {
  readonly queue?: string | undefined;
  /** Called when nothing is heard any more. */
  readonly lost?: () => void;
};

export type OwnSubscription = Pick<DeclaredSubscription, 'isHeard' | 'drain'>;

const firstRetryMs = 250;
/** With the time of an attempt well below the ten seconds in which everything works again. */
const lastRetryMs = 4_000;

class DeclaredSubscription {
  /** `tried`: made again, and not yet known to hear. */
  state: 'heard' | 'tried' | 'lost' = 'heard';
  echoes = 0;
  /** Where the process hears itself; undefined for subjects that it shares with others, and for single ones. */
  readonly echoSubject: string | undefined;
  #made: { readonly connection: NatsConnection; readonly subscription: Subscription } | undefined;

  constructor(
    readonly subject: string,
    private readonly handle: (message: Msg) => void,
    readonly options: SubscriptionOptions,
    private readonly forget: () => void,
  ) {
    this.echoSubject = subject.startsWith(inboxRoot) && subject.endsWith('.*') ? `${subject.slice(0, -1)}-` : undefined;
  }

  /** False from a loss until the subscription was made again and hears. */
  get isHeard(): boolean {
    return this.state === 'heard';
  }

  isAliveOn(connection: NatsConnection): boolean {
    return this.#made?.connection === connection && !this.#made.subscription.isClosed();
  }

  subscribe(connection: NatsConnection): void {
    this.#made?.subscription.unsubscribe();
    const { queue } = this.options;
    const subscription = connection.subscribe(this.subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (error !== null) return;
        if (message.subject === this.echoSubject) this.echoes++;
        else this.handle(message);
      },
    });
    this.#made = { connection, subscription };
  }

  /** Takes what is on its way, then ends for good. */
  async drain(): Promise<void> {
    this.forget();
    await this.#made?.subscription.drain();
  }
}

export class Subscriptions {
  readonly #log: MessagingLog;
  readonly #declared = new Map<string, DeclaredSubscription>();
  #connection: NatsConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;

  constructor(log: MessagingLog) {
    this.#log = log;
  }

  get all(): readonly DeclaredSubscription[] {
    return [...this.#declared.values()];
  }

  declare(subject: string, handle: (message: Msg) => void, options: SubscriptionOptions): DeclaredSubscription {
    if (this.#declared.has(subject)) throw new Error(`Two subscriptions hear ${subject}.`);
    const declared = new DeclaredSubscription(subject, handle, options, () => this.#declared.delete(subject));
    this.#declared.set(subject, declared);
    if (this.#connection !== undefined) declared.subscribe(this.#connection);
    return declared;
  }

  /** A new connection, or one that is back: the library has made again what it still knew. */
  connected(connection: NatsConnection): void {
    this.#connection = connection;
    for (const each of this.all) if (each.isHeard && !each.isAliveOn(connection)) each.subscribe(connection);
    this.#retryMs = firstRetryMs;
    void this.#makeAgain(connection);
  }

  disconnected(): void {
    this.#connection = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** NATS does not let this subject be heard; its error comes before the answer to what was sent later. */
  refused(subject: string): void {
    const declared = this.#declared.get(subject);
    if (declared !== undefined) this.#lose(declared);
  }

  /** Whether the server answers a round trip. What is not heard then is made again. */
  check(connection: NatsConnection): Promise<boolean> {
    return this.#roundTrip(connection, []).catch(() => false);
  }

  async #makeAgain(connection: NatsConnection): Promise<void> {
    const lost = this.all.filter(({ isHeard }) => !isHeard);
    if (lost.length === 0) return;
    try {
      for (const each of lost) {
        each.state = 'tried';
        each.subscribe(connection);
      }
      if (!(await this.#roundTrip(connection, lost))) return;
    } catch {
      // The connection was closed; they are made on the next one.
      return;
    }
    const subjects = lost.filter(({ isHeard }) => isHeard).map(({ subject }) => subject);
    if (subjects.length > 0) this.#log.info({ subjects }, 'subscriptions that were lost are heard again');
    if (subjects.length === lost.length) this.#retryMs = firstRetryMs;
  }

  /**
   * The server handles what it is sent in order: once it has answered, every refusal has arrived, and every message to
   * subjects of this process alone.
   */
  async #roundTrip(connection: NatsConnection, tried: readonly DeclaredSubscription[]): Promise<boolean> {
    const checked = [...this.all.filter(({ isHeard }) => isHeard), ...tried].map((each) => ({
      each,
      before: each.echoes,
    }));
    for (const { each } of checked) if (each.echoSubject !== undefined) connection.publish(each.echoSubject);
    if (!(await hasAnswered(connection)) || this.#connection !== connection) return false;
    for (const { each, before } of checked) {
      const isEchoing = each.echoSubject === undefined || each.echoes > before;
      if (!isEchoing || !each.isAliveOn(connection)) this.#lose(each);
    }
    for (const each of tried) if (each.state === 'tried') each.state = 'heard';
    return true;
  }

  #lose(declared: DeclaredSubscription): void {
    const wasHeard = declared.isHeard;
    declared.state = 'lost';
    if (wasHeard) declared.options.lost?.();
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
      void this.#makeAgain(connection);
    }, this.#retryMs);
  }
}

/** Resolves when the server has answered what was sent before, its errors told; with false when the connection is lost before. */
export const hasAnswered = async (connection: NatsConnection): Promise<boolean> => {
  const isAnswered = await connection.flush().then(
    () => true,
    () => false,
  );
  // An error stands before the answer, and is told one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  return isAnswered;
};
