/** The connections to the database: no call waits for a definition that is written, and no reading of a revision for the log. */
import { Inject, Injectable, Module } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { type Pool, ServicePools } from '@tessera/persistence';
import { dataSourceOptions } from '@tessera/persistence/data-source';
import { toolGatewayEntities } from '@tessera/persistence/tool-gateway';
import { logToken, settingsToken } from '@tessera/service-kit';
import { createDatabaseModuleMetadata } from '@tessera/service-kit/database';
import type { Settings } from './settings.js';

const definitionConnections = 2;

@Injectable()
export class Pools extends ServicePools {
  /** Revisions, definitions that are read, limits. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** The log of calls. */
  readonly log: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    super({
      service: 'tool-gateway',
      url: settings.DATABASE_URL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      log,
    });
    this.light = this.open('light', settings.LIGHT_CONNECTIONS);
    this.definitions = this.open('definitions', definitionConnections);
    this.log = this.open('log', settings.LOG_CONNECTIONS);
  }
}

@Module(createDatabaseModuleMetadata(Pools, ({ light }) => dataSourceOptions(light, toolGatewayEntities)))
export class DatabaseModule {}
