/** Group A: storages, facets, views, types, reports, search and elements. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  createVersion,
  deleteElement,
  listElements,
  listFacets,
  listReadableStorages,
  listTransitions,
  listTypes,
  listViews,
  performTransition,
  readElement,
  reportElement,
  reportFacet,
  searchElements,
  writeElements,
} from '@tessera/contracts/content-repo';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';

@Controller()
export class ContentController {
  constructor(private readonly client: OperationClient) {}

  @OperationRoute(listReadableStorages)
  listReadableStorages(input: RequestOf<typeof listReadableStorages>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listReadableStorages, input, frame, leaving);
  }

  @OperationRoute(listFacets)
  listFacets(input: RequestOf<typeof listFacets>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listFacets, input, frame, leaving);
  }

  @OperationRoute(listViews)
  listViews(input: RequestOf<typeof listViews>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listViews, input, frame, leaving);
  }

  @OperationRoute(listTypes)
  listTypes(input: RequestOf<typeof listTypes>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listTypes, input, frame, leaving);
  }

  @OperationRoute(searchElements)
  searchElements(input: RequestOf<typeof searchElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(searchElements, input, frame, leaving);
  }

  @OperationRoute(listElements)
  listElements(input: RequestOf<typeof listElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listElements, input, frame, leaving);
  }

  @OperationRoute(readElement)
  readElement(input: RequestOf<typeof readElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(readElement, input, frame, leaving);
  }

  @OperationRoute(reportFacet)
  reportFacet(input: RequestOf<typeof reportFacet>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(reportFacet, input, frame, leaving);
  }

  @OperationRoute(reportElement)
  reportElement(input: RequestOf<typeof reportElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(reportElement, input, frame, leaving);
  }

  @OperationRoute(deleteElement)
  deleteElement(input: RequestOf<typeof deleteElement>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(deleteElement, input, frame, leaving);
  }

  @OperationRoute(createVersion)
  createVersion(input: RequestOf<typeof createVersion>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(createVersion, input, frame, leaving);
  }

  @OperationRoute(listTransitions)
  listTransitions(input: RequestOf<typeof listTransitions>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(listTransitions, input, frame, leaving);
  }

  @OperationRoute(performTransition)
  performTransition(input: RequestOf<typeof performTransition>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(performTransition, input, frame, leaving);
  }

  @OperationRoute(writeElements)
  writeElements(input: RequestOf<typeof writeElements>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(writeElements, input, frame, leaving);
  }
}
