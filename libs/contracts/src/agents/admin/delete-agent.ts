/** An agent goes with its draft and its versions; conversations with it stay until their time is over. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { adminAgentsPrefix, teamPath } from '../parts.js';

export const deleteAgent = operation({
  owner: 'agents',
  name: 'agents.agents.delete',
  summary: 'Delete an agent',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPath, agentId: z.string().min(1).max(200).describe('The agent.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${adminAgentsPrefix}/{agentId}` },
});
