/** Calls that are older than the log is kept go, as long as the service runs. */
import type { Pool } from '@tessera/persistence';
import { keepWorking, type ServiceProcess } from '@tessera/service-kit';
import type { Settings } from '../settings.js';
import { forgetCalls } from './call-log.repository.js';

/** Of one statement, which stays short beside the calls that are written. */
const rowsMax = 10_000;

export const keepForgettingCalls = (
  service: Pick<ServiceProcess<Settings>, 'log' | 'onStop' | 'configuration'>,
  pool: Pool,
): void =>
  keepWorking(service, {
    failed: 'old calls were not forgotten; it is tried again',
    turn: async () =>
      (await forgetCalls(pool, service.configuration.TOOL_CALLS_KEPT_DAYS, rowsMax)) === rowsMax ? 'more' : 'done',
  });
