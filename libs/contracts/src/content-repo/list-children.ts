/** The direct children of an element. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { $pageSelectionKey, Element, listNamed, paging, partBinding, partRequest, queryOptions } from './parts.js';

export const listChildren = operation({
  owner: 'content-repo',
  name: 'content.children.list',
  summary: 'List the children of an element',
  description: 'A page of direct children as a list of the view has them; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, ...queryOptions, ...paging, $pageSelectionKey }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partBinding('children'),
});
