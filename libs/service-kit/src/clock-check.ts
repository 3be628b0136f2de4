/**
 * Says when the clock of the process and that of the database differ: in the log, in a metric, and, beyond what the deadlines of
 * calls can bear, by a check of readiness. A process whose clock is wrong gives up calls that have just begun.
 */
import type { Health } from './health.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { ClockReading, ServiceDatabase } from './start-checks.js';

const everyMs = 60_000;
const noteworthyMs = 1_000;

type Surroundings = {
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly stopping: AbortSignal;
};

/** Resolves after the first comparison; then there is one a minute until the process stops. */
export const watchClock = async (
  database: Pick<ServiceDatabase, 'readClock'>,
  { health, log, metrics, stopping }: Surroundings,
): Promise<void> => {
  let last: ClockReading | undefined;
  const compare = async (): Promise<void> => {
    // Without the database nothing is known; its own check says that it is away.
    const reading = await database.readClock().catch(() => undefined);
    if (!reading) return;
    const { processTime, databaseTime, aheadMs, isBearable } = reading;
    const facts = { processTime, databaseTime, databaseAheadSeconds: aheadMs / 1_000 };
    if (!isBearable) log.error(facts, 'the clocks of this process and of the database differ too much: not ready');
    else if (Math.abs(aheadMs) >= noteworthyMs)
      log.warn(facts, 'the clocks of this process and of the database differ');
    else if (last && Math.abs(last.aheadMs) >= noteworthyMs) log.info(facts, 'the clocks agree again');
    last = reading;
  };
  health.register('clock', () => last?.isBearable !== false);
  metrics.gauge(
    'tessera_database_clock_ahead_seconds',
    'How far the clock of the database is ahead of that of the process, as far as the way there and back lets tell.',
    async () => (last ? last.aheadMs / 1_000 : Number.NaN),
  );
  await compare();
  const timer = setInterval(() => void compare(), everyMs);
  timer.unref();
  stopping.addEventListener('abort', () => clearInterval(timer));
};
