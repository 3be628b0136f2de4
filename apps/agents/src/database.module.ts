/**
 * One pool for each kind of work, so that turns never wait for a definition being written or a long conversation being read.
 */
import { Inject, Injectable, Module } from '@nestjs/common';
import type { MessagingLog } from '@tessera/messaging';
import { ServicePools, type Pool } from '@tessera/persistence';
import { agentsEntities } from '@tessera/persistence/agents';
import { dataSourceOptions } from '@tessera/persistence/data-source';
import { logToken, settingsToken } from '@tessera/service-kit';
import { createDatabaseModuleMetadata } from '@tessera/service-kit/database';
import type { Settings } from './settings.js';

const definitionConnections = 2;
const conversationConnections = 3;

@Injectable()
export class Pools extends ServicePools {
  /** Definitions that are read; every turn begins with one. */
  readonly light: Pool;
  /** Conversations that are read; large ones take long. */
  readonly conversations: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Turns that begin, go on and end. */
  readonly turns: Pool;

  constructor(@Inject(settingsToken) settings: Settings, @Inject(logToken) log: Pick<MessagingLog, 'warn'>) {
    super({
      service: 'agents',
      url: settings.DATABASE_URL,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      log,
    });
    this.light = this.open('light', settings.LIGHT_CONNECTIONS);
    this.conversations = this.open('conversations', conversationConnections);
    this.definitions = this.open('definitions', definitionConnections);
    this.turns = this.open('turns', settings.TURN_CONNECTIONS);
  }
}

@Module(createDatabaseModuleMetadata(Pools, ({ light }) => dataSourceOptions(light, agentsEntities)))
export class DatabaseModule {}
