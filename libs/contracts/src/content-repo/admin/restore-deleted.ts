/** Brings an element or a version back from the bin. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { adminStoragePath, binPrefix } from './admin-parts.js';

export const restoreDeleted = operation({
  owner: 'content-repo',
  name: 'content.bin.restore',
  summary: 'Restore what was deleted',
  description:
    'An element comes back at its place with its versions and the references to it; its parent has to be there. A version comes back when its element is there, its number is free and the element has no other one in process.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...adminStoragePath,
    id: z.guid().describe('Identifier of the element or the version, as the list of the bin has it.'),
    ...idempotent,
  }),
  reply: z
    .object({ id: z.guid(), versionId: z.guid().optional(), facet: z.string(), type: z.string() })
    .meta({ id: 'RestoredElement' }),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: { group: 'admin', method: 'post', path: `${binPrefix}/{id}/restore`, headers: idempotencyHeaders },
});
