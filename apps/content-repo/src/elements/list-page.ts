/**
 * A page of elements as text: the roots of a tree, the flat list of another view, or of these the children of one
 * element. An unchanged page is not read again.
 */
import type { ByteReply, HttpOperation } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import type { StreamedReply } from '../database/snapshot.js';
import type { FacetView } from '../facets/facet-view.js';
import { type ApiVersion, type ConditionalRequest, listMemberName, notModifiedReply } from '../replies.js';
import { nextPageAddress, pageHeaders } from '../next-page.js';
import type { StorageReadContext } from '../storage/read-storage.js';
import type { Page, TreeScope } from '../tree/tree-query.js';
import { type TreeOptions, buildTreeRequest } from '../tree/tree-request.js';
import { ByteWriter, type RowSource, TreeWriter, writeRows } from '../tree/tree-text.js';
import { countPage, openRowCursor } from '../tree/tree.repository.js';

type PageRequest = TreeOptions &
  ConditionalRequest & {
    readonly $page: number;
    readonly $pageSize: number;
    readonly $pageSelectionKey?: string | undefined;
    readonly apiVersion: ApiVersion;
  };

/** `parent`: the element whose children are listed, and the revision of its version. */
type Parent = NonNullable<TreeScope['childrenOf']> & { readonly revision: string };

export const readElementPage = async (
  operation: HttpOperation,
  { snapshot, storage, etag }: StorageReadContext,
  named: FacetView,
  request: PageRequest,
  publicUrl: string,
  parent?: Parent,
): Promise<Result<ByteReply | StreamedReply>> => {
  const planned = buildTreeRequest(snapshot, storage, named, request, publicUrl);
  if (!planned.ok) return planned;
  const page = pageOf(request);
  if (!page.ok) return page;
  const tag = etag(parent?.revision);
  const unchanged = notModifiedReply(request, tag);
  if (unchanged) return unchanged;
  const { isHierarchical } = named.view;
  const shape = isHierarchical ? ('roots' as const) : ('flat' as const);
  const scope = { ...planned.value.scope, shape, childrenOf: parent };
  const withChildren = isHierarchical || request.$resources !== undefined;
  const wanted = { ...planned.value.wanted, page: page.value, withChildren };
  const { total, rest, count, lastPath } = await countPage(snapshot, scope, page.value);
  const rows = await openRowCursor(snapshot, scope, wanted);
  const isMore = page.value.offset + count < rest;
  const pageKey = isMore && lastPath !== undefined ? pageKeyOf(lastPath) : undefined;
  const next = isMore ? nextPageAddress(operation, { ...request }, publicUrl, pageKey) : undefined;
  return succeed({
    headers: {
      etag: tag,
      ...pageHeaders(total, next),
      ...(pageKey !== undefined && { 'x-page-selection-key': pageKey }),
    },
    pieces: streamElementList(request.apiVersion, count, planned.value.source(rows, wanted), publicUrl, next),
  });
};

const pageOf = ({ $page, $pageSize, $pageSelectionKey }: PageRequest): Result<Page> => {
  if ($pageSelectionKey === undefined) return succeed({ offset: ($page - 1) * $pageSize, limit: $pageSize });
  const after = treePathOf($pageSelectionKey);
  return after.ok ? succeed({ after: after.value, offset: 0, limit: $pageSize }) : after;
};

/** `count` rows side by side; `next`: the address of the page behind them. */
export const streamElementList = async function* (
  apiVersion: ApiVersion,
  count: number,
  source: RowSource,
  publicUrl: string,
  next?: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteWriter(publicUrl);
  const list = new TreeWriter((text) => bytes.put(text), { nested: false });
  const nextUri = next === undefined || apiVersion === '1.0' ? '' : `"nextUri":${JSON.stringify(next)},`;
  bytes.put(`{"count":${count},${nextUri}"${listMemberName(apiVersion)}":[`);
  yield* writeRows(source, list, bytes);
  list.end();
  bytes.put(']}');
  yield* bytes.rest();
};

const keyPattern = /^[A-Za-z0-9_-]{1,200}$/;
const bytesPerLevel = 4;

const pageKeyOf = (treePath: string): string => Buffer.from(treePath, 'hex').toString('base64url');

const treePathOf = (key: string): Result<string> => {
  const bytes = Buffer.from(keyPattern.test(key) ? key : '', 'base64url');
  const isOurs = bytes.length > 0 && bytes.length % bytesPerLevel === 0 && bytes.toString('base64url') === key;
  return isOurs ? succeed(bytes.toString('hex')) : illegalPageKey;
};

const pageKeyMessage = 'The page key is not one that an answer carried in X-Page-Selection-Key.';
const illegalPageKey = fail('GENERAL_PARAMETER_ILLEGAL', pageKeyMessage, {
  faults: [{ in: 'query', path: '$pageSelectionKey', message: pageKeyMessage, rule: 'pageKey' }],
});
