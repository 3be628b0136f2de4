/** Calls that are older than the log is kept go, as long as the service runs. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringJobs, settingsToken } from '@tessera/service-kit';
import { Pools } from '../database/pools.js';
import type { Settings } from '../settings.js';
import { forgetCalls } from './call-log.repository.js';

/** Of one statement, which stays short beside the calls that are written. */
const rowsMax = 10_000;

@Injectable()
export class ForgetCalls implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
    @Inject(settingsToken) private readonly settings: Pick<Settings, 'TOOL_CALLS_KEPT_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const { TOOL_CALLS_KEPT_DAYS } = this.settings;
    this.jobs.start({
      failed: 'old calls were not forgotten; it is tried again',
      run: async () =>
        (await forgetCalls(this.pools.log, TOOL_CALLS_KEPT_DAYS, rowsMax)) === rowsMax ? 'more' : 'done',
    });
  }
}
