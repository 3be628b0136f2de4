/** The tools of an asset with their schemas, as their caller may see them; for agents, which offer them to a model. */
import { z } from 'zod';
import { innerOperation } from '../operation.js';
import { assetPath, draft } from './parts.js';

const schema = z.record(z.string(), z.unknown());

export const ListedTool = z.object({
  name: z.string().describe('The id of the tool.'),
  title: z.string(),
  description: z.string(),
  inputSchema: schema,
  outputSchema: schema.optional(),
  isReadOnly: z.boolean(),
});
export type ListedTool = z.output<typeof ListedTool>;

export const listTools = innerOperation({
  owner: 'tool-gateway',
  name: 'tools.list',
  summary: 'List the tools of an asset',
  scope: 'tools:execute',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...assetPath, draft }),
  reply: z.object({
    name: z.string(),
    instructions: z.string().optional(),
    version: z.string().describe('The number of the published version, or `draft`.'),
    tools: z.array(ListedTool),
  }),
  failures: ['TOOL_ASSET_NOTFOUND'],
});
