/** A5: deletes an element or its draft. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation, rendered } from '../operation.js';
import { elementId, facetId, publicPrefix, reference, storagePath, versionMember, viewId } from './parts.js';

export const deleteElement = operation({
  owner: 'content-repo',
  name: 'content.elements.delete',
  summary: 'Delete an element or its draft',
  description:
    'What is in process or has no versions, and has no children. A draft of an element with older versions goes alone. An administrator can restore what was deleted until it is purged.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePath,
    facetId,
    viewId,
    elementId,
    apiVersion: versionMember(['2.0'], '2.0'),
    ...idempotent,
  }),
  reply: rendered(
    z
      .object({
        message: z.string(),
        output: z.literal('Volatile'),
        type: z.literal('Success'),
        count: z.int().min(0).max(1000),
        values: z.array(reference).describe('What was deleted.'),
      })
      .meta({ id: 'DeleteResult' }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: {
    group: 'A',
    method: 'post',
    path: `${publicPrefix}/facets/{facetId}/views/{viewId}/elements/{elementId}/delete`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});
