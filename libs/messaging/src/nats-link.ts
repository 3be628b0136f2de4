/**
 * One connection to NATS that always reconnects: it may be opened before the server is there, reports its loss, and logs what
 * NATS rejects.
 */
import {
  connect,
  type ConnectionOptions,
  errors,
  type Msg,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
} from '@nats-io/transport-node';
import type { OwningService } from '@tessera/contracts';
import { describeCertificateFault } from '@tessera/failures';
import { randomUUID } from 'node:crypto';
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
  /** A new connection object: subscribe on it. Reconnects of the same object keep their subscriptions. */
  readonly opened?: (connection: NatsConnection) => void;
  readonly lost?: () => void;
  /** The same connection is back, with its subscriptions. */
  readonly restored?: () => void;
  /** NATS refused a subscription or a publication to this subject. */
  readonly refused?: (operation: 'publish' | 'subscription', subject: string) => void;
};

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
  /** Subscriptions of this connection that NATS refused, and of what was asked for by `refusals`. */
  readonly #refused = new Set<string>();
  #probedSubjects: readonly string[] = [];

  constructor(options: NatsOptions) {
    this.#options = options;
    this.service = options.service;
    this.inboxPrefix = `${inboxRoot}${options.service}.${randomUUID().slice(0, 8)}`;
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
    if (this.#connection !== undefined) events.opened?.(this.#connection);
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
   * Hears the messages of a subject. One whose handling throws is logged, and the next ones come: the client library would
   * stop to read the connection.
   */
  subscribe(
    connection: NatsConnection,
    subject: string,
    handle: (message: Msg) => void,
    options: { readonly queue?: string } = {},
  ): Subscription {
    return connection.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (error === null) this.guard('a message could not be handled', () => handle(message));
      },
    });
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
    const publishes = [...calls.map(cancelSubjectOf), `${inboxRoot}nobody`];
    this.#probedSubjects = publishes;
    for (const subject of publishes) connection.publish(subject);
    const isAnswered = await connection.flush().then(
      () => true,
      () => false,
    );
    // What was refused stands before the answer, and is told one turn later.
    await new Promise((resolve) => setImmediate(resolve));
    return isAnswered && this.connection === connection ? [...this.#refused] : undefined;
  }

  /** Sends what is buffered and ends the connection. Callers drain their own work before. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const connection = this.#connection;
    if (connection === undefined) return;
    if (this.#connected) await Promise.race([connection.flush().catch(() => {}), pause(500)]);
    this.#connected = false;
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
        this.#refused.clear();
        void this.#watch(connection);
        void connection.closed().then(() => this.#reopen(options));
        this.#notify((events) => events.opened?.(connection));
        this.#onConnected();
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

  #onConnected(): void {
    if (this.#connected || this.#closed) return;
    this.#connected = true;
    this.#options.log.info({}, 'NATS connected');
  }

  #onReconnected(): void {
    this.#onConnected();
    this.#notify((events) => events.restored?.());
  }

  #onDisconnected(reason: string): void {
    if (!this.#connected) return;
    this.#connected = false;
    if (!this.#closed) this.#options.log.warn({ reason }, 'NATS connection lost');
    this.#notify((events) => events.lost?.());
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.#onDisconnected(status.type);
      else if (status.type === 'reconnect') this.#onReconnected();
      else if (status.type === 'error') this.#report(status.error);
    }
  }

  #report(error: Error): void {
    this.#options.log.error({ reason: error.message }, 'NATS refused something');
    if (!(error instanceof PermissionViolationError)) return;
    const { operation, subject } = error;
    if (operation === 'subscription' || this.#probedSubjects.includes(subject)) this.#refused.add(subject);
    this.#notify((events) => events.refused?.(operation, subject));
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
