/** A3: the report tree of a facet, streamed. */
import { Controller } from '@nestjs/common';
import { reportingView } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { reportFacet } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { jsonContentType, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import { findFacetView } from '../facets/facet-view.js';
import { notModifiedReply } from '../replies.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { buildTreeRequest } from '../tree/tree-request.js';
import { ByteWriter, type RowSource, TreeWriter, writeRows } from '../tree/tree-text.js';
import { countTopLevel, openRowCursor } from '../tree/tree.repository.js';
import { ReportCache } from './kept-reports.js';

@Controller()
export class ReportFacetHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
    private readonly kept: ReportCache,
  ) {}

  @Serves(reportFacet)
  report(request: RequestOf<typeof reportFacet>, context: OperationContext): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, light: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async ({ snapshot, storage, etag }) => {
      const view = findFacetView(storage, request.facetId, request.viewId ?? reportingView, true);
      if (!view.ok) return view;
      const planned = buildTreeRequest(snapshot, storage, view.value, request, context.publicUrl);
      if (!planned.ok) return planned;
      const unchanged = notModifiedReply(request, etag());
      if (unchanged) return unchanged;
      const { team } = context.caller;
      const headers = { etag: etag() };
      const kept = this.kept.find(team, headers.etag);
      if (kept) return succeed({ contentType: jsonContentType, headers, body: kept });
      const { scope, wanted, source: rowsOf } = planned.value;
      const [count, rows] = await Promise.all([countTopLevel(snapshot, scope), openRowCursor(snapshot, scope, wanted)]);
      const pieces = facetReport(count, rowsOf(rows), scope.shape !== 'flat', context.publicUrl);
      return succeed({ headers, pieces: this.kept.keep(team, headers.etag, pieces) });
    });
  }
}

const facetReport = async function* (
  count: number,
  source: RowSource,
  nested: boolean,
  publicUrl: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter(publicUrl);
  const tree = new TreeWriter((text) => bytes.put(text), { nested });
  bytes.put(`{"count":${count},"values":[`);
  yield* writeRows(source, tree, bytes);
  tree.end();
  bytes.put(']}');
  yield* bytes.rest();
};
