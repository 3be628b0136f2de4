/**
 * Lists of elements, streamed: the elements of a view (the roots of a tree, or the flat list of another view), the children
 * of an element page by page, and its versions. A content element has no children and is its only version.
 */
import { Controller } from '@nestjs/common';
import { isUuid } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listChildren, listElements, listVersions } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { createJsonReply, createJsonTextReply, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import type { StreamedReply } from '../database/snapshot.js';
import { addressPrefixOf, type FacetView, isShownInView, findFacetView } from '../facets/facet-view.js';
import { pageHeaders } from '../next-page.js';
import { contentNotFound, listMemberName, notModifiedReply } from '../replies.js';
import { readStorage, type StorageReadContext, type StorageRequest } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { buildTreeRequest } from '../tree/tree-request.js';
import { countVersions, openVersionRowCursor } from '../tree/tree.repository.js';
import { type ReportRoot, readReportRoot } from './element.repository.js';
import { type ElementRequest, findElementInStorage } from './find-element.js';
import { readElementPage, streamElementList } from './list-page.js';

type Reply = Result<ByteReply | StreamedReply>;
type ChildrenRequest = RequestOf<typeof listChildren>;
type VersionsRequest = RequestOf<typeof listVersions>;

@Controller()
export class ListElementsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listElements)
  list(request: RequestOf<typeof listElements>, context: OperationContext): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, light: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async (reading) => {
      const named = findFacetView(reading.storage, request.facetId, request.viewId);
      return named.ok ? readElementPage(listElements, reading, named.value, request, context.publicUrl) : named;
    });
  }

  @Serves(listChildren)
  children(request: ChildrenRequest, context: OperationContext): Promise<Result<ByteReply>> {
    const { publicUrl } = context;
    return this.#ofElement(
      request,
      context,
      (reading, named, { elementId, path, revision }) =>
        readElementPage(listChildren, reading, named, request, publicUrl, { elementId, path, revision }),
      (_text, etag) =>
        createJsonReply({ count: 0, [listMemberName(request.apiVersion)]: [] }, { etag, ...pageHeaders(0, undefined) }),
    );
  }

  @Serves(listVersions)
  versions(request: VersionsRequest, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#ofElement(
      request,
      context,
      (reading, named, root) => versionsOf(reading, named, root, request, context.publicUrl),
      (text, etag) =>
        createJsonTextReply(`{"count":1,"${listMemberName(request.apiVersion)}":[${text}]}`, {
          etag,
          ...pageHeaders(1, undefined),
        }),
    );
  }

  /** `ofContent` answers for a content element, whose text it gets. */
  #ofElement(
    request: ElementRequest & StorageRequest,
    context: OperationContext,
    ofElement: (reading: StorageReadContext, named: FacetView, root: ReportRoot) => Promise<Reply>,
    ofContent: (text: string, etag: string) => Result<ByteReply>,
  ): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, light: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async (reading): Promise<Reply> => {
      const { snapshot, storage, etag } = reading;
      const named = findFacetView(storage, request.facetId, request.viewId);
      if (!named.ok) return named;
      if (!isUuid(request.elementId)) return contentNotFound;
      const id = request.elementId.toLowerCase();
      const { facet } = named.value;
      const wanted = { facet: facet.name, id, resources: noResources, addressPrefix: addressPrefixOf(storage, facet) };
      const root = await readReportRoot(snapshot, storage.storageId, wanted);
      if (root) {
        const isThere = await isShownInView(snapshot, storage.storageId, named.value, root);
        return isThere ? ofElement(reading, named.value, root) : contentNotFound;
      }
      const content = await findElementInStorage(snapshot, storage, { ...request, elementId: id }, context.publicUrl);
      if (!content.ok) return content;
      const tag = etag(content.value.state.revision);
      return notModifiedReply(request, tag) ?? ofContent(content.value.text, tag);
    });
  }
}

const noResources = new Set<never>();

const versionsOf = async (
  { snapshot, storage, etag }: StorageReadContext,
  named: FacetView,
  { elementId, revision }: ReportRoot,
  request: VersionsRequest,
  publicUrl: string,
): Promise<Reply> => {
  const planned = buildTreeRequest(snapshot, storage, named, request, publicUrl);
  if (!planned.ok) return planned;
  const tag = etag(revision);
  const unchanged = notModifiedReply(request, tag);
  if (unchanged) return unchanged;
  const { scope, wanted, source } = planned.value;
  const count = await countVersions(snapshot, storage.storageId, elementId);
  const rows = await openVersionRowCursor(snapshot, scope, elementId, wanted);
  const headers = { etag: tag, ...pageHeaders(count, undefined) };
  return succeed({ headers, pieces: streamElementList(request.apiVersion, count, source(rows), publicUrl) });
};
