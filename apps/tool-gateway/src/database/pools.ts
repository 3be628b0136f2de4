/**
 * The pools of the service: no call waits for a definition that is written, and no reading of a revision for the log.
 * Refuses: one pool for all.
 */
import { createPool, type Pool } from '@tessera/persistence';
import type { Settings } from '../settings.js';

export type Pools = {
  /** Revisions, definitions that are read, limits. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** The log of calls. */
  readonly log: Pool;
};

/** Injection token of `Pools`. */
export const poolsToken = Symbol('pools');

const definitionConnections = 2;

type PoolSettings = Pick<Settings, 'DATABASE_URL' | 'LIGHT_CONNECTIONS' | 'LOG_CONNECTIONS' | 'STATEMENT_TIMEOUT_MS'>;

export const openPools = (settings: PoolSettings, onIdleError: (error: Error) => void): Pools => {
  const open = (use: keyof Pools, connectionsMax: number, connectTimeoutMs: number) =>
    createPool({
      url: settings.DATABASE_URL,
      applicationName: `tool-gateway-${use}`,
      connectionsMax,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      connectTimeoutMs,
      onIdleError,
    });
  return {
    light: open('light', settings.LIGHT_CONNECTIONS, 5_000),
    definitions: open('definitions', definitionConnections, 5_000),
    log: open('log', settings.LOG_CONNECTIONS, 5_000),
  };
};

export const closePools = async (pools: Pools): Promise<void> => {
  await Promise.allSettled(Object.values(pools).map((pool) => pool.end()));
};
