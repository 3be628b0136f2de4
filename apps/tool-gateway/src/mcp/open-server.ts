/** The SDK's server of one exchange: it lists the tools of a view and calls them. Never shows a bug to a client. */
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import { evidenceMetaKey } from '@tessera/contracts';
import { toJsonRpcErrorData, type Fault, type Result } from '@tessera/failures';
import { z } from 'zod';
import type { AssetVersion } from '../assets/assets.js';
import { toMcpToolList } from './list-tools.js';
import { brokenCallFailure, toCallToolResult } from './present-call.js';
import { type McpExchange, getRequiredCapabilities } from './protocol.js';
import { findTool } from '../tools/asset-tools.js';
import type { Tool, ToolContext } from '../tools/tool.js';

const logger = new Logger('Mcp');
/** With its own schema the SDK answers a cursor that is no string as a failure of the server. */
const ListParams = z.looseObject({ cursor: z.unknown().optional() });

export const createMcpServer = (exchange: McpExchange, protocolRevision: string): Server => {
  const { view } = exchange;
  const { asset } = view;
  const server = new Server(describeMcpServer(asset), {
    // A list that could change would be a stream that never ends.
    capabilities: { tools: { listChanged: false } },
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
    ...(asset.instructions !== undefined && { instructions: asset.instructions }),
  });
  server.setRequestHandler('tools/list', { params: ListParams }, ({ cursor }) => {
    if (cursor !== undefined)
      throw invalidParams('The list has one page; leave the cursor out.', { path: 'params.cursor' });
    return { tools: toMcpToolList(view, protocolRevision) };
  });
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const found = findTool(view, params.name);
    if (!found.ok) throw invalidParams(found.failure.detail, { ...found.failure.faults?.[0], path: 'params.name' });
    assertCapabilities(found.value, server.getClientCapabilities());
    return callTool(exchange, { tool: found.value, protocolRevision, params, context });
  });
  return server;
};

export const describeMcpServer = ({ assetId, name, version }: AssetVersion) => ({
  name: assetId,
  title: name,
  version: String(version),
});

const invalidParams = (message: string, fault: Partial<Fault>) => {
  const { InvalidParams } = ProtocolErrorCode;
  return new ProtocolError(InvalidParams, message, toJsonRpcErrorData(InvalidParams, message, fault));
};

const assertCapabilities = (tool: Tool, declared: ClientCapabilities = {}): void => {
  const needs = Object.entries(getRequiredCapabilities(tool) ?? {});
  const missing = needs.filter(([name]) => !(name in declared));
  if (missing.length > 0)
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: Object.fromEntries(missing) });
};

type CallContext = {
  readonly tool: Tool;
  readonly protocolRevision: string;
  readonly params: CallToolRequest['params'];
  readonly context: ServerContext;
};

const callTool = async (
  exchange: McpExchange,
  { tool, protocolRevision, params, context }: CallContext,
): Promise<CallToolResult> => {
  const { progress, flushed } = progressReporter(exchange, context);
  const wantsEvidence = params._meta?.[evidenceMetaKey] === true;
  try {
    const options = { ...(progress && { progress }), ...(wantsEvidence && { wantsEvidence }) };
    const result = await exchange.call(tool, params.arguments ?? {}, options);
    await flushed();
    return toCallToolResult(result, protocolRevision);
  } catch (error) {
    return toCallToolResult(logAndFailCall(error), protocolRevision);
  }
};

/** What a client reads of a bug, which is logged. */
export const logAndFailCall = (error: unknown): Result<never> => {
  logger.error('The server of MCP met an error.', error);
  return brokenCallFailure;
};

type Progress = { readonly progress?: ToolContext['progress']; readonly flushed: () => Promise<unknown> };

/** A client that gave no token, or accepts only JSON, gets no progress. */
const progressReporter = ({ shape }: McpExchange, { mcpReq }: ServerContext): Progress => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || shape === 'json') return { flushed: () => Promise.resolve() };
  const sent: Promise<void>[] = [];
  return {
    progress: (progress, total, message) => {
      const params = { progressToken, progress, ...(total !== undefined && { total }), ...(message && { message }) };
      sent.push(mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined));
    },
    // The answer ends the stream, so progress is sent before it.
    flushed: () => Promise.all(sent),
  };
};
