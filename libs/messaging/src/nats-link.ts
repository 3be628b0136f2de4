/**
 * One connection to NATS that is always coming back: it may be opened before the server is there, it says when it is lost,
 * and it logs what NATS refuses. Refuses: to know operations.
 */
import {
  connect,
  PermissionViolationError,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { MessagingLog } from './messaging-log.js';
import { inboxRoot } from './wire.js';

export type NatsOptions = {
  /** `nats://user:password@host:port`, several with commas; user and password of the first count for all. */
  readonly url: string;
  /** Name of the service: of the connection, the queue group and the inbox. */
  readonly service: string;
  readonly log: MessagingLog;
};

const reconnectWaitMs = 100;
const reconnectJitterMs = 100;
const pingIntervalMs = 2000;

const connectionOptions = ({ url, service }: NatsOptions, inboxPrefix: string): ConnectionOptions => {
  const addresses = url.split(',').map((text) => new URL(text.includes('://') ? text.trim() : `nats://${text.trim()}`));
  const { username, password } = addresses[0] ?? { username: '', password: '' };
  return {
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

  listen(events: LinkEvents): void {
    this.#listeners.add(events);
    if (this.#connection !== undefined) events.opened?.(this.#connection);
  }

  /** Resolves with true as soon as the link is connected, with false when `waitMs` passed before. */
  async whenConnected(waitMs: number): Promise<boolean> {
    const untilMs = Date.now() + waitMs;
    while (!this.#connected && Date.now() < untilMs) await pause(20);
    return this.#connected;
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
        void this.#watch(connection);
        void connection.closed().then(() => this.#reopen(options));
        this.#listeners.forEach((events) => events.opened?.(connection));
        this.#up();
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== lastMessage) this.#options.log.warn({ reason: message }, 'NATS cannot be reached; trying on');
        lastMessage = message;
        await pause(reconnectWaitMs + Math.random() * reconnectJitterMs);
      }
    }
  }

  async #reopen(options: ConnectionOptions): Promise<void> {
    if (this.#closed) return;
    this.#down('closed');
    this.#connection = undefined;
    await this.#open(options);
  }

  #up(): void {
    if (this.#connected || this.#closed) return;
    this.#connected = true;
    this.#options.log.info({}, 'NATS connected');
  }

  #restore(): void {
    this.#up();
    this.#listeners.forEach((events) => events.restored?.());
  }

  #down(reason: string): void {
    if (!this.#connected) return;
    this.#connected = false;
    if (!this.#closed) this.#options.log.warn({ reason }, 'NATS connection lost');
    this.#listeners.forEach((events) => events.lost?.());
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.#down(status.type);
      else if (status.type === 'reconnect') this.#restore();
      else if (status.type === 'error') this.#report(status.error);
    }
  }

  #report(error: Error): void {
    this.#options.log.error({ reason: error.message }, 'NATS refused something');
    if (error instanceof PermissionViolationError)
      this.#listeners.forEach((events) => events.refused?.(error.operation, error.subject));
  }
}

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));

/** Starts connecting and answers at once; see `NatsLink.connected` and `whenConnected`. */
export const connectNats = (options: NatsOptions): NatsLink => new NatsLink(options);
