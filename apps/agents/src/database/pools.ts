/** The pools of the service: no turn waits for a definition that is written or for a long conversation that is read. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { createPool, type Pool } from '@tessera/persistence';
import { logToken, settingsToken } from '@tessera/service-kit';
import type { Settings } from '../settings.js';

const definitionConnections = 2;
const conversationConnections = 3;

@Injectable()
export class Pools implements OnApplicationShutdown {
  /** Definitions that are read; every turn begins with one. */
  readonly light: Pool;
  /** Conversations that are read; large ones take long. */
  readonly conversations: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Turns that begin, go on and end. */
  readonly turns: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    const open = (use: string, connectionsMax: number): Pool =>
      createPool({
        url: settings.DATABASE_URL,
        applicationName: `agents-${use}`,
        connectionsMax,
        statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
        connectTimeoutMs: 5_000,
        onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
      });
    this.light = open('light', settings.LIGHT_CONNECTIONS);
    this.conversations = open('conversations', conversationConnections);
    this.definitions = open('definitions', definitionConnections);
    this.turns = open('turns', settings.TURN_CONNECTIONS);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([this.light, this.conversations, this.definitions, this.turns].map((pool) => pool.end()));
  }
}
