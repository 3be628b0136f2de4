/** The connections to the database, for keys and limits. */
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createPool, type Pool } from '@tessera/persistence';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { GatewayConfiguration } from './configuration.js';

export const poolToken = Symbol('pool');

const statementTimeoutMs = 3_000;
const connectTimeoutMs = 1_500;

const openPool = (configuration: GatewayConfiguration, log: Log): Pool =>
  createPool({
    url: configuration.DATABASE_URL,
    applicationName: 'tessera-gateway',
    connectionsMax: configuration.DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs,
    connectTimeoutMs,
    onIdleError: (error) => log.warn({ reason: error.message }, 'a connection to PostgreSQL broke'),
  });

@Module({
  providers: [{ provide: poolToken, inject: [settingsToken, logToken], useFactory: openPool }],
  exports: [poolToken],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(poolToken) private readonly pool: Pool) {}

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}
