/**
 * Metrics of a process in the Prometheus format: those of Node (memory, CPU, delay of the event loop) and of operations. Never
 * labels without bound (callers, paths, ids). docs/metrics.md lists all of them.
 */
import type { OperationObserver } from '@tessera/messaging';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from './health.js';
import { productVersion } from './product-version.js';

export type Metrics = {
  readonly registry: Registry;
  /** Of series that name teams; the management port alone shows them. */
  readonly teamRegistry: Registry;
  readonly observer: OperationObserver;
  /** A number that is read when somebody asks for the metrics; NaN while it cannot be read. */
  readonly gauge: (name: string, help: string, read: () => Promise<number>) => void;
  /** Several numbers by labels, read together when somebody asks; none while they cannot be read. */
  readonly levels: (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly GaugeSample[]>,
  ) => void;
  /** A number that only grows, read when somebody asks for the metrics. */
  readonly total: (name: string, help: string, read: () => number) => void;
  /** Answers what takes each duration, with a value for each label. */
  readonly durations: (
    name: string,
    help: string,
    labels?: readonly string[],
  ) => (seconds: number, ...values: readonly string[]) => void;
  /** The same of what is counted by each, e.g. steps; `bounds` are the upper ends of its classes. */
  readonly sizes: (
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ) => (size: number, ...values: readonly string[]) => void;
  /** Answers what adds to a number that only grows. */
  readonly counts: (
    name: string,
    help: string,
    labels?: readonly string[],
  ) => (amount: number, ...values: readonly string[]) => void;
};

export type GaugeSample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

const seconds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Fine around 50 ms, which nothing may exceed. */
const holdSeconds = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10];

type LabelledHistogram = { observe: (value: number) => void };

/** Event loop delay comes as `nodejs_eventloop_lag_max_seconds`, the longest since it was last read. */
export const makeMetrics = (service: string): Metrics => {
  const registry = new Registry();
  const teamRegistry = new Registry();
  for (const each of [registry, teamRegistry]) each.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  const durations = new Histogram({
    name: 'tessera_operation_duration_seconds',
    help: 'Time of an operation, by side (client: we called it, server: we answered it), name and outcome.',
    labelNames: ['side', 'operation', 'outcome'] as const,
    buckets: seconds,
    registers: [registry],
  });
  const children = new Map<string, LabelledHistogram>();
  const observe = (side: 'client' | 'server', operation: string, outcome: string, durationMs: number): void => {
    const key = `${side} ${operation} ${outcome}`;
    let child = children.get(key);
    if (child === undefined) {
      child = durations.labels(side, operation, outcome);
      children.set(key, child);
    }
    child.observe(durationMs / 1000);
  };
  return {
    registry,
    teamRegistry,
    observer: {
      called: (operation, outcome, durationMs) => observe('client', operation, outcome, durationMs),
      served: (operation, outcome, durationMs) => observe('server', operation, outcome, durationMs),
    },
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async () => gauge.set(await read().catch(() => Number.NaN)),
      });
    },
    levels: (name, help, labelNames, read) => {
      const gauge: Gauge = new Gauge({
        ...{ name, help, labelNames, registers: [registry] },
        collect: async () => {
          const levels = await read().catch(() => []);
          gauge.reset();
          // Pools of one name are one pool to who looks at them.
          for (const { labels, value } of levels) gauge.inc(labels, value);
        },
      });
    },
    total: (name, help, read) => {
      let told = 0;
      const counter: Counter = new Counter({
        name,
        help,
        registers: [registry],
        collect: () => {
          const now = read();
          counter.inc(Math.max(0, now - told));
          told = now;
        },
      });
    },
    durations: (name, help, labelNames = []) => observer(registry, { name, help, labelNames, buckets: seconds }),
    sizes: (name, help, bounds, labelNames = []) =>
      observer(registry, { name, help, labelNames, buckets: [...bounds] }),
    counts: (name, help, labelNames = []) => {
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (amount, ...values) => counter.labels(...values).inc(amount);
    },
  };
};

type HistogramOptions = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly buckets: number[];
};

const observer = (registry: Registry, options: HistogramOptions) => {
  const histogram = new Histogram({ ...options, registers: [registry] });
  const known = new Map<string, LabelledHistogram>();
  return (value: number, ...values: readonly string[]): void => {
    const key = values.join(' ');
    const child = known.get(key) ?? histogram.labels(...values);
    known.set(key, child);
    child.observe(value);
  };
};

export const registerProcessMetrics = (
  metrics: Pick<Metrics, 'gauge' | 'levels' | 'sizes'>,
  health: Pick<Health, 'readiness'>,
): void => {
  watchEventLoop(
    metrics.sizes(
      'tessera_event_loop_hold_seconds',
      'Times that the event loop was held for 5 ms or more, in time of the processor.',
      holdSeconds,
    ),
  );
  metrics.levels('tessera_version', 'Always 1; the label says which version runs.', ['version'], async () => [
    { labels: { version: productVersion }, value: 1 },
  ]);
  metrics.gauge(
    'tessera_memory_limit_bytes',
    'Memory that the process may use: the limit of its container, or what the machine has.',
    async () => process.constrainedMemory(),
  );
  metrics.gauge('tessera_ready', '1 while the process is ready, 0 while something is missing or it stops.', async () =>
    (await health.readiness()).status === 'ready' ? 1 : 0,
  );
  metrics.levels(
    'tessera_dependency_up',
    'Whether each thing that the process needs is there: 1 or 0, as readiness says.',
    ['dependency'],
    async () =>
      Object.entries((await health.readiness()).checks).map(([dependency, state]) => ({
        labels: { dependency },
        value: state === 'up' ? 1 : 0,
      })),
  );
};

/** As `readPoolMetrics` of libs/persistence answers. */
export type PoolUsage = {
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
};

export const registerPoolMetrics = ({ levels }: Pick<Metrics, 'levels'>, read: () => readonly PoolUsage[]): void => {
  levels(
    'tessera_database_connections',
    'Connections to the database, by pool and state (used, idle).',
    ['pool', 'state'],
    async () =>
      read().flatMap(({ pool, used, idle }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
  );
  levels('tessera_database_connections_max', 'Connections that a pool opens at most.', ['pool'], async () =>
    read().map(({ pool, max }) => ({ labels: { pool }, value: max })),
  );
  levels('tessera_database_waiting', 'Statements that wait for a connection of a pool.', ['pool'], async () =>
    read().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  );
};

/** A hold is told up to this much too short. */
const sampleEveryMs = 20;
/** What is shorter is not told. */
const shortestMs = 5;

/**
 * Tells how long the event loop is held, in seconds of the processor: what a timer is late, as far as the thread works between two
 * of its calls. A machine that gives the process no turn adds nothing, also to work that gives way after each slice. The answer
 * ends it.
 */
export const watchEventLoop = (tell: (seconds: number) => void): (() => void) => {
  let [lastMs, lastCpuMs] = [performance.now(), threadCpuMs()];
  const look = (): void => {
    const [nowMs, cpuMs] = [performance.now(), threadCpuMs()];
    const heldMs = Math.min(nowMs - lastMs - sampleEveryMs, cpuMs - lastCpuMs);
    if (heldMs >= shortestMs) tell(heldMs / 1000);
    [lastMs, lastCpuMs] = [nowMs, cpuMs];
  };
  const timer = setInterval(look, sampleEveryMs).unref();
  return () => clearInterval(timer);
};

/** Of this thread, with the garbage collection that runs on it. */
const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
