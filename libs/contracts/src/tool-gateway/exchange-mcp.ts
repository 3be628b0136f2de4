/** One exchange of the Model Context Protocol with an asset: a message in, a message or a stream of them out. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { assetPath, draft, mcpPrefix } from './parts.js';

const header = z.string().max(1_000).optional();

export const mcpHeaders = {
  accept: 'accept',
  contentType: 'content-type',
  protocolVersion: 'mcp-protocol-version',
  methodHeader: 'mcp-method',
  nameHeader: 'mcp-name',
} as const;

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
