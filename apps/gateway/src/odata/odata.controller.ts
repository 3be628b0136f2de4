/** Group D: knowledge models as OData services. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  countODataEntries,
  readODataEntries,
  readODataEntry,
  readODataMetadata,
  readODataService,
} from '@tessera/contracts/knowledge-models';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class ODataController {
  constructor(private readonly client: OperationClient) {}

  @Op(readODataService)
  readService(input: RequestOf<typeof readODataService>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataService, input, frame, leaving);
  }

  @Op(readODataMetadata)
  readMetadata(input: RequestOf<typeof readODataMetadata>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataMetadata, input, frame, leaving);
  }

  @Op(readODataEntries)
  readEntries(input: RequestOf<typeof readODataEntries>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataEntries, input, frame, leaving);
  }

  @Op(countODataEntries)
  countEntries(input: RequestOf<typeof countODataEntries>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(countODataEntries, input, frame, leaving);
  }

  @Op(readODataEntry)
  readEntry(input: RequestOf<typeof readODataEntry>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readODataEntry, input, frame, leaving);
  }
}
