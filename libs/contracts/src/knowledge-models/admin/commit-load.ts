/** The last step of a load: the new generation takes the place of the old one, in one transaction. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { loadPath, LoadStatus, loadsPrefix } from './admin-parts.js';

export const commitLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.commit',
  summary: 'Commit a load',
  description:
    'Makes the indexes and puts the rows in place. A large load answers `committing` and goes on: read it, or commit again, until it is done; a second commit does nothing twice.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...loadPath,
    ...idempotent,
    commit: z
      .strictObject({ batches: z.int().min(0).max(100_000_000).describe('How many were sent; none may be missing.') })
      .meta({ id: 'CommitLoad' }),
  }),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${loadsPrefix}/{loadId}/commit`,
    body: 'commit',
    headers: idempotencyHeaders,
  },
});
