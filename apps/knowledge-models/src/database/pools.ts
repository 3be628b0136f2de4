/** The pools of the service: what a query holds, no reading of a definition waits for, and no query waits for a load. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { createPool, type Pool } from '@tessera/persistence';
import { logToken, settingsToken } from '@tessera/service-kit';
import type { Settings } from '../settings.js';

/** Of sessions whose rows are answered: nothing is written, and values have one text, whatever the server is set to. */
export const readingSession = {
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  datestyle: 'ISO',
  extra_float_digits: '1',
} as const;

const definitionConnections = 2;

@Injectable()
export class Pools implements OnApplicationShutdown {
  /** Definitions and revisions. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Rows of teams, read as their roles. */
  readonly queries: Pool;
  readonly loads: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    const open = (use: string, connectionsMax: number, more: Partial<Parameters<typeof createPool>[0]> = {}): Pool =>
      createPool({
        url: settings.DATABASE_URL,
        applicationName: `knowledge-models-${use}`,
        connectionsMax,
        statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
        connectTimeoutMs: 5_000,
        onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
        ...more,
      });
    this.light = open('light', settings.LIGHT_CONNECTIONS);
    this.definitions = open('definitions', definitionConnections);
    this.queries = open('queries', settings.QUERY_CONNECTIONS, { settings: readingSession });
    this.loads = open('loads', settings.LOAD_CONNECTIONS, { statementTimeoutMs: settings.LOAD_STATEMENT_TIMEOUT_MS });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([this.light, this.definitions, this.queries, this.loads].map((pool) => pool.end()));
  }
}
