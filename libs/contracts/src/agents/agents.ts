import { z } from 'zod';
import { operation, renderedReply } from '../operation.js';
import { agentPathParameters, agentByIdPrefix, agentsPrefix, draftParameter } from './parts.js';

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

export const executeTool = operation({
  owner: 'agents',
  name: 'agents.tools.execute',
  summary: "Execute an agent's tool",
  description: 'The body holds the arguments; the specification of the tools says what each takes and answers.',
  scope: 'agents:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...agentPathParameters,
    tool_id: z.string().min(1).max(200).describe('The id of the tool; `-` and `_` are the same.'),
    draft: draftParameter,
    arguments: z.record(z.string(), z.unknown()).default({}).describe('The arguments of the tool.'),
  }),
  reply: renderedReply(z.record(z.string(), z.unknown())),
  failures: [
    'AGENT_NOTFOUND',
    'AGENT_TOOL_NOTFOUND',
    'AGENT_ARGUMENTS_INVALID',
    'TOOL_FAILED',
    'TOOL_RESULT_INVALID',
    'LIMIT_ASSET_EXCEEDED',
  ],
  http: {
    group: 'C',
    method: 'post',
    path: `${agentByIdPrefix}/tools/{tool_id}`,
    body: 'arguments',
    hasLargeBody: true,
  },
});

export const openApiVersions = ['3.0', '3.1'] as const;

export const readToolsSpec = operation({
  owner: 'agents',
  name: 'agents.tools.spec',
  summary: "Read the OpenAPI specification of an agent's tools",
  description: 'One POST operation for each tool, with the schemas that it has for its caller.',
  scope: 'agents:execute',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...agentPathParameters,
    draft: draftParameter,
    version: z.enum(openApiVersions).default('3.0').describe('Of OpenAPI: 3.0 (3.0.3) or 3.1 (3.1.1).'),
  }),
  reply: renderedReply(z.record(z.string(), z.unknown())),
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentByIdPrefix}/tools/spec` },
});
