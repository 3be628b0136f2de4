/** The hourly limit of credentials. */
import { Module } from '@nestjs/common';
import { credentialWindows, rateWindows, type Pool } from '@tessera/persistence';
import { openLimiter, RateLimiter } from '@tessera/rate-limit';
import { logToken, metricsToken, type Log, type Metrics } from '@tessera/service-kit';
import { DatabaseModule, poolToken } from '../database.module.js';

const limiterOf = (pool: Pool, log: Log, { registry }: Metrics): RateLimiter => {
  const { limiter, stop } = openLimiter(rateWindows(pool, credentialWindows), log, registry);
  // Leases are given back while the database is still spoken to.
  return Object.assign(limiter, { onApplicationShutdown: stop });
};

@Module({
  imports: [DatabaseModule],
  providers: [{ provide: RateLimiter, inject: [poolToken, logToken, metricsToken], useFactory: limiterOf }],
  exports: [RateLimiter],
})
export class LimitsModule {}
