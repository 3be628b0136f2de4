/** The versions of an element. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { Element, listNamed, partBinding, partRequest, queryOptions } from './parts.js';

const { $resources, $select } = queryOptions;

export const listVersions = operation({
  owner: 'content-repo',
  name: 'content.versions.list',
  summary: 'List the versions of an element',
  description: 'All of them, the newest last. An element of a type without versions has one.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, $resources, $select }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('versions'),
});
