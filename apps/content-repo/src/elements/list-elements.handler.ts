/** The elements of a view, page by page: the roots of a tree, or the flat list of another view. */
import { Controller, Inject } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listElements } from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { poolsToken, type Pools } from '../database/pools.js';
import { streamFromSnapshot } from '../reports/stream-from-snapshot.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import type { Page } from '../tree/tree-query.js';
import { countPage, openRows } from '../tree/tree.repository.js';
import { treeRequest } from '../tree/tree-request.js';
import { writeRows, type RowSource } from '../tree/tree-text.js';
import { viewOf } from '../tree/view-of.js';
import { ByteWriter } from '../tree/byte-writer.js';
import { TreeWriter } from '../tree/write-tree.js';
import { pageKeyOf, treePathOf } from './page-key.js';

@Controller()
export class ListElementsHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listElements)
  list(request: RequestOf<typeof listElements>, context: OperationContext): Promise<Result<ByteReply>> {
    return streamFromSnapshot(this.pools.reports, context, async (snapshot) => {
      const storage = await this.definitions.find(snapshot, request);
      if (!storage.ok) return storage;
      const named = viewOf(storage.value, request.facetId, request.viewId);
      if (!named.ok) return named;
      const planned = treeRequest(snapshot, storage.value, named.value, request, context.publicUrl);
      if (!planned.ok) return planned;
      const page = pageOf(request);
      if (!page.ok) return page;
      const { view } = named.value;
      const scope = { ...planned.value.scope, shape: view.isHierarchical ? ('roots' as const) : ('flat' as const) };
      const withChildren = view.isHierarchical || request.$resources !== undefined;
      const wanted = { ...planned.value.wanted, page: page.value, withChildren };
      const { total, rest, count, lastPath } = await countPage(snapshot, scope, page.value);
      const rows = await openRows(snapshot, scope, wanted);
      const isMore = lastPath !== undefined && page.value.offset + count < rest;
      return succeed({
        headers: { 'x-total-count': String(total), ...(isMore && { 'x-page-selection-key': pageKeyOf(lastPath) }) },
        pieces: listPieces(request.apiVersion, count, planned.value.source(rows, wanted), context.publicUrl),
      });
    });
  }
}

const pageOf = (request: RequestOf<typeof listElements>): Result<Page> => {
  const { $page, $pageSize, $pageSelectionKey } = request;
  if ($pageSelectionKey === undefined) return succeed({ offset: ($page - 1) * $pageSize, limit: $pageSize });
  const after = treePathOf($pageSelectionKey);
  return after.ok ? succeed({ after: after.value, offset: 0, limit: $pageSize }) : after;
};

const listPieces = async function* (
  apiVersion: '1.0' | '4.0',
  count: number,
  source: RowSource,
  publicUrl: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter(publicUrl);
  const list = new TreeWriter((text) => bytes.put(text), { nested: false });
  bytes.put(`{"count":${count},"${apiVersion === '1.0' ? 'values' : 'elements'}":[`);
  yield* writeRows(source, list, bytes);
  list.end();
  bytes.put(']}');
  yield* bytes.rest();
};
