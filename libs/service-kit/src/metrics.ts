/**
 * Metrics of a process in the Prometheus format: those of Node (memory, CPU, delay of the event loop) and of operations. Never
 * labels without bound (callers, paths, ids). docs/metrics.md lists all of them.
 */
import type { OperationObserver } from '@tessera/messaging';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

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
    read: () => Promise<readonly Level[]>,
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

export type Level = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

const seconds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Child = { observe: (value: number) => void };

/** Event loop delay comes as `nodejs_eventloop_lag_max_seconds`, the longest since it was last read. */
export const makeMetrics = (service: string): Metrics => {
  const registry = new Registry();
  const teamRegistry = new Registry();
  for (const each of [registry, teamRegistry]) each.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'tessera_operation_duration_seconds',
    help: 'Time of an operation, by side (client: we called it, server: we answered it), name and outcome.',
    labelNames: ['side', 'operation', 'outcome'] as const,
    buckets: seconds,
    registers: [registry],
  });
  const children = new Map<string, Child>();
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
    durations: (name, help, labelNames = []) => observing(registry, { name, help, labelNames, buckets: seconds }),
    sizes: (name, help, bounds, labelNames = []) =>
      observing(registry, { name, help, labelNames, buckets: [...bounds] }),
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

const observing = (registry: Registry, options: HistogramOptions) => {
  const histogram = new Histogram({ ...options, registers: [registry] });
  const known = new Map<string, Child>();
  return (value: number, ...values: readonly string[]): void => {
    const key = values.join(' ');
    const child = known.get(key) ?? histogram.labels(...values);
    known.set(key, child);
    child.observe(value);
  };
};
