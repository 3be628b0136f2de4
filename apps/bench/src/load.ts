/** Requests of many clients at once, by autocannon: each client has one kept connection and one request under way. */
import autocannon from 'autocannon';
import { percentile } from './statistics.js';

/** A path that is read, or a request with a body. */
export type LoadRequest = string | { readonly method: 'POST'; readonly path: string; readonly body?: string };

export type LoadOptions = {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly LoadRequest[];
  /** Each request is sent once, and the load ends with the last; otherwise clients go round in the list, each from a place of its own. */
  readonly once: boolean;
  readonly clients: number;
  /** No request begins later; those under way are waited for. */
  readonly durationMs: number;
  readonly requestsMax?: number;
  /** All clients together; as many as they can when absent. */
  readonly requestsPerSecond?: number;
  /** Any other status fails the load. */
  readonly expected?: readonly number[];
};

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** Processor time of this process, once the requests were made up. */
  readonly ownCpuMs: number;
};

const responseMaxSeconds = 600;
/** How often autocannon looks whether all of its clients have ended. */
const endCheckMs = 10;
const jsonType = { 'content-type': 'application/json' };

const toRequest = (request: LoadRequest): autocannon.Request => {
  if (typeof request === 'string') return { method: 'GET', path: request };
  return request.body === undefined ? { ...request } : { ...request, headers: jsonType };
};

/** The requests of one of the clients. */
const shareOf = ({ requests, once, clients }: LoadOptions, client: number): readonly LoadRequest[] => {
  if (once) return requests.filter((_, index) => index % clients === client);
  const first = Math.floor((client * requests.length) / clients);
  return [...requests.slice(first), ...requests.slice(0, first)];
};

export const sendLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const { origin, headers, requests, once, durationMs, requestsPerSecond, expected = [200] } = options;
  const amount = Math.min(options.requestsMax ?? Number.MAX_SAFE_INTEGER, once ? requests.length : Infinity);
  const clients = Math.min(options.clients, amount);
  let client = 0;
  const { promise: ended, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const running = autocannon(
    {
      url: origin,
      headers,
      amount,
      connections: clients,
      timeout: responseMaxSeconds,
      sampleInt: endCheckMs,
      ...(requestsPerSecond !== undefined && { overallRate: requestsPerSecond }),
      setupClient: (each) => each.setRequests(shareOf({ ...options, clients }, client++).map(toRequest)),
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  const cpuBefore = process.cpuUsage();
  const begunAt = performance.now();
  let endedAt = begunAt;
  let bytes = 0;
  const latenciesMs: number[] = [];
  running.on('response', (each, _status, responseBytes, ms) => {
    latenciesMs.push(ms);
    bytes += responseBytes;
    endedAt = performance.now();
    // As with `amount`, the client ends with this response, not in the middle of the next one.
    if (endedAt - begunAt >= durationMs) Object.assign(each, { responseMax: 1 });
  });
  const { statusCodeStats = {}, errors } = await ended;
  const statuses = Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count] as const);
  const other = statuses.filter(([status]) => !expected.includes(Number(status)));
  if (errors > 0 || other.length > 0)
    throw new Error(
      `${origin} answered ${JSON.stringify(statuses)} and broke ${errors} off; expected ${expected.join()}.`,
    );
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (endedAt - begunAt) / 1_000;
  return {
    requests: latenciesMs.length,
    seconds,
    bytes,
    requestsPerSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    worstMs: percentile(latenciesMs, 1),
    ownCpuMs: (user + system) / 1_000,
  };
};
