/**
 * Statements that take PostgreSQL long, shared fairly among teams: a few of one team run at once, so that the statements of
 * others find a processor. While a team has no more than these running, nobody asks how heavy a statement is; beyond that
 * PostgreSQL's estimate decides, or what the same text took before. Parallel workers are for a statement that runs alone: two
 * statements with two workers each would be six processes of one team.
 */
import { KeyedQueue, QueueRefusal, type Release } from '@tessera/fair-queue';
import { DatabaseBusyError, RequestAbandonedError } from '@tessera/persistence';
import { LRUCache } from 'lru-cache';

type HeavyStatementsOptions = {
  /** Connections that queries share. */
  readonly connections: number;
};

type TimedStatement = {
  readonly team: string;
  /** Of its text. */
  readonly digest: string;
  /** In units of PostgreSQL's planner; asked anew for each statement that may have to wait. Rejects with the error of pg. */
  readonly estimate: () => Promise<number>;
};

/** By the planner's units, of which PostgreSQL works off some 100 a millisecond. */
const heavyCost = 5_000;
/** A statement that took so long is heavy, whatever was estimated. */
const heavyMs = 250;
const waitMs = 8_000;
const longKept = { max: 2_000, ttl: 60_000 };

const releaseNothing: Release = () => undefined;
/** Settings of a statement beside others; plans that are kept from before get no workers either. */
const withoutWorkers = { max_parallel_workers: '0', max_parallel_workers_per_gather: '0' };

export class HeavyStatementLimiter {
  readonly #queue: KeyedQueue;
  /** Each runs until its reader has all of it, so that these take nothing from other statements. */
  readonly #copies: KeyedQueue;
  /** By the digests of their texts. */
  readonly #tookLong = new LRUCache<string, true>(longKept);

  constructor({ connections }: HeavyStatementsOptions) {
    const limit = Math.max(2, Math.floor(connections / 2));
    const limitPerKey = Math.max(1, Math.floor(connections / 5));
    this.#queue = new KeyedQueue({ limit, reserve: limit < 4 ? 0 : 1, limitPerKey });
    this.#copies = new KeyedQueue({ limit: connections, limitPerKey });
  }

  /** What PostgreSQL is told for a statement that begins now and was let in before. */
  settings(): Readonly<Record<string, string>> {
    return this.#queue.held > 1 ? withoutWorkers : {};
  }

  /** How long PostgreSQL took for the first rows of a text; what the statement waited for before is no part of it. */
  recordDuration(digest: string, ms: number): void {
    if (ms > heavyMs) this.#tookLong.set(digest, true);
  }

  /** Ends with what is called when the statement has ended. Rejects with `DatabaseBusyError`, `RequestAbandonedError` or the error of pg. */
  async acquire(statement: TimedStatement, signal: AbortSignal): Promise<Release> {
    return this.#queue.tryAcquire(statement.team) ?? this.#waitIfHeavy(statement, signal);
  }

  async #waitIfHeavy({ team, digest, estimate }: TimedStatement, signal: AbortSignal): Promise<Release> {
    const isHeavy = this.#tookLong.get(digest) ?? (await estimate()) >= heavyCost;
    return isHeavy ? waitFor(this.#queue, team, signal) : releaseNothing;
  }

  /** The same for all rows as CSV, until the last of them is read. Rejects with `DatabaseBusyError` or `RequestAbandonedError`. */
  acquireCopy(team: string, signal: AbortSignal): Promise<Release> {
    return waitFor(this.#copies, team, signal);
  }
}

const waitFor = async (queue: KeyedQueue, team: string, signal: AbortSignal): Promise<Release> => {
  try {
    return await queue.acquire(team, { signal, timeoutMs: waitMs });
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error;
    throw error.reason === 'aborted' ? new RequestAbandonedError() : new DatabaseBusyError(queue.heldBy(team) > 0);
  }
};
