/** The content elements of a version. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { Element, listNamed, paging, partBinding, partRequest } from './parts.js';

export const listContent = operation({
  owner: 'content-repo',
  name: 'content.content.list',
  summary: 'List the content of an element',
  description: 'A page of the content elements of the version, in their order; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, ...paging }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('content'),
});
