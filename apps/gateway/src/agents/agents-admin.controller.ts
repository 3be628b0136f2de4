import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { applyAgents, deleteAgent, exportAgents } from '@tessera/contracts/agents';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class AgentsAdminController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(applyAgents)
  applyAgents(input: RequestOf<typeof applyAgents>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(applyAgents, input, frame, leaving);
  }

  @OperationRoute(exportAgents)
  exportAgents(input: RequestOf<typeof exportAgents>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportAgents, input, frame, leaving);
  }

  @OperationRoute(deleteAgent)
  deleteAgent(input: RequestOf<typeof deleteAgent>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteAgent, input, frame, leaving);
  }
}
