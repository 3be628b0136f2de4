/**
 * Lists of elements, streamed: the elements of a view (the roots of a tree, or the flat list of another view), the children
 * of an element page by page, and its versions. A content element has no children and is its only version.
 */
import { Controller } from '@nestjs/common';
import { isUuid } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listChildren, listElements, listVersions } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { jsonReply, jsonText, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import type { StreamedReply } from '../database/snapshot.js';
import { addressPrefixOf, type FacetView, isShownInView, viewOf } from '../facets/facet-view.js';
import { pageHeaders } from '../next-page.js';
import { contentNotFound, listName, unchangedReply } from '../replies.js';
import { readStorage, type StorageReading, type StorageRequest } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { treeRequest } from '../tree/tree-request.js';
import { countVersions, openVersionRows } from '../tree/tree.repository.js';
import { type ReportRoot, readReportRoot } from './element.repository.js';
import { type ElementRequest, findElementIn } from './find-element.js';
import { listPage, listPieces } from './list-page.js';

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
    const source = { pool: this.pools.reports, definitions: this.definitions };
    return readStorage(source, request, context, async (reading) => {
      const named = viewOf(reading.storage, request.facetId, request.viewId);
      return named.ok ? listPage(listElements, reading, named.value, request, context.publicUrl) : named;
    });
  }

  @Serves(listChildren)
  children(request: ChildrenRequest, context: OperationContext): Promise<Result<ByteReply>> {
    const { publicUrl } = context;
    return this.#ofElement(
      request,
      context,
      (reading, named, { elementId, path, revision }) =>
        listPage(listChildren, reading, named, request, publicUrl, { elementId, path, revision }),
      (_text, etag) =>
        jsonReply({ count: 0, [listName(request.apiVersion)]: [] }, { etag, ...pageHeaders(0, undefined) }),
    );
  }

  @Serves(listVersions)
  versions(request: VersionsRequest, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#ofElement(
      request,
      context,
      (reading, named, root) => versionsOf(reading, named, root, request, context.publicUrl),
      (text, etag) =>
        jsonText(`{"count":1,"${listName(request.apiVersion)}":[${text}]}`, { etag, ...pageHeaders(1, undefined) }),
    );
  }

  /** `ofContent` answers for a content element, whose text it gets. */
  #ofElement(
    request: ElementRequest & StorageRequest,
    context: OperationContext,
    ofElement: (reading: StorageReading, named: FacetView, root: ReportRoot) => Promise<Reply>,
    ofContent: (text: string, etag: string) => Result<ByteReply>,
  ): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, definitions: this.definitions };
    return readStorage(source, request, context, async (reading): Promise<Reply> => {
      const { snapshot, storage, etag } = reading;
      const named = viewOf(storage, request.facetId, request.viewId);
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
      const content = await findElementIn(snapshot, storage, { ...request, elementId: id }, context.publicUrl);
      if (!content.ok) return content;
      const tag = etag(content.value.state.revision);
      return unchangedReply(request, tag) ?? ofContent(content.value.text, tag);
    });
  }
}

const noResources = new Set<never>();

const versionsOf = async (
  { snapshot, storage, etag }: StorageReading,
  named: FacetView,
  { elementId, revision }: ReportRoot,
  request: VersionsRequest,
  publicUrl: string,
): Promise<Reply> => {
  const planned = treeRequest(snapshot, storage, named, request, publicUrl);
  if (!planned.ok) return planned;
  const tag = etag(revision);
  const unchanged = unchangedReply(request, tag);
  if (unchanged) return unchanged;
  const { scope, wanted, source } = planned.value;
  const count = await countVersions(snapshot, storage.storageId, elementId);
  const rows = await openVersionRows(snapshot, scope, elementId, wanted);
  const headers = { etag: tag, ...pageHeaders(count, undefined) };
  return succeed({ headers, pieces: listPieces(request.apiVersion, count, source(rows), publicUrl) });
};
