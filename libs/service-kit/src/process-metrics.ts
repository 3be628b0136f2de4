/**
 * What every process tells of itself beside what Node does: its version, the memory that it may use, how long its event loop
 * is held, what it depends on, and its pools of connections.
 */
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';
import { productVersion } from './product-version.js';

export const registerProcessMetrics = (
  metrics: Pick<Metrics, 'gauge' | 'levels' | 'durations'>,
  health: Pick<Health, 'readiness'>,
): void => {
  watchEventLoop(
    metrics.durations(
      'tessera_event_loop_hold_seconds',
      'Times that the event loop was held for 5 ms or more, in time of the processor.',
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

/** As `poolFigures` of libs/persistence answers. */
export type PoolFigure = {
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
};

export const registerPoolMetrics = ({ levels }: Pick<Metrics, 'levels'>, read: () => readonly PoolFigure[]): void => {
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

const tickMs = 10;
/** What is shorter is not told; most ticks are. */
const shortestMs = 5;

/**
 * Tells how long the event loop is held, in seconds of the processor: the time that passes beyond what a timer asked for, as
 * far as the thread works in it. A machine that gives the process no turn adds nothing. The answer ends it.
 */
export const watchEventLoop = (tell: (seconds: number) => void): (() => void) => {
  let [wallMs, cpuMs] = [performance.now(), threadCpuMs()];
  const look = (): void => {
    const [nowMs, nowCpuMs] = [performance.now(), threadCpuMs()];
    const heldMs = Math.min(nowMs - wallMs - tickMs, nowCpuMs - cpuMs);
    if (heldMs >= shortestMs) tell(heldMs / 1000);
    [wallMs, cpuMs] = [nowMs, nowCpuMs];
  };
  const timer = setInterval(look, tickMs).unref();
  return () => clearInterval(timer);
};

/** Of this thread, with the garbage collection that runs on it. */
const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
