/** The agents that a team has published. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { agentsPrefix } from './parts.js';

export const listAgents = operation({
  owner: 'agents',
  name: 'agents.list',
  summary: 'List the agents',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({
    agents: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        version: z.int().min(1).describe('The published version.'),
      }),
    ),
  }),
  failures: [],
  http: { group: 'C', method: 'get', path: agentsPrefix },
});
