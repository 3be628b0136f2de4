import { expect, it } from '@jest/globals';
import type { RateWindows } from '@tessera/persistence';
import { makeMetrics, openLog } from '@tessera/service-kit';
import { openRateLimiter } from './open-limiter.js';

const { log } = openLog('tool-gateway', 'silent');

/** Windows that can be away. */
const windowLengths = () => {
  const state = { isAway: false };
  const windows: RateWindows = {
    window: 'minute',
    take: async (requests) => {
      if (state.isAway) throw new Error('away');
      const nowMs = Date.now();
      const grants = requests.map(({ team, subject, wanted }) => ({ team, subject, granted: wanted, used: wanted }));
      return { windowMs: Math.floor(nowMs / 60_000) * 60_000, nowMs, grants };
    },
    deleteOld: async () => 0,
  };
  return { state, windows };
};

it('the limiter reports by a metric whether it counts locally', async () => {
  const { state, windows } = windowLengths();
  const { registry } = makeMetrics('tool-gateway');
  const { limiter, stop } = openRateLimiter(windows, log, registry);
  const told = async () => /tessera_rate_limit_local\{[^}]*\} (\d)/.exec(await registry.metrics())?.[1];
  const admit = async (subject: string) => limiter.admit(limiter.meterOf({ team: 'a', subject, limit: 3 }));
  expect(await admit('p2p')).toBeGreaterThanOrEqual(0);
  expect(await told()).toBe('0');
  state.isAway = true;
  expect(await admit('o2c')).toBe(2);
  expect(await told()).toBe('1');
  await stop();
});
