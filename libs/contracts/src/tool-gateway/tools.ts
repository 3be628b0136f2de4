import { z } from 'zod';
import { teamId } from '../gateway.js';
import { internalOperation, operation, rendered } from '../operation.js';

export const mcpPrefix = '/studio-copilot/api/v1/mcp-servers/mcp';

const assetPath = { asset_id: z.string().min(1).max(200).describe('The id of the asset.') };
export const draft = z.boolean().default(false).describe('The draft of the asset instead of what is published.');

export const teamPath = { team: teamId };
export const assetsPrefix = '/admin/teams/{team}/tools';

/** What keeps a call from its tool, or its result from the caller. */
export const toolCallFailures = [
  'TOOL_ASSET_NOTFOUND',
  'TOOL_NOTFOUND',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_FAILED',
  'TOOL_RESULT_INVALID',
  'LIMIT_ASSET_EXCEEDED',
] as const;

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

const header = z.string().max(1_000).optional();

const mcpHeaders = {
  accept: 'accept',
  contentType: 'content-type',
  protocolVersion: 'mcp-protocol-version',
  methodHeader: 'mcp-method',
  nameHeader: 'mcp-name',
} as const;

/**
 * Among the headers of an answer of the tool gateway: for how many milliseconds from its request on the same request, of a
 * caller who sees the same, has the same answer. The gateway keeps it to itself.
 */
export const freshForHeader = 'tessera-fresh-for';

export const exchangeMcp = operation({
  owner: 'tool-gateway',
  name: 'tools.mcp',
  summary: 'Exchange messages of the Model Context Protocol',
  description:
    'The endpoint of an MCP server (Streamable HTTP, stateless) with the tools of the asset. What is wrong with a message is told as JSON-RPC.',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    draft,
    message: z.string().default('').describe('JSON-RPC.'),
    accept: header,
    contentType: header,
    protocolVersion: header,
    methodHeader: header,
    nameHeader: header,
  }),
  reply: rendered(z.unknown(), ['application/json', 'text/event-stream']),
  failures: ['TOOL_ASSET_NOTFOUND'],
  http: {
    group: 'B',
    method: 'post',
    path: `${mcpPrefix}/{asset_id}`,
    body: 'message',
    headers: mcpHeaders,
    isTextBody: true,
    isMcp: true,
  },
});

/** The tools of an asset with their schemas, as their caller may see them; for agents, which offer them to a model. */
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

export const listTools = internalOperation({
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

/** One call of one tool by an agent, with the identity of who talks to it. */
export const runTool = internalOperation({
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

/** The assets of a team and their tools: what definitions of agents may refer to. */
const NamedAsset = z.object({ id: z.string(), tools: z.array(z.string()) });

export const nameTools = internalOperation({
  owner: 'tool-gateway',
  name: 'tools.name',
  summary: 'Name the assets of a team and their tools',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 5_000,
  request: z.strictObject(teamPath),
  reply: z.object({ published: z.array(NamedAsset), drafts: z.array(NamedAsset) }),
  failures: ['GENERAL_NOTFOUND'],
});
