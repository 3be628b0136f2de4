/** Group A: facets, views, reports and elements. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  createVersion,
  deleteElement,
  listElements,
  listFacets,
  listTransitions,
  listViews,
  performTransition,
  readElement,
  reportElement,
  reportFacet,
  writeElements,
} from '@tessera/contracts/content-repo';
import { OperationClient } from '@tessera/messaging';
import { Op } from '../http/op.js';

@Controller()
export class ContentController {
  constructor(private readonly client: OperationClient) {}

  @Op(listFacets)
  listFacets(input: RequestOf<typeof listFacets>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listFacets, input, frame, leaving);
  }

  @Op(listViews)
  listViews(input: RequestOf<typeof listViews>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listViews, input, frame, leaving);
  }

  @Op(listElements)
  listElements(input: RequestOf<typeof listElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listElements, input, frame, leaving);
  }

  @Op(readElement)
  readElement(input: RequestOf<typeof readElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readElement, input, frame, leaving);
  }

  @Op(reportFacet)
  reportFacet(input: RequestOf<typeof reportFacet>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(reportFacet, input, frame, leaving);
  }

  @Op(reportElement)
  reportElement(input: RequestOf<typeof reportElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(reportElement, input, frame, leaving);
  }

  @Op(deleteElement)
  deleteElement(input: RequestOf<typeof deleteElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteElement, input, frame, leaving);
  }

  @Op(createVersion)
  createVersion(input: RequestOf<typeof createVersion>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(createVersion, input, frame, leaving);
  }

  @Op(listTransitions)
  listTransitions(input: RequestOf<typeof listTransitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listTransitions, input, frame, leaving);
  }

  @Op(performTransition)
  performTransition(input: RequestOf<typeof performTransition>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(performTransition, input, frame, leaving);
  }

  @Op(writeElements)
  writeElements(input: RequestOf<typeof writeElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(writeElements, input, frame, leaving);
  }
}
