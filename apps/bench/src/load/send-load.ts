/**
 * Sends requests over kept connections, one at a time on each, and measures each from its first byte out to its last
 * byte in. Uses bare sockets: about a third of the processor time of an HTTP client. A broken connection counts as
 * status 0 and is opened again.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../statistics.js';
import { ResponseReader } from './response-reader.js';

export type RequestLoadOptions = {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Asked for in turn, each connection beginning at another one. */
  readonly paths: readonly string[];
  /** Each path is requested once, by one connection; the run ends with the last path. */
  readonly once?: boolean;
  /** GET when absent; a POST has no body but one of `bodies`. */
  readonly method?: 'GET' | 'POST';
  /** JSON, for each path in its place. */
  readonly bodies?: readonly string[];
  /** How many requests begin in a second, all connections together; as many as they can when absent. */
  readonly requestsPerSecond?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each has one request under way at a time. */
  readonly connections: number;
  /** No request begins after the first of the two. */
  readonly durationMs: number;
  readonly requestsMax?: number;
  /** How fast each connection reads; as fast as it can when absent. */
  readonly bytesPerSecond?: number;
};

export type RequestLoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly bytes: number;
  /** Count by status; 0 for broken connections. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** Processor time of the load generator itself. */
  readonly ownCpuMs: number;
};

type Tally = {
  requests: number;
  bytes: number;
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
};

const requestText = (order: RequestLoadOptions, path: string, body: string | undefined): Buffer => {
  const lines = Object.entries(order.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (order.method === 'POST') lines.push(`content-length: ${Buffer.byteLength(body ?? '')}\r\n`);
  if (body !== undefined) lines.push('content-type: application/json\r\n');
  const host = new URL(order.origin).host;
  const head = `${order.method ?? 'GET'} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`;
  return Buffer.from(head + (body ?? ''));
};

/** Lets a socket flow only as fast as it was ordered. */
const throttle = (socket: Socket, bytesPerSecond: number): ((bytes: number) => void) => {
  let dueAt = performance.now();
  return (bytes) => {
    const now = performance.now();
    dueAt = Math.max(dueAt, now) + (bytes / bytesPerSecond) * 1_000;
    if (dueAt - now < 1) return;
    socket.pause();
    setTimeout(() => socket.resume(), dueAt - now);
  };
};

/** What a connection sends next; nothing more when undefined. */
type NextRequest = () => Buffer | undefined;

/** For each connection: all share the texts, or each goes through them from its own place. */
const takeTurns = ({ connections, once }: RequestLoadOptions, texts: readonly Buffer[]): readonly NextRequest[] => {
  let shared = 0;
  return Array.from({ length: connections }, (_, index) => {
    let own = Math.floor((index * texts.length) / connections);
    return () => (once ? texts[shared++] : texts[own++ % texts.length]);
  });
};

/** How long the next request has to wait. */
const startPacer = ({ requestsPerSecond }: RequestLoadOptions): (() => number) => {
  if (requestsPerSecond === undefined) return () => 0;
  let dueAt = performance.now();
  return () => {
    const waitMs = dueAt - performance.now();
    dueAt += 1_000 / requestsPerSecond;
    return waitMs;
  };
};

class Connection {
  #socket: Socket | undefined;
  #begunAt = 0;
  #ended: (() => void) | undefined;

  constructor(
    private readonly order: RequestLoadOptions,
    private readonly tally: Tally,
    private readonly mayBegin: () => boolean,
    private readonly nextText: NextRequest,
    private readonly pace: () => number,
  ) {}

  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended = resolve;
      this.#open();
    });
  }

  #open(): void {
    const { hostname, port } = new URL(this.order.origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const reader = new ResponseReader((response) => this.#answered(response.status, response.bodyBytes));
    const paced = this.order.bytesPerSecond === undefined ? undefined : throttle(socket, this.order.bytesPerSecond);
    this.#socket = socket;
    socket.once('connect', () => this.#next());
    socket.on('data', (bytes) => {
      paced?.(bytes.length);
      reader.push(bytes);
    });
    socket.once('error', () => undefined);
    socket.once('close', () => this.#broken());
  }

  #next(): void {
    const text = this.mayBegin() ? this.nextText() : undefined;
    if (!text) return this.#finish();
    const waitMs = this.pace();
    if (waitMs < 1) this.#send(text);
    else setTimeout(() => this.#send(text), waitMs);
  }

  #send(text: Buffer): void {
    this.#begunAt = performance.now();
    this.#socket?.write(text);
  }

  #answered(status: number, bytes: number): void {
    this.#count(String(status));
    this.tally.bytes += bytes;
    this.tally.latenciesMs.push(performance.now() - this.#begunAt);
    this.#next();
  }

  #broken(): void {
    if (!this.#ended) return;
    this.#count('0');
    if (this.mayBegin()) setTimeout(() => this.#open(), 50);
    else this.#finish();
  }

  #count(status: string): void {
    this.tally.requests++;
    this.tally.statuses[status] = (this.tally.statuses[status] ?? 0) + 1;
  }

  #finish(): void {
    const ended = this.#ended;
    this.#ended = undefined;
    this.#socket?.destroy();
    ended?.();
  }
}

export const sendRequestLoad = async (order: RequestLoadOptions): Promise<RequestLoadResult> => {
  const tally: Tally = { requests: 0, bytes: 0, statuses: {}, latenciesMs: [] };
  const turns = takeTurns(
    order,
    order.paths.map((path, index) => requestText(order, path, order.bodies?.[index])),
  );
  const pace = startPacer(order);
  const begunAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let begun = 0;
  const mayBegin = (): boolean =>
    performance.now() - begunAt < order.durationMs && begun++ < (order.requestsMax ?? Number.POSITIVE_INFINITY);
  await Promise.all(turns.map((nextText) => new Connection(order, tally, mayBegin, nextText, pace).run()));
  const seconds = (performance.now() - begunAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    requests: tally.requests,
    seconds,
    requestsPerSecond: tally.requests / seconds,
    bytes: tally.bytes,
    statuses: tally.statuses,
    p50Ms: percentile(tally.latenciesMs, 0.5),
    p99Ms: percentile(tally.latenciesMs, 0.99),
    worstMs: percentile(tally.latenciesMs, 1),
    ownCpuMs: (cpu.user + cpu.system) / 1_000,
  };
};
