/**
 * One connection to NATS that always reconnects: it may be opened before the server is there, reports its loss, keeps the
 * subscriptions of the process, and logs what NATS refuses.
 */
import {
  connect,
  type ConnectionOptions,
  errors,
  type Msg,
  type NatsConnection,
  PermissionViolationError,
} from '@nats-io/transport-node';
import type { OwningService } from '@tessera/contracts';
import { describeCertificateFault } from '@tessera/failures';
import { randomUUID } from 'node:crypto';
import { hasAnswered, type OwnSubscription, type SubscriptionOptions, Subscriptions } from './subscriptions.js';
import { cancelSubjectOf, inboxRoot } from './wire.js';

export type NatsOptions = {
  /**
   * `nats://user:password@host:port`, several with commas; user and password of the first count for all. With `tls://`
   * nothing is said to a server that does not encrypt.
   */
  readonly url: string;
  /** Path of the certificates that a server's may be signed by, in place of those that Node.js trusts. */
  readonly caFile?: string | undefined;
  /** Name of the service: of the connection, the queue group and the inbox. */
  readonly service: string;
  readonly log: MessagingLog;
};

const reconnectWaitMs = 100;
const reconnectJitterMs = 100;
const pingIntervalMs = 2000;

const connectionOptions = ({ url, caFile, service }: NatsOptions, inboxPrefix: string): ConnectionOptions => {
  const addresses = url.split(',').map((text) => new URL(text.includes('://') ? text.trim() : `nats://${text.trim()}`));
  const { username, password } = addresses[0] ?? { username: '', password: '' };
  const encrypted = caFile !== undefined || addresses.some(({ protocol }) => protocol === 'tls:');
  return {
    ...(encrypted && { tls: caFile === undefined ? {} : { caFile } }),
    servers: addresses.map(({ host }) => host),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    name: service,
    inboxPrefix,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectWaitMs,
    reconnectJitter: reconnectJitterMs,
    ignoreAuthErrorAbort: true,
    pingInterval: pingIntervalMs,
    maxPingOut: 2,
    timeout: 2000,
  };
};

export type NatsFault =
  /** NATS does not know the user, or the password is another. */
  | 'user'
  /** The certificate of the server is not trusted. */
  | 'certificate'
  /** The server does not encrypt, and has to. */
  | 'encryption';

const unknownUser = /authorization violation|account authentication expired/i;

/** Faults of the settings that no waiting heals; undefined for a server that is only away. */
export const classifyNatsError = (error: unknown): NatsFault | undefined => {
  if (error instanceof errors.AuthorizationError) return unknownUser.test(error.message) ? 'user' : undefined;
  if (describeCertificateFault(error) !== undefined) return 'certificate';
  return error instanceof errors.ConnectionError && error.message.includes("does not support 'tls'")
    ? 'encryption'
    : undefined;
};

export type LinkEvents = {
  /** There is a connection, the first or another, with the subscriptions of the process. */
  readonly connected?: () => void;
  readonly lost?: () => void;
  /** NATS refused a publication to this subject. */
  readonly refused?: (subject: string) => void;
};

/** The subjects that a process hears, by their beginnings: its own ones, its operations, and those of its replicas. */
const subjectRoots = { inbox: inboxRoot, operations: 'op.', replicas: 'replicas.' };

const askEveryMs = 1_000;
const answerWithinMs = 800;
const tellEveryMs = 60_000;

export class NatsLink {
  readonly service: string;
  /** Own subjects of this process: `_INBOX.<service>.<instance>`. */
  readonly inboxPrefix: string;
  readonly #options: NatsOptions;
  readonly #listeners = new Set<LinkEvents>();
  #connection: NatsConnection | undefined;
  #connected = false;
  #closed = false;
  #wasConnected = false;
  #fault: NatsFault | undefined;
  readonly #subscriptions: Subscriptions;
  #asked: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined;
  /** When refusals were last logged, by operation and beginning of the subject. */
  readonly #toldAtMs = new Map<string, number>();

  constructor(options: NatsOptions) {
    this.#options = options;
    this.service = options.service;
    this.inboxPrefix = `${inboxRoot}${options.service}.${randomUUID().slice(0, 8)}`;
    this.#subscriptions = new Subscriptions(options.log);
    void this.#open(connectionOptions(options, this.inboxPrefix));
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The connection while there is one; what is published on it while it is lost goes nowhere. */
  get connection(): NatsConnection | undefined {
    return this.#connected ? this.#connection : undefined;
  }

  /** Why there was no connection yet and will be none; once there was one, whatever comes is waited out. */
  get fault(): NatsFault | undefined {
    return this.#fault;
  }

  listen(events: LinkEvents): void {
    this.#listeners.add(events);
    if (this.#connected) events.connected?.();
  }

  /** Runs what nobody waits for, such as a turn of a timer: a throw is logged and ends nothing. */
  guard(failed: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error({ err: error }, failed);
    }
  }

  /**
   * Hears the messages of a subject, on every connection. One whose handling throws is logged, and the next ones come: the
   * client library would stop to read the connection.
   */
  subscribe(
    subject: string,
    handle: (message: Msg) => void,
    { queue, lost = () => undefined }: SubscriptionOptions = {},
  ): OwnSubscription {
    return this.#subscriptions.declare(
      subject,
      (message) => this.guard('a message could not be handled', () => handle(message)),
      { queue, lost: () => this.guard('the loss of a subscription could not be handled', lost) },
    );
  }

