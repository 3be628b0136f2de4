/** The ids of a team's models: what definitions of tools and agents may refer to. */
import { z } from 'zod';
import { innerOperation } from '../../operation.js';
import { teamPath } from '../admin/admin-parts.js';

export const nameModels = innerOperation({
  owner: 'knowledge-models',
  name: 'knowledge.models.name',
  summary: 'Name the knowledge models of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 5_000,
  request: z.strictObject(teamPath),
  reply: z.object({ published: z.array(z.string()), drafts: z.array(z.string()) }),
  failures: ['GENERAL_NOTFOUND'],
});
