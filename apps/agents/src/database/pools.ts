/**
 * The pools of the service: no turn waits for a definition that is written or for a long conversation that is read.
 * Refuses: one pool for all.
 */
import { createPool, type Pool } from '@tessera/persistence';
import type { Settings } from '../settings.js';

export type Pools = {
  /** Definitions that are read; every turn begins with one. */
  readonly light: Pool;
  /** Conversations that are read; large ones take long. */
  readonly conversations: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Turns that begin, go on and end. */
  readonly turns: Pool;
};

const definitionConnections = 2;
const conversationConnections = 3;

type PoolSettings = Pick<Settings, 'DATABASE_URL' | 'LIGHT_CONNECTIONS' | 'TURN_CONNECTIONS' | 'STATEMENT_TIMEOUT_MS'>;

export const openPools = (settings: PoolSettings, onIdleError: (error: Error) => void): Pools => {
  const open = (use: keyof Pools, connectionsMax: number, connectTimeoutMs: number) =>
    createPool({
      url: settings.DATABASE_URL,
      applicationName: `agents-${use}`,
      connectionsMax,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      connectTimeoutMs,
      onIdleError,
    });
  return {
    light: open('light', settings.LIGHT_CONNECTIONS, 5_000),
    conversations: open('conversations', conversationConnections, 5_000),
    definitions: open('definitions', definitionConnections, 5_000),
    turns: open('turns', settings.TURN_CONNECTIONS, 5_000),
  };
};

export const closePools = async (pools: Pools): Promise<void> => {
  await Promise.allSettled(Object.values(pools).map((pool) => pool.end()));
};
