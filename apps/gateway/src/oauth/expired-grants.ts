/** Deletes what has expired: clients that nobody used, requests that nobody answered, codes, refresh tokens, grants; and old lines of refused sign-ins. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Pool } from '@tessera/persistence';
import { deleteExpiredOAuth, deleteOldRefusals } from '@tessera/persistence/gateway';
import { RecurringJobs } from '@tessera/service-kit';
import { poolToken } from '../database.module.js';

const rowsMax = 1_000;

@Injectable()
export class ExpiredGrants implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    @Inject(poolToken) private readonly pool: Pool,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.start({
      failed: 'expired grants could not be deleted',
      run: async () => ((await deleteExpiredOAuth(this.pool, rowsMax)) >= rowsMax ? 'more' : 'done'),
    });
    this.jobs.start({
      failed: 'old lines of refused sign-ins could not be deleted',
      run: async () => ((await deleteOldRefusals(this.pool, rowsMax)) >= rowsMax ? 'more' : 'done'),
    });
  }
}
