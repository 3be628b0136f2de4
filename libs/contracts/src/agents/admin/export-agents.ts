/** What a team has: every agent as it was applied. */
import { z } from 'zod';
import { exported } from '../../definition-parts.js';
import { operation } from '../../operation.js';
import { AgentDefinition } from '../definitions.js';
import { adminAgentsPrefix, teamPath } from '../parts.js';

export const exportAgents = operation({
  owner: 'agents',
  name: 'agents.definitions.export',
  summary: 'Export the definitions of agents',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPath),
  reply: z.object({ agents: z.array(exported(AgentDefinition)) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: adminAgentsPrefix },
});
