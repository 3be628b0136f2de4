/** A transition of a version into its next state. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation, rendered } from '../operation.js';
import { Element, elementId, listNamed, publicPrefix, storagePath, versionMember } from './parts.js';

export const performTransition = operation({
  owner: 'content-repo',
  name: 'content.transitions.perform',
  summary: 'Change the state of a version',
  description:
    'A release takes the next whole version number and expires the version that was released before. Missing mandatory values block it; a warning is overridden with ignoreWarnings=true.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePath,
    elementId,
    transitionId: z.string().min(1).max(128).describe('As the list of transitions names it, e.g. InProcessToReleased.'),
    ignoreWarnings: z.boolean().default(false).describe('Whether warnings are overridden; errors never are.'),
    apiVersion: versionMember(['1.0', '4.0'], '4.0'),
    ...idempotent,
  }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT', 'CONTENT_WARNING'],
  http: {
    group: 'A',
    method: 'post',
    path: `${publicPrefix}/release/{elementId}/transitions/{transitionId}`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});
