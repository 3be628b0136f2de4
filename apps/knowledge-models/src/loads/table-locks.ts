/**
 * One change of a table's generation at a time, over all replicas: a lock of PostgreSQL that ends with its connection, so
 * that nobody has to guess whether its holder is still alive. Never holds a connection while it waits, and leaves
 * connections to batches.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { KeyedQueue } from '@tessera/fair-queue';
import { acquireConnectionFairly, type PoolClient } from '@tessera/persistence';
import { entitiesOnConnection } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { Pools } from '../database.module.js';
import { tableLockName, type TableKey } from './load.repository.js';

/** Another replica has the lock; it may have it for minutes. */
const retryMs = 500;

/**
 * Memory to sort for indexes, and how soon PostgreSQL notices that this machine has gone without a word. Commits are written
 * through even where the server does not: only then does it know all rows before them as committed, and settles them.
 */
const sessionText = `set maintenance_work_mem = '256MB'; set synchronous_commit = on; set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`;

/** With the connection that holds the lock. */
type Work<T> = (manager: EntityManager, client: PoolClient) => Promise<T>;
type LockResult<T> = { readonly value: T };

@Injectable()
export class TableLocks implements OnModuleDestroy {
  readonly #stopping = new AbortController();
  /** Keys are teams; one of them leaves room for another. */
  readonly #queue: KeyedQueue;

  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
  ) {
    const limit = Math.max(1, Math.floor(pools.loads.options.max / 2));
    this.#queue = new KeyedQueue({ limit, limitPerKey: Math.max(1, limit - 1) });
  }

  /** What runs is cut off; PostgreSQL rolls it back, and another replica may go on with it. */
  onModuleDestroy(): void {
    this.#stopping.abort();
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Answers what `work` answers; undefined when the service stops, or the signal is aborted, before the lock is free. */
  async hold<T>(key: TableKey, work: Work<T>, leaving?: AbortSignal): Promise<T | undefined> {
    const signal = AbortSignal.any([this.#stopping.signal, ...(leaving ? [leaving] : [])]);
    while (!signal.aborted) {
      const done = await this.#inTurn(key.team, signal, () => this.#attempt(key, work));
      if (done) return done.value;
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return undefined;
  }

  async #inTurn<T>(team: string, signal: AbortSignal, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const endTurn = await this.#queue.acquire(team, { signal }).catch(() => undefined);
    try {
      return signal.aborted ? undefined : await work();
    } finally {
      endTurn?.();
    }
  }

  /** Undefined when somebody else has the lock. */
  async #attempt<T>(key: TableKey, work: Work<T>): Promise<LockResult<T> | undefined> {
    const { client, release } = await acquireConnectionFairly(this.pools.loads, key.team);
    const { signal } = this.#stopping;
    let isHeld = true;
    const close = (): void => {
      if (isHeld) release(new Error('The lock of the table is given up.'));
      isHeld = false;
    };
    signal.addEventListener('abort', close);
    try {
      const isMine = await tryLock(client, key).catch((error: unknown) => {
        // The service stops, and the connection was closed under the question.
        if (signal.aborted) return false;
        throw error;
      });
      if (isMine) return { value: await work(await entitiesOnConnection(this.source, client), client) };
      if (isHeld) release();
      isHeld = false;
      return undefined;
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }
}

const tryLock = async (client: PoolClient, key: TableKey): Promise<boolean> => {
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 1)) as mine',
    [tableLockName(key)],
  );
  const isMine = rows[0]?.mine === true;
  if (isMine) await client.query(sessionText);
  return isMine;
};
