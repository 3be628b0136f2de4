/** The administration of agent-tools assets and the log of their calls. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { applyAssets, deleteAsset, exportAssets, listCalls } from '@tessera/contracts/tool-gateway';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class AgentToolsAdminController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(applyAssets)
  applyAssets(input: RequestOf<typeof applyAssets>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(applyAssets, input, frame, leaving);
  }

  @OperationRoute(exportAssets)
  exportAssets(input: RequestOf<typeof exportAssets>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportAssets, input, frame, leaving);
  }

  @OperationRoute(deleteAsset)
  deleteAsset(input: RequestOf<typeof deleteAsset>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteAsset, input, frame, leaving);
  }

  @OperationRoute(listCalls)
  listCalls(input: RequestOf<typeof listCalls>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listCalls, input, frame, leaving);
  }
}
