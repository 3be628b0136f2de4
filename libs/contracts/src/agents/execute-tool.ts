/** One call of one of an agent's tools, without the agent. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { agentPath, agentPrefix, draft } from './parts.js';

export const executeTool = operation({
  owner: 'agents',
  name: 'agents.tools.execute',
  summary: "Execute an agent's tool",
  description: 'The body holds the arguments; the specification of the tools says what each takes and answers.',
  scope: 'agents:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...agentPath,
    tool_id: z.string().min(1).max(200).describe('The id of the tool; `-` and `_` are the same.'),
    draft,
    arguments: z.record(z.string(), z.unknown()).describe('The arguments of the tool.'),
  }),
  reply: rendered(z.record(z.string(), z.unknown())),
  failures: [
    'AGENT_NOTFOUND',
    'AGENT_TOOL_NOTFOUND',
    'AGENT_ARGUMENTS_INVALID',
    'TOOL_FAILED',
    'TOOL_RESULT_INVALID',
    'LIMIT_ASSET_EXCEEDED',
  ],
  http: { group: 'C', method: 'post', path: `${agentPrefix}/tools/{tool_id}`, body: 'arguments' },
});
