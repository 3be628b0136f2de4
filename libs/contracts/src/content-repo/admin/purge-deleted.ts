/** Ends for good what was deleted. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { adminStoragePath, binPrefix } from './admin-parts.js';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const purgeDeleted = operation({
  owner: 'content-repo',
  name: 'content.bin.purge',
  summary: 'Purge what was deleted',
  description:
    'Elements and versions of the bin end with their content, relations, renditions and history. A call ends a limited number; ask again while `more` is true.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...adminStoragePath,
    ...idempotent,
    purge: z
      .strictObject({
        olderThanDays: z.number().min(0).max(36_500).describe('What was deleted at least so long ago; 0: everything.'),
      })
      .meta({ id: 'PurgeDeleted' }),
  }),
  reply: z
    .object({
      elements: count.describe('Elements that ended.'),
      versions: count.describe('Single versions that ended.'),
      more: z.boolean().describe('Whether something is left that is old enough.'),
    })
    .meta({ id: 'Purged' }),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: `${binPrefix}/purge`, body: 'purge', headers: idempotencyHeaders },
});
