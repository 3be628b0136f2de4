/**
 * The pools of the service: single reads never wait behind reports, which hold a connection as long as somebody reads, nor
 * behind imports.
 */
import { Inject, Injectable, Module } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { ServicePools, type Pool } from '@tessera/persistence';
import { contentRepoEntities } from '@tessera/persistence/content-repo';
import { dataSourceOptions } from '@tessera/persistence/data-source';
import { logToken, settingsToken } from '@tessera/service-kit';
import { createDatabaseModuleMetadata } from '@tessera/service-kit/database';
import type { Settings } from './settings.js';

/** Longer than a writer waits for those before it. */
const changeStatementTimeoutMs = 20_000;

@Injectable()
export class Pools extends ServicePools {
  readonly light: Pool;
  readonly reports: Pool;
  /** For imports and exports. */
  readonly writes: Pool;
  readonly changes: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    super({
      service: 'content-repo',
      url: settings.DATABASE_URL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      log,
    });
    this.light = this.open('light', settings.LIGHT_CONNECTIONS);
    this.reports = this.open('reports', settings.REPORT_CONNECTIONS, { pipelined: true });
    // Who writes holds a storage until the commit, and a busy process makes every answer wait for its turn: pipelined.
    this.writes = this.open('writes', settings.WRITE_CONNECTIONS, {
      statementTimeoutMs: settings.WRITE_STATEMENT_TIMEOUT_MS,
      pipelined: true,
    });
    this.changes = this.open('changes', settings.CHANGE_CONNECTIONS, {
      statementTimeoutMs: changeStatementTimeoutMs,
      // Writers of one storage follow each other; many at once wait here rather than in the database.
      connectTimeoutMs: 20_000,
      pipelined: true,
      // Small arrays of keys would be planned each time, which takes longer than to run them.
      plansOnce: true,
    });
  }
}

@Module(createDatabaseModuleMetadata(Pools, ({ light }) => dataSourceOptions(light, contentRepoEntities)))
export class DatabaseModule {}
