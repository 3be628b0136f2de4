/**
 * Loads that nobody needs any more, with the rows that they staged: cancelled ones, and those that are older than a day.
 * Never one that is being committed.
 */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { runInTenantTransaction, type Pool, type PoolClient } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import { DataSource, type EntityManager } from 'typeorm';
import { RecurringJobs, type JobOutcome } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { dropLoadedRows } from './commit-generation.js';
import {
  acquireCleanupLock,
  findLoad,
  isTableBusy,
  whereLoad,
  findOldLoads,
  ensureTeamSchema,
  type LoadKey,
} from './load.repository.js';

/** In a transaction that holds the load. Of one that was committed its generation stays. */
export const deleteLoad = async (manager: EntityManager, client: PoolClient, key: LoadKey): Promise<void> => {
  await dropLoadedRows(client, key, await ensureTeamSchema(client, key));
  await manager.delete(TableLoad, whereLoad(key));
};

const retentionHours = 24;
/** The turn is a transaction that is open as long. */
const loadsMax = 200;
/** No team is all of them. */
const noTenant = '';

/** Some loads of all teams; one that cannot be deleted is left, and `onFailure` is called. */
export const deleteOldLoads = (
  source: DataSource,
  pool: Pool,
  signal: AbortSignal,
  onFailure: (reason: unknown) => void,
): Promise<JobOutcome> =>
  runInTenantTransaction(pool, noTenant, async (client) => {
    if (!(await acquireCleanupLock(client))) return 'busy';
    const old = await findOldLoads(client, retentionHours, loadsMax);
    let failed = 0;
    for (const key of old) {
      if (signal.aborted) break;
      try {
        await runInTenantEntityTransaction(source, key.team, (manager, client) => deleteOldLoad(manager, client, key), {
          pool,
        });
      } catch (error) {
        failed += 1;
        onFailure(error);
      }
    }
    return old.length === loadsMax && failed < loadsMax ? 'more' : 'done';
  });

/** Whether a change of the table goes on is looked at first: its load waits for nobody. */
const deleteOldLoad = async (manager: EntityManager, client: PoolClient, key: LoadKey): Promise<void> => {
  if (await isTableBusy(client, key)) return;
  if (await findLoad(manager, key, 'update')) await deleteLoad(manager, client, key);
};

@Injectable()
export class DeleteOldLoadsJob implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly source: DataSource,
    private readonly pools: Pools,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.start({
      failed: 'an old load was not dropped; it is tried again',
      run: (signal, onFailure) => deleteOldLoads(this.source, this.pools.loads, signal, onFailure),
    });
  }
}
