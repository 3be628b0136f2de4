/**
 * The job that purges what was deleted longer ago than it is kept, storage by storage, each batch a change of its team as
 * if somebody had asked for it. One replica at a time has the turn.
 * Never looks into a team's content from outside its own transactions; which storages there are to look at is told by a
 * function of the database that answers their names only.
 */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { purgeBin } from '@tessera/contracts/content-repo';
import type { OperationContext } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { RecurringJobs, settingsToken, type JobOutcome } from '@tessera/service-kit';
import { StorageChanges, createWorkWithoutReads } from '../change/change-storage.js';
import { Pools } from '../database.module.js';
import type { Settings } from '../settings.js';
import { purgeDeletedElements } from './purge-deleted.js';
import { findStoragesWithDeleted, tryAcquirePurgeLock, type StorageWithDeleted } from './purge.repository.js';

/** The turn is a transaction that is open as long; others wait for nothing of it. */
const purgeTimeoutMs = 20_000;

/** The team of the job is none. */
const noTenant = '';
/** Who it was, in the audit of a team. */
const purgeSubject = 'system';

export type PurgeOptions = {
  readonly retentionDays: number;
  readonly signal: AbortSignal;
  /** ChangeEvent what stood against a storage; the others are purged all the same. */
  readonly onFailure: (reason: unknown) => void;
};

export const purgeExpiredDeletions = (
  pools: Pools,
  changes: StorageChanges,
  { retentionDays, signal, onFailure }: PurgeOptions,
): Promise<JobOutcome> =>
  runInTenantTransaction(pools.writes, noTenant, async (client) => {
    if (!(await tryAcquirePurgeLock(client))) return 'busy';
    const untilMs = Date.now() + purgeTimeoutMs;
    const isOver = (): boolean => signal.aborted || Date.now() > untilMs;
    for (const place of await findStoragesWithDeleted(client, retentionDays)) {
      try {
        let isMore = true;
        while (isMore && !isOver()) isMore = await purgeBatch(changes, place, retentionDays, signal);
      } catch (error) {
        onFailure(error);
      }
      if (isOver()) return 'more';
    }
    return 'done';
  });

/** Whether more is left in this storage. */
const purgeBatch = async (
  changes: StorageChanges,
  { team, collection, storage }: StorageWithDeleted,
  retentionDays: number,
  signal: AbortSignal,
): Promise<boolean> => {
  const context: OperationContext = {
    caller: { team, subject: purgeSubject, scopes: [] },
    requestId: randomUUID(),
    deadlineMs: Date.now() + purgeBin.timeoutMs,
    publicUrl: '',
    signal,
  };
  let isMore = false;
  const names = { collectionId: collection, storageId: storage };
  const work = createWorkWithoutReads(async (change) => {
    const { done, more } = await purgeDeletedElements(change, retentionDays);
    isMore = more;
    return { ok: true, value: done };
  });
  const purged = await changes.run(purgeBin, names, context, work);
  if (!purged.ok) throw new Error(`${team} ${collection}/${storage}: ${purged.failure.detail}`);
  return isMore;
};

@Injectable()
export class PurgeExpiredJob implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
    private readonly changes: StorageChanges,
    @Inject(settingsToken) private readonly settings: Pick<Settings, 'CONTENT_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const retentionDays = this.settings.CONTENT_RETENTION_DAYS;
    this.jobs.start({
      failed: 'deleted content was not purged; it is tried again',
      run: (signal, onFailure) => purgeExpiredDeletions(this.pools, this.changes, { retentionDays, signal, onFailure }),
    });
  }
}
