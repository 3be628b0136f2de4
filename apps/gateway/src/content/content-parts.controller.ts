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
import { OperationRoute } from '../http/op.js';

@Controller()
export class ContentPartsController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(describeStorage)
  describeStorage(input: RequestOf<typeof describeStorage>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(describeStorage, input, frame, leaving);
  }

  @OperationRoute(describeElement)
  describeElement(input: RequestOf<typeof describeElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(describeElement, input, frame, leaving);
  }

  @OperationRoute(listAttributes)
  listAttributes(input: RequestOf<typeof listAttributes>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listAttributes, input, frame, leaving);
  }

  @OperationRoute(readAttribute)
  readAttribute(input: RequestOf<typeof readAttribute>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readAttribute, input, frame, leaving);
  }

  @OperationRoute(listRelations)
  listRelations(input: RequestOf<typeof listRelations>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listRelations, input, frame, leaving);
  }

  @OperationRoute(readRelation)
  readRelation(input: RequestOf<typeof readRelation>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readRelation, input, frame, leaving);
  }

  @OperationRoute(listChildren)
  listChildren(input: RequestOf<typeof listChildren>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listChildren, input, frame, leaving);
  }

  @OperationRoute(listContent)
  listContent(input: RequestOf<typeof listContent>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listContent, input, frame, leaving);
  }

  @OperationRoute(listVersions)
  listVersions(input: RequestOf<typeof listVersions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listVersions, input, frame, leaving);
  }
}
