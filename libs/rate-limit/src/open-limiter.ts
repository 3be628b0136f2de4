/** A rate limiter on its store, with the log line and the metric that tell when it counts alone. */
import type { RateWindows } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { RateLimiter } from './rate-limiter.js';

const sweepEveryMs = 600_000;

export type RateLimiterHandle = { readonly limiter: RateLimiter; readonly stop: () => Promise<void> };

export const openRateLimiter = (windows: RateWindows, log: Log, registry: Registry): RateLimiterHandle => {
  const isLocal = new Gauge({
    name: 'tessera_rate_limit_local',
    help: '1 while the store of the rate limit is away and this replica counts alone.',
    registers: [registry],
  });
  const limiter = new RateLimiter({
    windows,
    onLocal: (local, reason) => {
      isLocal.set(local ? 1 : 0);
      if (local) log.warn({ reason }, 'the store of the rate limit is away; counting locally');
      else log.info({}, 'the store of the rate limit is back');
    },
  });
  limiter.start();
  const sweep = setInterval(() => {
    windows.deleteOld().catch((error: unknown) => log.warn({ err: error }, 'old rate windows stay for now'));
  }, sweepEveryMs).unref();
  const stop = (): Promise<void> => {
    clearInterval(sweep);
    return limiter.stop();
  };
  return { limiter, stop };
};
