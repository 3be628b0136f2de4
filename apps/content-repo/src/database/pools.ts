/**
 * The pools of the service: single reads never wait behind reports, which hold a connection as long as somebody reads, nor
 * behind imports. Refuses: one pool for all.
 */
import { createPool } from '@tessera/persistence';
import type pg from 'pg';
import type { Settings } from '../settings.js';

export type Pools = {
  readonly light: pg.Pool;
  readonly reports: pg.Pool;
  /** For imports and exports. */
  readonly writes: pg.Pool;
  readonly changes: pg.Pool;
};

/** Injection token of `Pools`. */
export const poolsToken = Symbol('pools');

/** Who writes holds a storage until the commit, and a busy process makes every answer wait for its turn. */
const pipelined: readonly (keyof Pools)[] = ['writes', 'changes'];

/** Longer than a writer waits for those before it. */
const changeStatementTimeoutMs = 20_000;

export const openPools = (settings: Settings, onIdleError: (error: Error) => void): Pools => {
  const open = (use: keyof Pools, connectionsMax: number, statementTimeoutMs: number, connectTimeoutMs: number) =>
    createPool({
      url: settings.DATABASE_URL,
      applicationName: `content-repo-${use}`,
      connectionsMax,
      statementTimeoutMs,
      connectTimeoutMs,
      pipelined: pipelined.includes(use),
      // Small arrays of keys would be planned each time, which takes longer than to run them.
      plansOnce: use === 'changes',
      onIdleError,
    });
  return {
    light: open('light', settings.LIGHT_CONNECTIONS, settings.STATEMENT_TIMEOUT_MS, 5_000),
    reports: open('reports', settings.REPORT_CONNECTIONS, settings.STATEMENT_TIMEOUT_MS, 5_000),
    writes: open('writes', settings.WRITE_CONNECTIONS, settings.WRITE_STATEMENT_TIMEOUT_MS, 5_000),
    // Writers of one storage follow each other; many at once wait here rather than in the database.
    changes: open('changes', settings.CHANGE_CONNECTIONS, changeStatementTimeoutMs, 20_000),
  };
};

export const closePools = async (pools: Pools): Promise<void> => {
  await Promise.allSettled(Object.values(pools).map((pool) => pool.end()));
};
