/** The administration of knowledge models, tables and their loads. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  applyDefinitions,
  beginLoad,
  cancelLoad,
  commitLoad,
  deleteModel,
  explainQuery,
  exportDefinitions,
  readLoad,
  stageRows,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class KnowledgeAdminController {
  constructor(private readonly client: OperationClient) {}

  @Op(applyDefinitions)
  applyDefinitions(input: RequestOf<typeof applyDefinitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(applyDefinitions, input, frame, leaving);
  }

  @Op(exportDefinitions)
  exportDefinitions(input: RequestOf<typeof exportDefinitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportDefinitions, input, frame, leaving);
  }

  @Op(deleteModel)
  deleteModel(input: RequestOf<typeof deleteModel>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteModel, input, frame, leaving);
  }

  @Op(explainQuery)
  explainQuery(input: RequestOf<typeof explainQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(explainQuery, input, frame, leaving);
  }

  @Op(beginLoad)
  beginLoad(input: RequestOf<typeof beginLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(beginLoad, input, frame, leaving);
  }

  @Op(stageRows)
  stageRows(input: RequestOf<typeof stageRows>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(stageRows, input, frame, leaving);
  }

  @Op(commitLoad)
  commitLoad(input: RequestOf<typeof commitLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(commitLoad, input, frame, leaving);
  }

  @Op(readLoad)
  readLoad(input: RequestOf<typeof readLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readLoad, input, frame, leaving);
  }

  @Op(cancelLoad)
  cancelLoad(input: RequestOf<typeof cancelLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(cancelLoad, input, frame, leaving);
  }
}
