/** Group D: knowledge models as OData services. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  countODataEntries,
  countODataLink,
  readODataEntries,
  readODataEntry,
  readODataLink,
  readODataLinkPart,
  readODataMetadata,
  readODataService,
  readODataValue,
  sendODataBatch,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import type { FastifyRequest } from 'fastify';
import { OperationRoute } from '../http/op.js';
import { ModelDocumentCache } from '../knowledge-models/model-documents.js';
import { ODataBatch } from './batch.js';

@Controller()
export class ODataController {
  constructor(
    private readonly client: OperationClient,
    private readonly batch: ODataBatch,
    private readonly documents: ModelDocumentCache,
  ) {}

  @OperationRoute(sendODataBatch)
  async sendBatch(
    input: RequestOf<typeof sendODataBatch>,
    frame: CallFrame,
    leaving: AbortSignal,
    request: FastifyRequest,
  ) {
    return this.batch.send(input, frame, leaving, request);
  }

  @OperationRoute(readODataService)
  readService(input: RequestOf<typeof readODataService>, frame: CallFrame, leaving: AbortSignal) {
    return this.documents.answer(readODataService, input, frame, leaving);
  }

  @OperationRoute(readODataMetadata)
  readMetadata(input: RequestOf<typeof readODataMetadata>, frame: CallFrame, leaving: AbortSignal) {
    return this.documents.answer(readODataMetadata, input, frame, leaving);
  }

  @OperationRoute(readODataEntries)
  readEntries(input: RequestOf<typeof readODataEntries>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataEntries, input, frame, leaving);
  }

  @OperationRoute(countODataEntries)
  countEntries(input: RequestOf<typeof countODataEntries>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(countODataEntries, input, frame, leaving);
  }

  @OperationRoute(readODataEntry)
  readEntry(input: RequestOf<typeof readODataEntry>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataEntry, input, frame, leaving);
  }

  @OperationRoute(readODataLink)
  readLink(input: RequestOf<typeof readODataLink>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataLink, input, frame, leaving);
  }

  @OperationRoute(readODataLinkPart)
  readLinkPart(input: RequestOf<typeof readODataLinkPart>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataLinkPart, input, frame, leaving);
  }

  @OperationRoute(countODataLink)
  countLink(input: RequestOf<typeof countODataLink>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(countODataLink, input, frame, leaving);
  }

  @OperationRoute(readODataValue)
  readValue(input: RequestOf<typeof readODataValue>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataValue, input, frame, leaving);
  }
}
