/** The orders to the load generator and its results; plain data, because both cross a process boundary. */

export type LoadOrder = {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Asked for in turn, each connection beginning at another one. */
  readonly paths: readonly string[];
  /** Each path is asked for by one connection and once; no request begins after the last of them. */
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

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly bytes: number;
  /** Status -> how many; 0 stands for connections that broke. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** Processor time of the load generator itself. */
  readonly ownCpuMs: number;
};
