/** Events of agents. They name what changed; consumers read it by the operations. */
import { z } from 'zod';
import { event } from '../event.js';

export const agentPublished = event({
  owner: 'agents',
  type: 'agents.agent.published',
  summary: 'A version of an agent is what everybody talks to from now on',
  data: z.strictObject({ agentId: z.string().min(1), version: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
});

export const agentDeleted = event({
  owner: 'agents',
  type: 'agents.agent.deleted',
  summary: 'An agent is gone',
  data: z.strictObject({ agentId: z.string().min(1) }),
});
