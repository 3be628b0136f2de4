/** The attributes of an element that have a value. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { ElementAttribute, listNamed, partBinding, partRequest } from './parts.js';

export const listAttributes = operation({
  owner: 'content-repo',
  name: 'content.attributes.list',
  summary: 'List the attributes of an element',
  description: 'Those that have a value, in the order of the type. A content element has them as well.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(ElementAttribute)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('attributes'),
});
