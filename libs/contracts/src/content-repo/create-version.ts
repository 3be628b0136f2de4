/** A6: a new version of a released element. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation, rendered } from '../operation.js';
import { Element, elementId, publicPrefix, storagePath, versionMember } from './parts.js';

export const createVersion = operation({
  owner: 'content-repo',
  name: 'content.versions.create',
  summary: 'Create a version of a released element',
  description:
    'The new version is in process, one minor number up, with the attributes, relations and a copy of the content of the released one. An element has one version in process at most.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePath,
    elementId,
    apiVersion: versionMember(['4.0'], '4.0'),
    ...idempotent,
  }),
  reply: rendered(
    z.object({
      count: z.literal(1),
      elements: z.array(Element).describe('The new version.'),
      values: z.array(Element).describe('The same list.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: {
    group: 'A',
    method: 'post',
    path: `${publicPrefix}/release/{elementId}/createversion`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});
