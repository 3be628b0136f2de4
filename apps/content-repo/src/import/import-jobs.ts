/**
 * Commits that run in this process, some of them longer than a request may last. A commit that dies with its process has
 * changed nothing; asking for it again starts it anew, here or in another replica.
 * Refuses: to start an import's commit twice.
 */
import { Inject, Injectable, Logger } from '@nestjs/common';
import { openTenantTransaction } from '@tessera/persistence';
import { poolsToken, type Pools } from '../database/pools.js';
import { EventPublishing } from '../events/publish-events.js';
import { commitInTransaction, type CommittedBy } from './commit-import.js';
import { finishImport, type ImportKey, type StoredOutcome } from './imports.repository.js';
import { knowStorageOf } from './statistics.js';

/** How long a caller waits before it is told that the commit goes on. */
const patienceMs = 20_000;

const statementTimeoutMs = 300_000;

@Injectable()
export class ImportJobs {
  readonly #logger = new Logger('Import');
  readonly #running = new Map<string, Promise<StoredOutcome | undefined>>();

  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly events: EventPublishing,
  ) {}

  isRunning(key: ImportKey): boolean {
    return this.#running.has(nameOf(key));
  }

  /** The outcome; `committing` when it takes longer than a caller waits; undefined when there is no such import. */
  async commit(key: ImportKey, by: CommittedBy, waitMs = patienceMs): Promise<StoredOutcome | undefined> {
    const job = this.#running.get(nameOf(key)) ?? this.#start(key, by);
    const { promise: patience, resolve } = Promise.withResolvers<StoredOutcome>();
    const timer = setTimeout(() => resolve({ state: 'committing' }), waitMs);
    try {
      return await Promise.race([job, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  #start(key: ImportKey, by: CommittedBy): Promise<StoredOutcome | undefined> {
    const job = this.#run(key, by).finally(() => this.#running.delete(nameOf(key)));
    this.#running.set(nameOf(key), job);
    // Whoever waits hears of it; this line is for the time when nobody does any more.
    job.catch((error: unknown) => this.#logger.warn(`The commit of import ${key.importId} failed: ${String(error)}`));
    return job;
  }

  async #run(key: ImportKey, by: CommittedBy): Promise<StoredOutcome | undefined> {
    const startedMs = Date.now();
    const outcome = await this.#commitOrRollBack(key, by);
    if (outcome?.state === 'refused') await this.#keepRefusal(key, outcome);
    if (outcome?.state === 'committed') {
      await this.#refreshStatistics(key, outcome.versions ?? 0);
      const { importId, collection, storage } = key;
      this.#logger.log(`Import ${importId} into ${collection}/${storage} took ${Date.now() - startedMs} ms.`);
    }
    return outcome;
  }

  async #commitOrRollBack(key: ImportKey, by: CommittedBy): Promise<StoredOutcome | undefined> {
    const transaction = await openTenantTransaction(this.pools.writes, key.team, { statementTimeoutMs });
    let outcome: StoredOutcome | undefined;
    try {
      outcome = await commitInTransaction(transaction.client, key, by);
    } catch (error) {
      await transaction.rollback().catch(() => undefined);
      throw error;
    }
    if (outcome?.state === 'refused') await transaction.rollback();
    else {
      await transaction.commit();
      this.events.wake();
    }
    return outcome;
  }

  /** What was committed stands, whatever becomes of this. */
  async #refreshStatistics(key: ImportKey, versions: number): Promise<void> {
    try {
      await knowStorageOf(this.pools.writes, key, versions);
    } catch (error) {
      this.#logger.warn(`The statistics were not refreshed: ${String(error)}`);
    }
  }

  async #keepRefusal(key: ImportKey, outcome: StoredOutcome): Promise<void> {
    const transaction = await openTenantTransaction(this.pools.writes, key.team);
    try {
      await finishImport(transaction.client, key, outcome);
    } catch (error) {
      await transaction.rollback().catch(() => undefined);
      throw error;
    }
    await transaction.commit();
  }
}

const nameOf = ({ team, importId }: ImportKey): string => `${team} ${importId}`;
