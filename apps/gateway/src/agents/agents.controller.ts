/** Group C: conversations with agents, and their tools. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  completeChat,
  converse,
  deleteConversation,
  executeTool,
  listAgents,
  listCompletionModels,
  listConversations,
  readCompletionModel,
  readConversation,
  readToolsSpec,
} from '@tessera/contracts/agents';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class AgentsController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(listAgents)
  listAgents(input: RequestOf<typeof listAgents>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listAgents, input, frame, leaving);
  }

  @OperationRoute(converse)
  converse(input: RequestOf<typeof converse>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(converse, input, frame, leaving);
  }

  @OperationRoute(completeChat)
  completeChat(input: RequestOf<typeof completeChat>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(completeChat, input, frame, leaving);
  }

  @OperationRoute(listCompletionModels)
  listCompletionModels(input: RequestOf<typeof listCompletionModels>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listCompletionModels, input, frame, leaving);
  }

  @OperationRoute(readCompletionModel)
  readCompletionModel(input: RequestOf<typeof readCompletionModel>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readCompletionModel, input, frame, leaving);
  }

  @OperationRoute(listConversations)
  listConversations(input: RequestOf<typeof listConversations>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listConversations, input, frame, leaving);
  }

  @OperationRoute(readConversation)
  readConversation(input: RequestOf<typeof readConversation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readConversation, input, frame, leaving);
  }

  @OperationRoute(deleteConversation)
  deleteConversation(input: RequestOf<typeof deleteConversation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteConversation, input, frame, leaving);
  }

  @OperationRoute(readToolsSpec)
  specifyTools(input: RequestOf<typeof readToolsSpec>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readToolsSpec, input, frame, leaving);
  }

  @OperationRoute(executeTool)
  executeTool(input: RequestOf<typeof executeTool>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(executeTool, input, frame, leaving);
  }
}
