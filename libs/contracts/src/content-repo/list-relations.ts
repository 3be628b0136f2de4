/** The relations of an element that lead somewhere. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { listNamed, partBinding, partRequest, reference } from './parts.js';

const Relation = z
  .object({
    name: z.string(),
    elements: z.array(reference).optional().describe('Version 4.0.'),
    values: z.array(reference).optional().describe('Version 1.0.'),
  })
  .meta({ id: 'ElementRelation' });

export const listRelations = operation({
  owner: 'content-repo',
  name: 'content.relations.list',
  summary: 'List the relations of an element',
  description: 'Those that lead somewhere, each with its references.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(Relation)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('related'),
});
