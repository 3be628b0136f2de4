/** Agents of a team as their files say them: all of a request take effect, or none. */
import { z } from 'zod';
import { applied, applyMode, applyRule } from '../../definition-parts.js';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { AgentDefinition } from '../definitions.js';
import { adminAgentsPrefix, teamPath } from '../parts.js';

export const AppliedAgent = z.object({ kind: z.literal('Agent'), ...applied }).meta({ id: 'AppliedAgent' });
export type AppliedAgent = z.output<typeof AppliedAgent>;

export const applyAgents = operation({
  owner: 'agents',
  name: 'agents.definitions.apply',
  summary: 'Apply definitions of agents',
  description: applyRule,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPath,
    ...idempotent,
    apply: z
      .strictObject({
        definitions: z.array(AgentDefinition).min(1).max(500),
        mode: applyMode('agents'),
      })
      .meta({ id: 'ApplyAgents' }),
  }),
  reply: z.object({ definitions: z.array(AppliedAgent) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: adminAgentsPrefix, body: 'apply', headers: idempotencyHeaders },
});
