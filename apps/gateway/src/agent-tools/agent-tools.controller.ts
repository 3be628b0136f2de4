/** Group B: assets with their tools, calls of tools, and each asset as an MCP server. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { callTool, exchangeMcp, listAssets, listOwnCalls, listTools } from '@tessera/contracts/tool-gateway';
import { OperationClient } from '@tessera/messaging';
import type { FastifyRequest } from 'fastify';
import { OperationRoute } from '../http/op.js';
import { McpExchangeClient } from './mcp-exchanges.js';

@Controller()
export class AgentToolsController {
  constructor(
    private readonly client: OperationClient,
    private readonly exchanges: McpExchangeClient,
  ) {}

  @OperationRoute(listAssets)
  listAssets(input: RequestOf<typeof listAssets>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listAssets, input, frame, leaving);
  }

  @OperationRoute(listTools)
  listTools(input: RequestOf<typeof listTools>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listTools, input, frame, leaving);
  }

  @OperationRoute(listOwnCalls)
  listOwnCalls(input: RequestOf<typeof listOwnCalls>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listOwnCalls, input, frame, leaving);
  }

  @OperationRoute(callTool)
  callTool(input: RequestOf<typeof callTool>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(callTool, input, frame, leaving);
  }

  @OperationRoute(exchangeMcp)
  exchangeMcp(
    input: RequestOf<typeof exchangeMcp>,
    frame: CallFrame,
    leaving: AbortSignal,
    { exchange }: FastifyRequest,
  ) {
    return this.exchanges.send(input, frame, leaving, exchange);
  }
}
