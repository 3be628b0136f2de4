/** What one relation of an element leads to. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { listNamed, memberName, paging, partBinding, partRequest, reference } from './parts.js';

const relationName = memberName('Name of a relation of the type; upper and lower case are the same.');

export const readRelation = operation({
  owner: 'content-repo',
  name: 'content.relations.read',
  summary: 'List what one relation of an element leads to',
  description: 'A page of references; the header X-Total-Count has the total. An empty list when it leads nowhere.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, relationName, ...paging }),
  reply: rendered(listNamed(reference)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('related/{relationName}'),
});
