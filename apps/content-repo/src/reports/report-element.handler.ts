/** A4: the report tree of one element, with its versions, streamed. */
import { Controller } from '@nestjs/common';
import { isUuid, reportingView, findType } from '@tessera/content-model';
import { type ByteReply, isNoneMatch, type RequestOf } from '@tessera/contracts';
import { reportElement } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { jsonContentType, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import type { Snapshot, StreamedReply } from '../database/snapshot.js';
import { type ReportRoot, type ElementQuery, readReportRoot } from '../elements/element.repository.js';
import { findContentElement } from '../elements/find-element.js';
import type { ElementReshaper } from '../elements/reshape.js';
import { type FacetView, isShownInView, findFacetView } from '../facets/facet-view.js';
import { type ConditionalRequest, contentNotFound, notModifiedReply } from '../replies.js';
import { readStorage, type StorageReadContext } from '../storage/read-storage.js';
import { type Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import type { TreeScope } from '../tree/tree-query.js';
import { type TreeOptions, buildTreeRequest, type TreeRequest } from '../tree/tree-request.js';
import { ByteWriter, type RowSource, TreeWriter, writeRows } from '../tree/tree-text.js';
import { countTopLevel, doesVersionMatch, openRowCursor, openVersionRowCursor } from '../tree/tree.repository.js';
import { ReportCache } from './kept-reports.js';

@Controller()
export class ReportElementHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
    private readonly kept: ReportCache,
  ) {}

  @Serves(reportElement)
  report(request: RequestOf<typeof reportElement>, context: OperationContext): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, light: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async (reading) => {
      const named = findFacetView(reading.storage, request.facetId, request.viewId ?? reportingView, true);
      if (!named.ok) return named;
      if (!isUuid(request.elementId)) return contentNotFound;
      const requested = { ...request, elementId: request.elementId.toLowerCase() };
      const { team } = context.caller;
      const etag = reading.etag();
      const kept = isNoneMatch(request.ifNoneMatch, etag) ? this.kept.find(team, etag) : undefined;
      if (kept) return succeed({ contentType: jsonContentType, headers: { etag }, body: kept });
      const report = await reportElementTree(reading, named.value, requested, context.publicUrl);
      if (!report.ok || !('pieces' in report.value)) return report;
      return succeed({ ...report.value, pieces: this.kept.keep(team, etag, report.value.pieces) });
    });
  }
}

type ElementReportRequest = TreeOptions & ConditionalRequest & { readonly elementId: string };

const reportElementTree = async (
  { snapshot, storage, etag }: StorageReadContext,
  named: FacetView,
  request: ElementReportRequest,
  publicUrl: string,
): Promise<Result<ByteReply | StreamedReply>> => {
  const planned = buildTreeRequest(snapshot, storage, named, request, publicUrl);
  if (!planned.ok) return planned;
  const unchanged = notModifiedReply(request, etag());
  if (unchanged) return unchanged;
  const headers = { etag: etag() };
  const { scope, wanted, reshape } = planned.value;
  const requested: ElementQuery = { facet: scope.facet, id: request.elementId, ...wanted };
  const root = await readReportRoot(snapshot, storage.storageId, requested);
  if (!root) {
    const pieces = await contentReport(snapshot, storage, requested, reshape, publicUrl);
    return pieces ? succeed({ headers, pieces }) : contentNotFound;
  }
  if (!(await isShownInView(snapshot, storage.storageId, named, root))) return contentNotFound;
  const below: TreeScope = { ...scope, below: root.path };
  if (scope.condition && !(await isKept(snapshot, below, root)))
    return succeed({ headers, pieces: singlePiece('{"count":0,"values":[]}') });
  const isVersioned = findType(storage.model, root.type)?.versioned ?? false;
  const pieces = await elementReport(snapshot, planned.value, below, root, isVersioned, publicUrl);
  return succeed({ headers, pieces });
};

const isKept = async (snapshot: Snapshot, below: TreeScope, root: ReportRoot): Promise<boolean> =>
  (await doesVersionMatch(snapshot, below, root.versionId)) ||
  (below.shape === 'tree' && (await countTopLevel(snapshot, below)) > 0);

/** Everything is opened before the first piece, so that an outage is met before the answer begins. */
const elementReport = async (
  snapshot: Snapshot,
  { wanted, source, reshape }: TreeRequest,
  below: TreeScope,
  root: ReportRoot,
  isVersioned: boolean,
  publicUrl: string,
) => {
  const descendants = below.shape === 'tree' ? await openRowCursor(snapshot, below, wanted) : noRows();
  const versions = isVersioned ? await openVersionRowCursor(snapshot, below, root.elementId, wanted) : noRows();
  const [row = root] = reshape ? await reshape.rows([root]) : [root];
  return reportPieces({ ...root, ...row }, source(descendants), source(versions), publicUrl);
};

const reportPieces = async function* (
  root: ReportRoot,
  descendants: RowSource,
  versions: RowSource,
  publicUrl: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter(publicUrl);
  const put = (text: string): void => bytes.put(text);
  put('{"count":1,"values":[');
  const tree = new TreeWriter(put, { topLength: root.path.length });
  tree.write(root);
  yield* writeRows(descendants, tree, bytes);
  tree.end();
  let isFirst = true;
  const list = new TreeWriter(
    (text) => {
      put(isFirst ? `,"versions":[${text}` : text);
      isFirst = false;
    },
    { nested: false },
  );
  yield* writeRows(versions, list, bytes);
  list.end();
  put(`${isFirst ? '' : ']'}${root.end}]}`);
  yield* bytes.rest();
};

const contentReport = async (
  snapshot: Snapshot,
  storage: Storage,
  requested: ElementQuery,
  reshape: ElementReshaper | undefined,
  publicUrl: string,
): Promise<StreamedReply['pieces'] | undefined> => {
  const found = await findContentElement(snapshot, storage, requested, publicUrl);
  if (!found) return undefined;
  const [element = found.element] = reshape ? await reshape.json([found.element]) : [found.element];
  return singlePiece(JSON.stringify({ count: 1, values: [element] }));
};

const singlePiece = async function* (text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
};

const noRows = async function* (): AsyncGenerator<never, void, undefined> {
  // A report without children or versions has no rows to open.
};