  /** Whether the server answers, asked at most each second. What is not heard any more is noticed by the way. */
  async answers(): Promise<boolean> {
    const { connection } = this;
    if (connection === undefined) return false;
    const nowMs = Date.now();
    if (this.#asked === undefined || nowMs - this.#asked.atMs > askEveryMs) {
      const late = pause(answerWithinMs).then(() => false);
      this.#asked = { atMs: nowMs, answer: Promise.race([this.#subscriptions.check(connection), late]) };
    }
    return this.#asked.answer;
  }

  /** Whether all that was subscribed to below these subjects is heard; a server that is away says nothing about that. */
  async hears(subjects: keyof typeof subjectRoots): Promise<boolean> {
    await this.answers();
    return !this.#unheard().some((subject) => subject.startsWith(subjectRoots[subjects]));
  }

  /** Resolves with true as soon as the link is connected, with false when `waitMs` passed before. */
  async whenConnected(waitMs: number): Promise<boolean> {
    const untilMs = Date.now() + waitMs;
    while (!this.#connected && Date.now() < untilMs) await pause(20);
    return this.#connected;
  }

  /**
   * Subjects that NATS refuses to this user: of the subscriptions that were made, of answers to inboxes, and of calls of these
   * services. It disturbs nobody: what is asked for cancels no call. Undefined without a connection.
   */
  async refusals(calls: readonly OwningService[]): Promise<readonly string[] | undefined> {
    const { connection } = this;
    if (connection === undefined) return undefined;
    const refused = new Set<string>();
    const watch: LinkEvents = { refused: (subject) => void refused.add(subject) };
    this.#listeners.add(watch);
    const published = [...calls.map(cancelSubjectOf), `${inboxRoot}nobody`];
    for (const subject of published) connection.publish(subject);
    const isAnswered = await hasAnswered(connection);
    this.#listeners.delete(watch);
    if (!isAnswered || this.connection !== connection) return undefined;
    return [...this.#unheard(), ...published.filter((subject) => refused.has(subject))];
  }

  /** Sends what is buffered and ends the connection. Callers drain their own work before. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const connection = this.#connection;
    if (connection === undefined) return;
    if (this.#connected) await Promise.race([connection.flush().catch(() => {}), pause(500)]);
    this.#connected = false;
    this.#subscriptions.disconnected();
    await connection.close();
  }

  async #open(options: ConnectionOptions): Promise<void> {
    let lastMessage = '';
    while (!this.#closed) {
      try {
        const connection = await connect(options);
        if (this.#closed) return void (await connection.close());
        this.#connection = connection;
        this.#wasConnected = true;
        void this.#watch(connection);
        void connection.closed().then(() => this.#reopen(options));
        this.#onConnected(connection);
        return;
      } catch (error) {
        if (!this.#wasConnected) this.#fault = classifyNatsError(error);
        const message = error instanceof Error ? error.message : String(error);
        if (message !== lastMessage) this.#options.log.warn({ reason: message }, 'NATS cannot be reached; trying on');
        lastMessage = message;
        await pause(reconnectWaitMs + Math.random() * reconnectJitterMs);
      }
    }
  }

  async #reopen(options: ConnectionOptions): Promise<void> {
    if (this.#closed) return;
    this.#onDisconnected('closed');
    this.#connection = undefined;
    await this.#open(options);
  }

  #notify(event: (events: LinkEvents) => void): void {
    for (const events of this.#listeners) this.guard('a listener of the connection failed', () => event(events));
  }

  #onConnected(connection: NatsConnection): void {
    if (this.#connected || this.#closed) return;
    this.guard('subscriptions could not be made', () => this.#subscriptions.connected(connection));
    this.#connected = true;
    this.#asked = undefined;
    this.#options.log.info({}, 'NATS connected');
    this.#notify((events) => events.connected?.());
  }

  #onDisconnected(reason: string): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#subscriptions.disconnected();
    if (!this.#closed) this.#options.log.warn({ reason }, 'NATS connection lost');
    this.#notify((events) => events.lost?.());
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.#onDisconnected(status.type);
      else if (status.type === 'reconnect') this.#onConnected(connection);
      else if (status.type === 'error') this.#report(status.error);
    }
  }

  #report(error: Error): void {
    if (!(error instanceof PermissionViolationError))
      return this.#options.log.error({ reason: error.message }, 'NATS refused something');
    const { operation, subject } = error;
    this.#tellRefusal(operation, subject, error.message);
    if (operation === 'subscription') this.#subscriptions.refused(subject);
    else this.#notify((events) => events.refused?.(subject));
  }

  /** Once a minute for subjects that begin alike, however many calls and attempts meet it. */
  #tellRefusal(operation: string, subject: string, reason: string): void {
    const kind = [operation, ...subject.split('.', 2)].join(' ');
    const nowMs = Date.now();
    if (nowMs - (this.#toldAtMs.get(kind) ?? 0) < tellEveryMs) return;
    this.#toldAtMs.set(kind, nowMs);
    this.#options.log.error({ reason }, 'NATS refused something');
  }

  #unheard(): readonly string[] {
    return this.#subscriptions.all.filter(({ isHeard }) => !isHeard).map(({ subject }) => subject);
  }
}

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

/** Starts connecting and answers at once; see `NatsLink.connected` and `whenConnected`. */
export const connectNats = (options: NatsOptions): NatsLink => new NatsLink(options);

/** The log of messaging; a pino logger fits. Never gets payloads and credentials. */
export type MessagingLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLog: MessagingLog = { info: () => {}, warn: () => {}, error: () => {} };
