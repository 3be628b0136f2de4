import { z } from 'zod';
import {
  applyResultMembers,
  applyModeParameter,
  applyOperationDescription,
  exportedDefinitionSchema,
} from '../definition-parts.js';
import { idempotencyHeaders, idempotencyParameter, operation } from '../operation.js';
import { AgentDefinition } from './definitions.js';
import { adminAgentsPrefix, teamPathParameters } from './parts.js';

export const AppliedAgent = z.object({ kind: z.literal('Agent'), ...applyResultMembers }).meta({ id: 'AppliedAgent' });
export type AppliedAgent = z.output<typeof AppliedAgent>;

export const applyAgents = operation({
  owner: 'agents',
  name: 'agents.definitions.apply',
  summary: 'Apply definitions of agents',
  description: applyOperationDescription,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPathParameters,
    ...idempotencyParameter,
    apply: z
      .strictObject({
        definitions: z.array(AgentDefinition).min(1).max(500),
        mode: applyModeParameter('agents'),
      })
      .meta({ id: 'ApplyAgents' }),
  }),
  reply: z.object({ definitions: z.array(AppliedAgent) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: adminAgentsPrefix,
    body: 'apply',
    hasLargeBody: true,
    headers: idempotencyHeaders,
  },
});

export const exportAgents = operation({
  owner: 'agents',
  name: 'agents.definitions.export',
  summary: 'Export the definitions of agents',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPathParameters),
  reply: z.object({ agents: z.array(exportedDefinitionSchema(AgentDefinition)) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: adminAgentsPrefix },
});

/** An agent goes with its draft and its versions; conversations with it stay until their time is over. */
export const deleteAgent = operation({
  owner: 'agents',
  name: 'agents.agents.delete',
  summary: 'Delete an agent',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPathParameters, agentId: z.string().min(1).max(200).describe('The agent.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${adminAgentsPrefix}/{agentId}` },
});
