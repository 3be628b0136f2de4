import { describe, expect, it, jest } from '@jest/globals';
import { watchClock } from './clock-check.js';
import { Health } from './health.js';
import { openLog } from './log.js';
import { makeMetrics } from './metrics.js';
import type { ClockReading } from './start-checks.js';

const databaseTime = new Date('2026-11-28T09:00:00.000Z');
const reading = (aheadMs: number): ClockReading => ({
  ...{ databaseTime, aheadMs, isBearable: Math.abs(aheadMs) <= 5_000 },
  processTime: new Date(databaseTime.getTime() - aheadMs),
});

/** A minute passes after each reading but the last. */
const watch = async (...readings: readonly (ClockReading | Error)[]) => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  const lines: string[] = [];
  const health = new Health(() => 0);
  const metrics = makeMetrics('agents');
  const stopping = new AbortController();
  const left = [...readings];
  const readClock = async () => {
    const next = left.shift();
    if (next instanceof Error || next === undefined) throw next ?? new Error('no more');
    return next;
  };
  const { log } = openLog('agents', 'info', { write: (line) => void lines.push(line) });
  try {
    await watchClock({ readClock }, { health, log, metrics, stopping: stopping.signal });
    for (const _ of readings.slice(1)) await jest.advanceTimersByTimeAsync(60_000);
    stopping.abort();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
  return {
    lines: lines.map((line): Record<string, unknown> => JSON.parse(line)),
    checks: (await health.readiness()).checks,
    metric: /tessera_database_clock_ahead_seconds\{service="agents"\} (\S+)/.exec(
      await metrics.registry.metrics(),
    )?.[1],
  };
};

describe('the clock of a process', () => {
  it('that is three hours off is told with both times, in the metric, and as not ready', async () => {
    const { lines, checks, metric } = await watch(reading(-3 * 3_600_000));
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ level: 'error', msg: 'the clocks of this process and of the database differ too much: not ready' },
        ...{ processTime: '2026-11-28T12:00:00.000Z', databaseTime: '2026-11-28T09:00:00.000Z' },
        databaseAheadSeconds: -10_800,
      }),
    ]);
    expect([checks, metric]).toEqual([{ clock: 'down' }, '-10800']);
  });

  it('that is a little off is told, and calls go on', async () => {
    const { lines, checks, metric } = await watch(reading(2_000));
    expect(lines).toMatchObject([{ level: 'warn', msg: 'the clocks of this process and of the database differ' }]);
    expect([checks, metric]).toEqual([{ clock: 'up' }, '2']);
  });

  it('is compared each minute, and the end of the difference is told', async () => {
    const { lines, checks } = await watch(reading(0), reading(60_000), new Error('away'), reading(3), reading(0));
    expect(lines).toMatchObject([{ level: 'error' }, { level: 'info', msg: 'the clocks agree again' }]);
    expect(checks).toEqual({ clock: 'up' });
  });

  it('counts as right while the database has not answered', async () => {
    const { lines, checks, metric } = await watch(new Error('away'));
    expect([lines, checks, metric]).toEqual([[], { clock: 'up' }, 'Nan']);
  });
});
