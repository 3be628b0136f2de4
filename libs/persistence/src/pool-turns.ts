/**
 * The connections of a pool among those who share it: who holds a part of them waits for its own to come back, so that the
 * others find one, however long its answers take to be read.
 * Refuses: to wait longer than the pool would, and to give a turn to who has left.
 */
import type pg from 'pg';
import { ReaderGone } from './database-failure.js';

type Turns = { held: number; readonly waiting: Set<() => void> };

const sharers = new WeakMap<pg.Pool, Map<string, Turns>>();

/** One has this part of a pool at most; a single connection is everybody's. */
const largestPart = 3 / 4;
const turnsMax = ({ options: { max } }: pg.Pool): number => Math.max(1, Math.floor(max * largestPart));

type Connected = { readonly client: pg.PoolClient; readonly giveBack: (error?: Error) => void };

/** Without a sharer as the pool has it. Rejects as the pool does when it is too long in coming. */
export const connectInTurn = async (
  pool: pg.Pool,
  sharer: string | undefined,
  signal: AbortSignal,
): Promise<Connected> => {
  const endTurn = sharer === undefined ? undefined : await takeTurn(pool, sharer, signal);
  try {
    const client = await pool.connect();
    return {
      client,
      giveBack: (error) => {
        client.release(error);
        endTurn?.();
      },
    };
  } catch (error) {
    endTurn?.();
    throw error;
  }
};

/** Resolves with what ends the turn. */
const takeTurn = async (pool: pg.Pool, sharer: string, signal: AbortSignal): Promise<() => void> => {
  const ofPool = sharers.get(pool) ?? new Map<string, Turns>();
  sharers.set(pool, ofPool);
  const turns = ofPool.get(sharer) ?? { held: 0, waiting: new Set() };
  ofPool.set(sharer, turns);
  if (turns.held >= turnsMax(pool)) await untilCalled(turns, pool.options.connectionTimeoutMillis ?? 0, signal);
  else turns.held++;
  return () => {
    const [next] = turns.waiting;
    if (next) return next();
    turns.held--;
    if (turns.held === 0) ofPool.delete(sharer);
  };
};

/** The turn of who has ended goes to the first who waits. */
const untilCalled = ({ waiting }: Turns, timeoutMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(call);
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const call = (): void => {
      leave();
      resolve();
    };
    const onAbort = (): void => {
      leave();
      reject(new ReaderGone());
    };
    const timer = setTimeout(() => {
      leave();
      reject(new Error('timeout exceeded when trying to connect'));
    }, timeoutMs);
    waiting.add(call);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
