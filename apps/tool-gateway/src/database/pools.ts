/** The pools of the service: no call waits for a definition that is written, and no reading of a revision for the log. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { createPool, type Pool } from '@tessera/persistence';
import { logToken, settingsToken } from '@tessera/service-kit';
import type { Settings } from '../settings.js';

const definitionConnections = 2;

@Injectable()
export class Pools implements OnApplicationShutdown {
  /** Revisions, definitions that are read, limits. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** The log of calls. */
  readonly log: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    const open = (use: string, connectionsMax: number): Pool =>
      createPool({
        url: settings.DATABASE_URL,
        applicationName: `tool-gateway-${use}`,
        connectionsMax,
        statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
        connectTimeoutMs: 5_000,
        onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
      });
    this.light = open('light', settings.LIGHT_CONNECTIONS);
    this.definitions = open('definitions', definitionConnections);
    this.log = open('log', settings.LOG_CONNECTIONS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([this.light, this.definitions, this.log].map((pool) => pool.end()));
  }
}
