/** Group A: the parts of one element, and descriptions of elements and storages. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  describeElement,
  describeStorage,
  listAttributes,
  listChildren,
  listContent,
  listRelations,
  listVersions,
  readAttribute,
  readRelation,
} from '@tessera/contracts/content-repo';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class ContentPartsController {
  constructor(private readonly client: OperationClient) {}

  @Op(describeStorage)
  describeStorage(input: RequestOf<typeof describeStorage>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(describeStorage, input, frame, leaving);
  }

  @Op(describeElement)
  describeElement(input: RequestOf<typeof describeElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(describeElement, input, frame, leaving);
  }

  @Op(listAttributes)
  listAttributes(input: RequestOf<typeof listAttributes>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listAttributes, input, frame, leaving);
  }

  @Op(readAttribute)
  readAttribute(input: RequestOf<typeof readAttribute>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readAttribute, input, frame, leaving);
  }

  @Op(listRelations)
  listRelations(input: RequestOf<typeof listRelations>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listRelations, input, frame, leaving);
  }

  @Op(readRelation)
  readRelation(input: RequestOf<typeof readRelation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRelation, input, frame, leaving);
  }

  @Op(listChildren)
  listChildren(input: RequestOf<typeof listChildren>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listChildren, input, frame, leaving);
  }

  @Op(listContent)
  listContent(input: RequestOf<typeof listContent>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listContent, input, frame, leaving);
  }

  @Op(listVersions)
  listVersions(input: RequestOf<typeof listVersions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listVersions, input, frame, leaving);
  }
}
