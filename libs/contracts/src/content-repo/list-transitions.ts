/** What can happen next to a version. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { elementId, listNamed, publicPrefix, storagePath, versionMember } from './parts.js';

export const Transition = z
  .object({
    id: z
      .string()
      .describe('E.g. InProcessToInReview. A POST to the address of this list, a slash and the id performs it.'),
    from: z.string(),
    to: z.string(),
  })
  .meta({ id: 'Transition' });

export const listTransitions = operation({
  owner: 'content-repo',
  name: 'content.transitions.list',
  summary: 'List the transitions that the state of a version allows',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...storagePath, elementId, apiVersion: versionMember(['1.0', '4.0'], '4.0') }),
  reply: rendered(listNamed(Transition)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/release/{elementId}/transitions`,
    headers: { apiVersion: 'api-version' },
  },
});
