/** The assets of a team and their tools: what definitions of agents may refer to. */
import { z } from 'zod';
import { innerOperation } from '../operation.js';
import { teamPath } from './parts.js';

const NamedAsset = z.object({ id: z.string(), tools: z.array(z.string()) });

export const nameTools = innerOperation({
  owner: 'tool-gateway',
  name: 'tools.name',
  summary: 'Name the assets of a team and their tools',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 5_000,
  request: z.strictObject(teamPath),
  reply: z.object({ published: z.array(NamedAsset), drafts: z.array(NamedAsset) }),
  failures: ['GENERAL_NOTFOUND'],
});
