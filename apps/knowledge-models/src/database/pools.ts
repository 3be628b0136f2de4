/**
 * The pools of the service: what a query holds, no reading of a definition waits for, and no query waits for a load.
 * Refuses: one pool for all.
 */
import { createPool, type Pool } from '@tessera/persistence';
import type { Settings } from '../settings.js';

export type Pools = {
  /** Definitions and revisions. */
  readonly light: Pool;
  /** Changes of definitions; those of one team wait for each other. */
  readonly definitions: Pool;
  /** Rows of teams, read as their roles. */
  readonly queries: Pool;
  readonly loads: Pool;
};

/** Of sessions whose rows are answered: nothing is written, and values have one text, whatever the server is set to. */
export const readingSession = {
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  datestyle: 'ISO',
  extra_float_digits: '1',
} as const;

/** Injection token of `Pools`. */
export const poolsToken = Symbol('pools');

const definitionConnections = 2;

export const openPools = (settings: Settings, onIdleError: (error: Error) => void): Pools => {
  const open = (
    use: keyof Pools,
    connectionsMax: number,
    statementTimeoutMs: number,
    connectTimeoutMs: number,
    session?: Readonly<Record<string, string>>,
  ) =>
    createPool({
      url: settings.DATABASE_URL,
      applicationName: `knowledge-models-${use}`,
      connectionsMax,
      statementTimeoutMs,
      connectTimeoutMs,
      ...(session && { settings: session }),
      onIdleError,
    });
  return {
    light: open('light', settings.LIGHT_CONNECTIONS, settings.STATEMENT_TIMEOUT_MS, 5_000),
    definitions: open('definitions', definitionConnections, settings.STATEMENT_TIMEOUT_MS, 5_000),
    queries: open('queries', settings.QUERY_CONNECTIONS, settings.STATEMENT_TIMEOUT_MS, 5_000, readingSession),
    loads: open('loads', settings.LOAD_CONNECTIONS, settings.LOAD_STATEMENT_TIMEOUT_MS, 5_000),
  };
};

export const closePools = async (pools: Pools): Promise<void> => {
  await Promise.allSettled(Object.values(pools).map((pool) => pool.end()));
};
