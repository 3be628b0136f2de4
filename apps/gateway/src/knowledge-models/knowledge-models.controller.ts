/** Group D: what a model defines, and its specification. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  generateSpec,
  listFilters,
  listKpis,
  listModels,
  listRecords,
  readModel,
  readRecord,
  summariseRecord,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class KnowledgeModelsController {
  constructor(private readonly client: OperationClient) {}

  @Op(listModels)
  listModels(input: RequestOf<typeof listModels>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listModels, input, frame, leaving);
  }

  @Op(readModel)
  readModel(input: RequestOf<typeof readModel>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readModel, input, frame, leaving);
  }

  @Op(listFilters)
  listFilters(input: RequestOf<typeof listFilters>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listFilters, input, frame, leaving);
  }

  @Op(listRecords)
  listRecords(input: RequestOf<typeof listRecords>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listRecords, input, frame, leaving);
  }

  @Op(readRecord)
  readRecord(input: RequestOf<typeof readRecord>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRecord, input, frame, leaving);
  }

  @Op(listKpis)
  listKpis(input: RequestOf<typeof listKpis>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listKpis, input, frame, leaving);
  }

  @Op(summariseRecord)
  summariseRecord(input: RequestOf<typeof summariseRecord>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(summariseRecord, input, frame, leaving);
  }

  @Op(generateSpec)
  generateSpec(input: RequestOf<typeof generateSpec>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(generateSpec, input, frame, leaving);
  }
}
