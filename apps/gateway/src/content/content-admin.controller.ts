import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  beginImport,
  cancelImport,
  commitImport,
  exportDefinition,
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
import { Op } from '../http/op.js';

@Controller()
export class ContentAdminController {
  constructor(private readonly client: OperationClient) {}

  @Op(listStorages)
  listStorages(input: RequestOf<typeof listStorages>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listStorages, input, frame, leaving);
  }

  @Op(exportDefinition)
  exportDefinition(input: RequestOf<typeof exportDefinition>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportDefinition, input, frame, leaving);
  }

  @Op(exportElements)
  exportElements(input: RequestOf<typeof exportElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(exportElements, input, frame, leaving);
  }

  @Op(beginImport)
  beginImport(input: RequestOf<typeof beginImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(beginImport, input, frame, leaving);
  }

  @Op(stageElements)
  stageElements(input: RequestOf<typeof stageElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(stageElements, input, frame, leaving);
  }

  @Op(commitImport)
  commitImport(input: RequestOf<typeof commitImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(commitImport, input, frame, leaving);
  }

  @Op(readImport)
  readImport(input: RequestOf<typeof readImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readImport, input, frame, leaving);
  }

  @Op(cancelImport)
  cancelImport(input: RequestOf<typeof cancelImport>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(cancelImport, input, frame, leaving);
  }

  @Op(listBin)
  listDeleted(input: RequestOf<typeof listBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listBin, input, frame, leaving);
  }

  @Op(restoreFromBin)
  restoreDeleted(input: RequestOf<typeof restoreFromBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(restoreFromBin, input, frame, leaving);
  }

  @Op(purgeBin)
  purgeDeleted(input: RequestOf<typeof purgeBin>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(purgeBin, input, frame, leaving);
  }

  @Op(listChanges)
  listChanges(input: RequestOf<typeof listChanges>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listChanges, input, frame, leaving);
  }
}
