/**
 * Commits that run in this process, some of them longer than a request may last. A commit that dies with its process
 * has changed nothing; asking for it again starts it anew, here or in another replica. Under an Idempotency-Key the
 * answer is kept in the transaction of the commit. The stored outcome alone would not do: it says the same in other
 * bytes, is forgotten with its import, and cannot tell that a key was used for another import. That a commit goes on is
 * no answer but news of one, and is not kept. Never starts an import's commit twice.
 */
import { Injectable, Logger } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { fail, type Fault, type Result } from '@tessera/failures';
import { createJsonReply } from '@tessera/messaging';
import { runIdempotently, type IdempotentCall, type PoolClient } from '@tessera/persistence';
import { attemptInTenantEntityTransaction, runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { EventPublishTrigger } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { Pools } from '../database.module.js';
import { contentNotFound } from '../replies.js';
import { commitImportInTransaction, type CommitOptions, type CommitAuthor } from './commit-import.js';
import { finishImport, type ImportKey, isImportBeingCommitted, type StoredImportStatus } from './imports.repository.js';
import { refreshPlannerStatisticsAfterCommit } from './statistics.js';

/** How long a caller waits before it is reply that the commit goes on. */
const commitWaitMs = 20_000;

const statementTimeoutMs = 300_000;

type CommitRequest = CommitOptions & {
  /** Its Idempotency-Key, when it has one. Of those that ask at once, each has its answer kept. */
  readonly call?: IdempotentCall | undefined;
  readonly waitMs?: number;
};

@Injectable()
export class ImportCommits {
  readonly #logger = new Logger('Import');
  readonly #running = new Map<string, Promise<Result<ByteReply>>>();

  constructor(
    private readonly pools: Pools,
    private readonly source: DataSource,
    private readonly events: EventPublishTrigger,
  ) {}

  isRunning(key: ImportKey): boolean {
    return this.#running.has(nameOf(key));
  }

  /** What became of it; `committing` when it takes longer than a caller waits. */
  async commit(key: ImportKey, by: CommitAuthor, requested: CommitRequest = {}): Promise<Result<ByteReply>> {
    const { call, waitMs = commitWaitMs } = requested;
    const running = this.#running.get(nameOf(key));
    const job =
      running?.then((reply) => (call ? this.#run(key, by, requested) : reply)) ?? this.#start(key, by, requested);
    const { promise: patience, resolve } = Promise.withResolvers<Result<ByteReply>>();
    const timer = setTimeout(() => resolve(outcomeReply(key.importId, { state: 'committing' })), waitMs);
    try {
      return await Promise.race([job, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  #start(key: ImportKey, by: CommitAuthor, requested: CommitRequest): Promise<Result<ByteReply>> {
    const job = this.#run(key, by, requested).finally(() => this.#running.delete(nameOf(key)));
    this.#running.set(nameOf(key), job);
    // Whoever waits hears of it; this line is for the time when nobody does any more.
    job.catch((error: unknown) => this.#logger.warn(`The commit of import ${key.importId} failed.`, error));
    return job;
  }

  async #run(key: ImportKey, by: CommitAuthor, { call, overwrite }: CommitRequest): Promise<Result<ByteReply>> {
    const startedMs = Date.now();
    const ended: { outcome?: StoredImportStatus | undefined } = {};
    const commitOnce = (manager: EntityManager, client: PoolClient): Promise<Result<ByteReply>> =>
      runIdempotently(client, call, async () => {
        ended.outcome = await commitImportInTransaction({ manager, client }, key, by, { overwrite });
        return outcomeReply(key.importId, ended.outcome);
      });
    const reply = await attemptInTenantEntityTransaction(this.source, key.team, commitOnce, {
      pool: this.pools.writes,
      statementTimeoutMs,
    });
    const { outcome } = ended;
    if (outcome?.state === 'refused') await this.#keepRefusal(key, outcome);
    if (outcome?.state === 'committed') {
      this.events.wake();
      await this.#refreshStatistics(key, outcome.versions ?? 0);
      const { importId, collection, storage } = key;
      this.#logger.log(`Import ${importId} into ${collection}/${storage} took ${Date.now() - startedMs} ms.`);
    }
    return reply;
  }

  /** What was committed stands, whatever becomes of this. */
  async #refreshStatistics(key: ImportKey, versions: number): Promise<void> {
    try {
      await refreshPlannerStatisticsAfterCommit(this.pools.writes, key, versions);
    } catch (error) {
      this.#logger.warn('The statistics were not refreshed.', error);
    }
  }

  /** Not while it is being committed again, perhaps by another replica: that has an outcome of its own. */
  #keepRefusal(key: ImportKey, outcome: StoredImportStatus): Promise<void> {
    const keep = async (manager: EntityManager, client: PoolClient): Promise<void> => {
      if (!(await isImportBeingCommitted(client, key))) await finishImport(manager, key, outcome);
    };
    return runInTenantEntityTransaction(this.source, key.team, keep, { pool: this.pools.writes });
  }
}

const nameOf = ({ team, importId }: ImportKey): string => `${team} ${importId}`;

/** `undefined`: there is no such import. */
const outcomeReply = (importId: string, outcome: StoredImportStatus | undefined): Result<ByteReply> => {
  if (!outcome) return contentNotFound;
  if (outcome.state === 'refused')
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The elements do not fit together; nothing was stored.', {
      faults: (outcome.faults ?? []).map(asFault),
    });
  return createJsonReply({ importId, ...outcome });
};

type StoredFault = NonNullable<ImportStatus['faults']>[number];

/** Without members that are undefined, which the stored form allows. */
const asFault = ({ rule, suggestion, ...fault }: StoredFault): Fault => ({
  ...fault,
  ...(rule !== undefined && { rule }),
  ...(suggestion !== undefined && { suggestion }),
});
