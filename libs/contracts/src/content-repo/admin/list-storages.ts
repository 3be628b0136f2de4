/** The storages of a team. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { storagesPrefix, teamPath } from './admin-parts.js';

export const listStorages = operation({
  owner: 'content-repo',
  name: 'content.storages.list',
  summary: 'List the storages of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPath),
  reply: z.object({
    storages: z.array(
      z.object({
        collection: z.string(),
        storage: z.string(),
        title: z.string(),
        elements: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
        changedAt: z.string().describe('UTC date-time of the last import that changed something.'),
      }),
    ),
  }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: storagesPrefix },
});
