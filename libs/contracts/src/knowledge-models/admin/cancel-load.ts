/** Gives a load up; its rows are dropped. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { loadPath, loadsPrefix } from './admin-parts.js';

export const cancelLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.cancel',
  summary: 'Cancel a load',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject(loadPath),
  reply: z.object({ loadId: z.guid() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${loadsPrefix}/{loadId}` },
});
