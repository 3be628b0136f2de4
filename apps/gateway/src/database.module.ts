/** The connections to the database, for keys and limits. */
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createPool, type Pool } from '@tessera/persistence';
import { dataSourceOptions } from '@tessera/persistence/data-source';
import { gatewayEntities } from '@tessera/persistence/gateway';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import { createDatabaseModuleMetadata } from '@tessera/service-kit/database';
import { DataSource } from 'typeorm';
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

@Module(
  createDatabaseModuleMetadata(
    { provide: poolToken, inject: [settingsToken, logToken], useFactory: openPool },
    (pool: Pool) => dataSourceOptions(pool, gatewayEntities),
  ),
)
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(poolToken) private readonly pool: Pool,
    private readonly source: DataSource,
  ) {}

  /** A data source that was started ends its pool itself. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.source.isInitialized && !this.pool.ending) await this.pool.end();
  }
}
