import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  beginImport,
  cancelImport,
  commitImport,
  exportDefinition,
  exportElements,
  listChanges,
  listDeleted,
  listStorages,
  purgeDeleted,
  readImport,
  restoreDeleted,
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

  @Op(listDeleted)
  listDeleted(input: RequestOf<typeof listDeleted>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listDeleted, input, frame, leaving);
  }

  @Op(restoreDeleted)
  restoreDeleted(input: RequestOf<typeof restoreDeleted>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(restoreDeleted, input, frame, leaving);
  }

  @Op(purgeDeleted)
  purgeDeleted(input: RequestOf<typeof purgeDeleted>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(purgeDeleted, input, frame, leaving);
  }

  @Op(listChanges)
  listChanges(input: RequestOf<typeof listChanges>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listChanges, input, frame, leaving);
  }
}
