/** The administration of knowledge models, tables and their loads. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  applyModelDefinitions,
  beginLoad,
  cancelLoad,
  commitLoad,
  compareModelVersions,
  deleteModel,
  deleteTable,
  explainQuery,
  exportModelDefinitions,
  listLoads,
  listModelVersions,
  listTables,
  readLoad,
  readModelVersion,
  stageRows,
  undoLoad,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class KnowledgeAdminController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(applyModelDefinitions)
  applyDefinitions(input: RequestOf<typeof applyModelDefinitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(applyModelDefinitions, input, frame, leaving);
  }

  @OperationRoute(exportModelDefinitions)
  exportDefinitions(input: RequestOf<typeof exportModelDefinitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportModelDefinitions, input, frame, leaving);
  }

  @OperationRoute(deleteModel)
  deleteModel(input: RequestOf<typeof deleteModel>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteModel, input, frame, leaving);
  }

  @OperationRoute(listModelVersions)
  listModelVersions(input: RequestOf<typeof listModelVersions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listModelVersions, input, frame, leaving);
  }

  @OperationRoute(readModelVersion)
  readModelVersion(input: RequestOf<typeof readModelVersion>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readModelVersion, input, frame, leaving);
  }

  @OperationRoute(compareModelVersions)
  compareModelVersions(input: RequestOf<typeof compareModelVersions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(compareModelVersions, input, frame, leaving);
  }

  @OperationRoute(explainQuery)
  explainQuery(input: RequestOf<typeof explainQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(explainQuery, input, frame, leaving);
  }

  @OperationRoute(listTables)
  listTables(input: RequestOf<typeof listTables>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listTables, input, frame, leaving);
  }

  @OperationRoute(deleteTable)
  deleteTable(input: RequestOf<typeof deleteTable>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteTable, input, frame, leaving);
  }

  @OperationRoute(undoLoad)
  undoLoad(input: RequestOf<typeof undoLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(undoLoad, input, frame, leaving);
  }

  @OperationRoute(listLoads)
  listLoads(input: RequestOf<typeof listLoads>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listLoads, input, frame, leaving);
  }

  @OperationRoute(beginLoad)
  beginLoad(input: RequestOf<typeof beginLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(beginLoad, input, frame, leaving);
  }

  @OperationRoute(stageRows)
  stageRows(input: RequestOf<typeof stageRows>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(stageRows, input, frame, leaving);
  }

  @OperationRoute(commitLoad)
  commitLoad(input: RequestOf<typeof commitLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(commitLoad, input, frame, leaving);
  }

  @OperationRoute(readLoad)
  readLoad(input: RequestOf<typeof readLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readLoad, input, frame, leaving);
  }

  @OperationRoute(cancelLoad)
  cancelLoad(input: RequestOf<typeof cancelLoad>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(cancelLoad, input, frame, leaving);
  }
}
