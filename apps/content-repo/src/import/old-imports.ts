/** Deletes imports that are older than a day, of all teams, with what was staged for those that nobody finished. */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { runInTenantTransaction, type Pool } from '@tessera/persistence';
import { RecurringJobs, type JobOutcome } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { deleteOldImports, findTeamsWithOldImports } from './imports.repository.js';

/** Where those of one team cannot be deleted, `onFailure` is called and those of the others go. */
export const deleteOldImportsOfTeams = async (
  pool: Pool,
  signal: AbortSignal,
  onFailure: (reason: unknown) => void,
): Promise<JobOutcome> => {
  for (const team of await findTeamsWithOldImports(pool)) {
    if (signal.aborted) break;
    await runInTenantTransaction(pool, team, (client) => deleteOldImports(client, team)).catch(onFailure);
  }
  return 'done';
};

@Injectable()
export class DeleteOldImportsJob implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.start({
      failed: 'old imports were not deleted; it is tried again',
      run: (signal, onFailure) => deleteOldImportsOfTeams(this.pools.writes, signal, onFailure),
    });
  }
}
