/**
 * Shares the connections of a pool fairly among teams: one team holds a part of them at most, and a waiting team gets the next
 * one before a team that holds more. Never wait on a pool directly on behalf of a team.
 */
import { KeyedQueue, QueueRefusal, type Release } from '@tessera/fair-queue';
import type pg from 'pg';
import { DatabaseBusyError, RequestAbandonedError } from './database-failure.js';

/** What one team holds at most, and what is kept for teams that hold none; a single connection is everybody's. */
const largestPart = 3 / 4;
const reservedPart = 1 / 8;
/** Further requests of the team are refused at once. */
const waitingPerTeamMax = 500;

const queueByPool = new WeakMap<pg.Pool, KeyedQueue>();

/** Units are connections, keys are teams. */
export const connectionQueueOf = (pool: pg.Pool): KeyedQueue => {
  const known = queueByPool.get(pool);
  if (known) return known;
  const limit = pool.options.max;
  const limitPerKey = Math.max(1, Math.floor(limit * largestPart));
  const reserve = limit < 4 ? 0 : Math.ceil(limit * reservedPart);
  const queue = new KeyedQueue({ limit, limitPerKey, reserve, waitingPerKeyMax: waitingPerTeamMax });
  queueByPool.set(pool, queue);
  return queue;
};

/** The turn of a team in a pool. Rejects with `DatabaseBusyError` when it is too long in coming, or with `RequestAbandonedError`. */
export const acquireConnectionSlot = async (pool: pg.Pool, team: string, signal?: AbortSignal): Promise<Release> => {
  const timeoutMs = pool.options.connectionTimeoutMillis ?? 0;
  const queue = connectionQueueOf(pool);
  try {
    return await queue.acquire(team, { timeoutMs, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof QueueRefusal && error.reason === 'aborted') throw new RequestAbandonedError();
    if (!(error instanceof QueueRefusal)) throw error;
    throw new DatabaseBusyError(queue.heldBy(team) > 0);
  }
};

type FairConnection = { readonly client: pg.PoolClient; readonly release: (error?: Error) => void };

/** A connection in the turn of a team. Rejects as `acquireConnectionSlot` and the pool do. */
export const acquireConnectionFairly = async (
  pool: pg.Pool,
  team: string,
  signal?: AbortSignal,
): Promise<FairConnection> => {
  const endTurn = await acquireConnectionSlot(pool, team, signal);
  try {
    const client = await pool.connect();
    return {
      client,
      release: (error) => {
        client.release(error);
        endTurn();
      },
    };
  } catch (error) {
    endTurn();
    throw error;
  }
};
