/**
 * Sends requests over kept connections, one at a time on each, and measures each from its first byte out to its last
 * byte in. Written on bare sockets: about a third of the processor time that an HTTP client takes.
 * Refuses: to send again what broke; a broken connection counts as status 0 and is opened anew.
 */
import { connect, type Socket } from 'node:net';
import { percentile } from '../statistics.js';
import type { LoadOrder, LoadResult } from './load-order.js';
import { ResponseReader } from './response-reader.js';

type Tally = {
  requests: number;
  bytes: number;
  readonly statuses: Record<string, number>;
  readonly latenciesMs: number[];
};

const requestText = (order: LoadOrder, path: string): Buffer => {
  const lines = Object.entries(order.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${new URL(order.origin).host}\r\n${lines.join('')}\r\n`);
};

/** Lets a socket flow only as fast as it was ordered. */
const slowDown = (socket: Socket, bytesPerSecond: number): ((bytes: number) => void) => {
  let dueAt = performance.now();
  return (bytes) => {
    const now = performance.now();
    dueAt = Math.max(dueAt, now) + (bytes / bytesPerSecond) * 1_000;
    if (dueAt - now < 1) return;
    socket.pause();
    setTimeout(() => socket.resume(), dueAt - now);
  };
};

class Connection {
  #socket: Socket | undefined;
  #begunAt = 0;
  #turn: number;
  #ended: (() => void) | undefined;

  constructor(
    private readonly order: LoadOrder,
    private readonly texts: readonly Buffer[],
    private readonly tally: Tally,
    private readonly mayBegin: () => boolean,
    index: number,
  ) {
    this.#turn = Math.floor((index * texts.length) / order.connections);
  }

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
    const paced = this.order.bytesPerSecond === undefined ? undefined : slowDown(socket, this.order.bytesPerSecond);
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
    if (!this.mayBegin()) return this.#finish();
    const text = this.texts[this.#turn++ % this.texts.length] ?? Buffer.alloc(0);
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

export const sendLoad = async (order: LoadOrder): Promise<LoadResult> => {
  const tally: Tally = { requests: 0, bytes: 0, statuses: {}, latenciesMs: [] };
  const texts = order.paths.map((path) => requestText(order, path));
  const begunAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let begun = 0;
  const mayBegin = (): boolean =>
    performance.now() - begunAt < order.durationMs && begun++ < (order.requestsMax ?? Number.POSITIVE_INFINITY);
  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => new Connection(order, texts, tally, mayBegin, index).run()),
  );
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
