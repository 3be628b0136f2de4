/** Group D: what a model defines, and its specification. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  generateModelSpec,
  listFilters,
  listKpis,
  listModels,
  listRecords,
  readModel,
  readRecord,
  summariseRecord,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';
import { ModelDocumentCache } from './model-documents.js';

@Controller()
export class KnowledgeModelsController {
  constructor(
    private readonly client: OperationClient,
    private readonly documents: ModelDocumentCache,
  ) {}

  @OperationRoute(listModels)
  listModels(input: RequestOf<typeof listModels>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listModels, input, frame, leaving);
  }

  @OperationRoute(readModel)
  readModel(input: RequestOf<typeof readModel>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readModel, input, frame, leaving);
  }

  @OperationRoute(listFilters)
  listFilters(input: RequestOf<typeof listFilters>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listFilters, input, frame, leaving);
  }

  @OperationRoute(listRecords)
  listRecords(input: RequestOf<typeof listRecords>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listRecords, input, frame, leaving);
  }

  @OperationRoute(readRecord)
  readRecord(input: RequestOf<typeof readRecord>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRecord, input, frame, leaving);
  }

  @OperationRoute(listKpis)
  listKpis(input: RequestOf<typeof listKpis>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listKpis, input, frame, leaving);
  }

  @OperationRoute(summariseRecord)
  summariseRecord(input: RequestOf<typeof summariseRecord>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(summariseRecord, input, frame, leaving);
  }

  @OperationRoute(generateModelSpec)
  generateSpec(input: RequestOf<typeof generateModelSpec>, frame: CallFrame, leaving: AbortSignal) {
    return this.documents.answer(generateModelSpec, input, frame, leaving);
  }
}
