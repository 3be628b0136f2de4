import { z } from 'zod';
import { teamId } from '../gateway/parts.js';
import { internalOperation, operation, renderedReply } from '../operation.js';
import { evidenceHeaders, evidenceParameter } from '../preferences.js';

export const mcpPrefix = '/studio-copilot/api/v1/mcp-servers/mcp';

const assetPath = { asset_id: z.string().min(1).max(200).describe('The id of the asset.') };
export const draftParameter = z
  .boolean()
  .default(false)
  .describe('The draft of the asset instead of what is published.');

export const teamPathParameters = { team: teamId };
export const assetsPrefix = '/admin/teams/{team}/tools';

/** What keeps a call from its tool, or its result from the caller. */
export const toolCallFailureCodes = [
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
    'The body holds the arguments of the tool as one JSON object; without a body there are none. `-` and `_` in the id of the tool are the same.',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    tool_id: z.string().min(1).max(200).describe('The id of the tool as configured in the asset, e.g. `load-data`.'),
    draft: draftParameter,
    ...evidenceParameter,
    arguments: z.unknown().optional().meta({ type: 'object', description: 'The arguments of the tool.' }),
  }),
  reply: renderedReply(z.union([z.record(z.string(), z.unknown()), z.string()])),
  failures: toolCallFailureCodes,
  http: {
    group: 'B',
    method: 'post',
    path: `${mcpPrefix}/{asset_id}/tool-api/{tool_id}`,
    body: 'arguments',
    hasLargeBody: true,
    headers: evidenceHeaders,
  },
});

const headerValue = z.string().max(1_000).optional();

const mcpHeaders = {
  accept: 'accept',
  contentType: 'content-type',
  protocolVersion: 'mcp-protocol-version',
  methodHeader: 'mcp-method',
  nameHeader: 'mcp-name',
  ...evidenceHeaders,
} as const;

/** Messages of one batch. */
export const mcpBatchMax = 100;

export const exchangeMcp = operation({
  owner: 'tool-gateway',
  name: 'tools.mcp',
  summary: 'Exchange messages of the Model Context Protocol',
  description:
    'The endpoint of an MCP server (Streamable HTTP, stateless) with the tools of the asset. What is wrong with a message is told as JSON-RPC. Each message of a batch counts in the rate limit.',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    draft: draftParameter,
    message: z.string().default('').describe('JSON-RPC.'),
    accept: headerValue,
    contentType: headerValue,
    protocolVersion: headerValue,
    methodHeader: headerValue,
    nameHeader: headerValue,
    ...evidenceParameter,
  }),
  reply: renderedReply(z.unknown(), ['application/json', 'text/event-stream']),
  failures: ['TOOL_ASSET_NOTFOUND'],
  http: {
    group: 'B',
    method: 'post',
    path: `${mcpPrefix}/{asset_id}`,
    body: 'message',
    hasLargeBody: true,
    headers: mcpHeaders,
    isTextBody: true,
    isMcp: true,
  },
});

export const ListedAsset = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    version: z.string().describe('The number of the published version.'),
    tools: z.int().min(0).max(1_000).describe('How many it has.'),
    callsPerMinute: z.int().min(1).max(1_000_000).describe('Calls of all its tools together in a minute.'),
    mcp: z.url().describe('Address of its MCP server.'),
  })
  .meta({ id: 'ListedAsset' });

export const listAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.assets.list',
  summary: 'List the assets of agent tools that the caller may call',
  description: 'Those that the team has published, by their ids.',
  scope: 'tools:execute',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    after: z.string().min(1).max(200).optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(200).describe('Assets in a page.'),
  }),
  reply: z.object({ assets: z.array(ListedAsset), next: z.string().optional().describe('Absent on the last page.') }),
  failures: [],
  http: { group: 'B', method: 'get', path: mcpPrefix },
});

const anySchema = z.record(z.string(), z.unknown());

export const ListedTool = z
  .object({
    name: z.string().describe('The id of the tool.'),
    title: z.string(),
    description: z.string(),
    inputSchema: anySchema.describe('JSON Schema of its arguments.'),
    outputSchema: anySchema.optional().describe('JSON Schema of its result; absent where that is a text.'),
    isReadOnly: z.boolean().describe('Whether calls change nothing.'),
  })
  .meta({ id: 'ListedTool' });
export type ListedTool = z.output<typeof ListedTool>;

/** Agents offer these to a model. */
export const listTools = operation({
  owner: 'tool-gateway',
  name: 'tools.list',
  summary: 'List the tools of an asset',
  description: 'With their schemas, as the caller sees the models behind them.',
  scope: 'tools:execute',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...assetPath, draft: draftParameter }),
  reply: z.object({
    name: z.string(),
    instructions: z.string().optional(),
    version: z.string().describe('The number of the published version, or `draft`.'),
    tools: z.array(ListedTool),
  }),
  failures: ['TOOL_ASSET_NOTFOUND'],
  http: { group: 'B', method: 'get', path: `${mcpPrefix}/{asset_id}/tool-api` },
});

/** One call of one tool by an agent, with the identity of who talks to it. */
export const callToolForAgent = internalOperation({
  owner: 'tool-gateway',
  name: 'tools.run',
  summary: 'Call a tool for an agent',
  scope: 'tools:execute',
  effect: 'announced',
  timeoutMs: 28_000,
  request: z.strictObject({
    ...assetPath,
    tool_id: z.string().min(1).max(200),
    draft: draftParameter,
    ...evidenceParameter,
    arguments: z.unknown().optional(),
  }),
  reply: renderedReply(z.union([z.record(z.string(), z.unknown()), z.string()])),
  failures: toolCallFailureCodes,
});

/** The assets of a team and their tools: what definitions of agents may refer to. */
const NamedAsset = z.object({ id: z.string(), tools: z.array(z.string()) });

export const listToolNames = internalOperation({
  owner: 'tool-gateway',
  name: 'tools.name',
  summary: 'Name the assets of a team and their tools',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 5_000,
  request: z.strictObject(teamPathParameters),
  reply: z.object({ published: z.array(NamedAsset), drafts: z.array(NamedAsset) }),
  failures: ['GENERAL_NOTFOUND'],
});
