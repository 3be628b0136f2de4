/** Group C: conversations with agents, and their tools. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  converse,
  deleteConversation,
  executeTool,
  listAgents,
  listConversations,
  readConversation,
  specifyTools,
} from '@tessera/contracts/agents';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class AgentsController {
  constructor(private readonly client: OperationClient) {}

  @Op(listAgents)
  listAgents(input: RequestOf<typeof listAgents>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listAgents, input, frame, leaving);
  }

  @Op(converse)
  converse(input: RequestOf<typeof converse>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(converse, input, frame, leaving);
  }

  @Op(listConversations)
  listConversations(input: RequestOf<typeof listConversations>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listConversations, input, frame, leaving);
  }

  @Op(readConversation)
  readConversation(input: RequestOf<typeof readConversation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readConversation, input, frame, leaving);
  }

  @Op(deleteConversation)
  deleteConversation(input: RequestOf<typeof deleteConversation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteConversation, input, frame, leaving);
  }

  @Op(specifyTools)
  specifyTools(input: RequestOf<typeof specifyTools>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(specifyTools, input, frame, leaving);
  }

  @Op(executeTool)
  executeTool(input: RequestOf<typeof executeTool>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(executeTool, input, frame, leaving);
  }
}
