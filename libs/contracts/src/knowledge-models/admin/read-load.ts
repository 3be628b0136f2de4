/** How far a load is. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { loadPath, LoadStatus, loadsPrefix } from './admin-parts.js';

export const readLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.read',
  summary: 'Read the state of a load',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(loadPath),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${loadsPrefix}/{loadId}` },
});
