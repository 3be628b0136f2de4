/**
 * What is done for conversations of all teams as long as the service runs: turns of replicas that died are marked, and what is
 * older than it is kept goes.
 */
import { keepWorking, type ServiceProcess } from '@tessera/service-kit';
import type { Pools } from '../database/pools.js';
import type { Settings } from '../settings.js';
import { forgetConversations } from './conversations.repository.js';
import { markExpiredTurns } from './turns.repository.js';

/** Of one statement, which stays short beside the turns that are stored. */
const rowsMax = 500;
const markEveryMs = 30_000;

export const careForConversations = (
  service: Pick<ServiceProcess<Settings>, 'log' | 'onStop'>,
  { light }: Pick<Pools, 'light'>,
): void => {
  keepWorking(service, {
    failed: 'old conversations were not forgotten; it is tried again',
    turn: async () => ((await forgetConversations(light, rowsMax)) === rowsMax ? 'more' : 'done'),
  });
  keepWorking(service, {
    failed: 'turns that were cut off were not marked; it is tried again',
    pauseMs: markEveryMs,
    turn: async () => {
      await markExpiredTurns(light);
      return 'done';
    },
  });
};
