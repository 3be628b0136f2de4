/** Group B: calls of tools, and each asset as an MCP server. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { callTool, exchangeMcp } from '@tessera/contracts/tool-gateway';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';
import { KeptLists } from './kept-lists.js';

@Controller()
export class AgentToolsController {
  readonly #lists = new KeptLists();

  constructor(private readonly client: OperationClient) {}

  @Op(callTool)
  callTool(input: RequestOf<typeof callTool>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(callTool, input, frame, leaving);
  }

  @Op(exchangeMcp)
  exchangeMcp(input: RequestOf<typeof exchangeMcp>, frame: CallFrame, leaving: AbortSignal) {
    return this.#lists.answer(input, frame, () => this.client.call(exchangeMcp, input, frame, leaving));
  }
}
