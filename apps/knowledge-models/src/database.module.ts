/** The connections to the database: reading definitions waits for no query, and queries wait for no load. */
import { Inject, Injectable, Module } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { ServicePools, type Pool } from '@tessera/persistence';
import { dataSourceOptions } from '@tessera/persistence/data-source';
import { knowledgeModelsEntities } from '@tessera/persistence/knowledge-models';
import { logToken, settingsToken } from '@tessera/service-kit';
import { createDatabaseModuleMetadata } from '@tessera/service-kit/database';
import type { Settings } from './settings.js';

/** Of sessions whose rows are answered: nothing is written, and values have one text, whatever the server is set to. */
export const readOnlySessionSettings = {
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  datestyle: 'ISO',
  extra_float_digits: '1',
  bytea_output: 'hex',
  intervalstyle: 'postgres',
} as const;

const definitionConnections = 2;

@Injectable()
export class Pools extends ServicePools {
  /** Definitions and revisions. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Rows of teams, read as their roles. */
  readonly queries: Pool;
  readonly loads: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    super({
      service: 'knowledge-models',
      url: settings.DATABASE_URL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      log,
    });
    this.light = this.open('light', settings.LIGHT_CONNECTIONS);
    this.definitions = this.open('definitions', definitionConnections);
    this.queries = this.open('queries', settings.QUERY_CONNECTIONS, { settings: readOnlySessionSettings });
    this.loads = this.open('loads', settings.LOAD_CONNECTIONS, {
      statementTimeoutMs: settings.LOAD_STATEMENT_TIMEOUT_MS,
    });
  }
}

@Module(createDatabaseModuleMetadata(Pools, ({ light }) => dataSourceOptions(light, knowledgeModelsEntities)))
export class DatabaseModule {}
