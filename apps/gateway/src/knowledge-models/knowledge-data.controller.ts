/** Group D: data of a model and of its records. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  postModelQuery,
  postRecordQuery,
  queryModelData,
  queryRecordData,
  readModelData,
  readModelQuery,
  readRecordData,
  readRecordQuery,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class KnowledgeDataController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(readModelData)
  readModelData(input: RequestOf<typeof readModelData>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readModelData, input, frame, leaving);
  }

  @OperationRoute(queryModelData)
  queryModelData(input: RequestOf<typeof queryModelData>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(queryModelData, input, frame, leaving);
  }

  @OperationRoute(readModelQuery)
  readModelQuery(input: RequestOf<typeof readModelQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readModelQuery, input, frame, leaving);
  }

  @OperationRoute(postModelQuery)
  postModelQuery(input: RequestOf<typeof postModelQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(postModelQuery, input, frame, leaving);
  }

  @OperationRoute(readRecordData)
  readRecordData(input: RequestOf<typeof readRecordData>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRecordData, input, frame, leaving);
  }

  @OperationRoute(queryRecordData)
  queryRecordData(input: RequestOf<typeof queryRecordData>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(queryRecordData, input, frame, leaving);
  }

  @OperationRoute(readRecordQuery)
  readRecordQuery(input: RequestOf<typeof readRecordQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRecordQuery, input, frame, leaving);
  }

  @OperationRoute(postRecordQuery)
  postRecordQuery(input: RequestOf<typeof postRecordQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(postRecordQuery, input, frame, leaving);
  }
}
