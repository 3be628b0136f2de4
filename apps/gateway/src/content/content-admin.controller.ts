import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  beginImport,
  cancelImport,
  commitImport,
  exportStorageDefinition,
  exportElements,
  listChanges,
  listBin,
  listStorages,
  purgeBin,
  readImport,
  restoreFromBin,
  stageElements,
} from '@tessera/contracts/content-repo';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class ContentAdminController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(listStorages)
  listStorages(input: RequestOf<typeof listStorages>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listStorages, input, frame, leaving);
  }

  @OperationRoute(exportStorageDefinition)
  exportDefinition(input: RequestOf<typeof exportStorageDefinition>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportStorageDefinition, input, frame, leaving);
  }

  @OperationRoute(exportElements)
  exportElements(input: RequestOf<typeof exportElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportElements, input, frame, leaving);
  }

  @OperationRoute(beginImport)
  beginImport(input: RequestOf<typeof beginImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(beginImport, input, frame, leaving);
  }

  @OperationRoute(stageElements)
  stageElements(input: RequestOf<typeof stageElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(stageElements, input, frame, leaving);
  }

  @OperationRoute(commitImport)
  commitImport(input: RequestOf<typeof commitImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(commitImport, input, frame, leaving);
  }

  @OperationRoute(readImport)
  readImport(input: RequestOf<typeof readImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readImport, input, frame, leaving);
  }

  @OperationRoute(cancelImport)
  cancelImport(input: RequestOf<typeof cancelImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(cancelImport, input, frame, leaving);
  }

  @OperationRoute(listBin)
  listDeleted(input: RequestOf<typeof listBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listBin, input, frame, leaving);
  }

  @OperationRoute(restoreFromBin)
  restoreDeleted(input: RequestOf<typeof restoreFromBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(restoreFromBin, input, frame, leaving);
  }

  @OperationRoute(purgeBin)
  purgeDeleted(input: RequestOf<typeof purgeBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(purgeBin, input, frame, leaving);
  }

  @OperationRoute(listChanges)
  listChanges(input: RequestOf<typeof listChanges>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listChanges, input, frame, leaving);
  }
}
