/** One call of one tool by an agent, with the identity of who talks to it. */
import { z } from 'zod';
import { innerOperation, rendered } from '../operation.js';
import { assetPath, draft, toolCallFailures } from './parts.js';

export const runTool = innerOperation({
  owner: 'tool-gateway',
  name: 'tools.run',
  summary: 'Call a tool for an agent',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    tool_id: z.string().min(1).max(200),
    draft,
    arguments: z.unknown().optional(),
  }),
  reply: rendered(z.union([z.record(z.string(), z.unknown()), z.string()])),
  failures: toolCallFailures,
});
