/** One call of one tool over HTTP. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { assetPath, draft, mcpPrefix, toolCallFailures } from './parts.js';

export const callTool = operation({
  owner: 'tool-gateway',
  name: 'tools.call',
  summary: 'Call a tool',
  description:
    'The body holds the arguments of the tool as one JSON object; without a body there are none. `-` and `_` in the id of the tool are the same. The tools of an asset with their schemas are listed over MCP.',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    tool_id: z.string().min(1).max(200).describe('The id of the tool as configured in the asset, e.g. `load-data`.'),
    draft,
    arguments: z.unknown().optional().meta({ type: 'object', description: 'The arguments of the tool.' }),
  }),
  reply: rendered(z.union([z.record(z.string(), z.unknown()), z.string()])),
  failures: toolCallFailures,
  http: { group: 'B', method: 'post', path: `${mcpPrefix}/{asset_id}/tool-api/{tool_id}`, body: 'arguments' },
});
