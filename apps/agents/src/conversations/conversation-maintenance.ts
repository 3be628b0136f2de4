/** Maintenance over all teams: marks turns of dead replicas and deletes expired conversations. */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringJobs } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { deleteExpiredConversations } from './conversations.repository.js';
import { markExpiredTurns } from './turns.repository.js';

/** Of one statement, which stays short beside the turns that are stored. */
const rowsMax = 500;
const markEveryMs = 30_000;

@Injectable()
export class ConversationMaintenance implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
  ) {}

  onApplicationBootstrap(): void {
    const { light } = this.pools;
    this.jobs.start({
      failed: 'old conversations were not forgotten; it is tried again',
      run: async () => ((await deleteExpiredConversations(light, rowsMax)) === rowsMax ? 'more' : 'done'),
    });
    this.jobs.start({
      failed: 'turns that were cut off were not marked; it is tried again',
      pauseMs: markEveryMs,
      run: async () => {
        await markExpiredTurns(light);
        return 'done';
      },
    });
  }
}
