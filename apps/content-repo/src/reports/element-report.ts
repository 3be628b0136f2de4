/**
 * The report of one element: its tree, then its versions, as pieces of text.
 * Refuses: what the view does not show, when a view is named; the standard ones show every element of the facet.
 */
import { typeNamed } from '@tessera/content-model';
import { succeed, type Result } from '@tessera/failures';
import type { Snapshot } from '../database/snapshot.js';
import {
  readElementRoot,
  isChainOfTypes,
  type ElementRoot,
  type ElementWanted,
} from '../elements/element.repository.js';
import { findContentElement } from '../elements/find-content-element.js';
import type { Reshape } from '../elements/reshape.js';
import { contentNotFound } from '../not-found.js';
import type { Storage } from '../storage/storage-definitions.js';
import type { TreeScope } from '../tree/tree-query.js';
import { countTopLevel, doesVersionMatch, openRows, openVersionRows } from '../tree/tree.repository.js';
import { treeRequest, type TreeOptions, type TreeRequest } from '../tree/tree-request.js';
import { writeRows, type RowSource } from '../tree/tree-text.js';
import { isStandardView, type FacetView } from '../tree/view-of.js';
import { ByteWriter } from '../tree/byte-writer.js';
import { TreeWriter } from '../tree/write-tree.js';
import type { StreamedReply } from './stream-from-snapshot.js';

export type ElementReportRequest = TreeOptions & { readonly elementId: string };

export const reportElementTree = async (
  snapshot: Snapshot,
  storage: Storage,
  named: FacetView,
  request: ElementReportRequest,
  publicUrl: string,
): Promise<Result<StreamedReply>> => {
  const planned = treeRequest(snapshot, storage, named, request, publicUrl);
  if (!planned.ok) return planned;
  const { scope, wanted, reshape } = planned.value;
  const asked: ElementWanted = { facet: scope.facet, id: request.elementId, ...wanted };
  const root = await readElementRoot(snapshot, storage.storageId, asked);
  if (!root) return contentReport(snapshot, storage, asked, reshape, publicUrl);
  if (!isStandardView(named.view) && !(await isShown(snapshot, scope, root))) return contentNotFound;
  const below: TreeScope = { ...scope, below: root.path };
  if (scope.condition && !(await isKept(snapshot, below, root)))
    return succeed({ pieces: onePiece('{"count":0,"values":[]}') });
  const isVersioned = typeNamed(storage.model, root.type)?.versioned ?? false;
  return succeed({ pieces: await elementReport(snapshot, planned.value, below, root, isVersioned, publicUrl) });
};

/** A tree shows an element whose ancestors it shows; a flat view looks at the element alone. */
const isShown = async (snapshot: Snapshot, { types, shape, storageId, facet }: TreeScope, root: ElementRoot) => {
  if (!types) return true;
  if (shape === 'flat') return types.includes(root.type);
  return isChainOfTypes(snapshot, storageId, facet, root.path, types);
};

const isKept = async (snapshot: Snapshot, below: TreeScope, root: ElementRoot): Promise<boolean> =>
  (await doesVersionMatch(snapshot, below, root.versionId)) ||
  (below.shape === 'tree' && (await countTopLevel(snapshot, below)) > 0);

/** Everything is opened before the first piece, so that an outage is met before the answer begins. */
const elementReport = async (
  snapshot: Snapshot,
  { wanted, source, reshape }: TreeRequest,
  below: TreeScope,
  root: ElementRoot,
  isVersioned: boolean,
  publicUrl: string,
) => {
  const descendants = below.shape === 'tree' ? await openRows(snapshot, below, wanted) : noRows();
  const versions = isVersioned ? await openVersionRows(snapshot, below, root.elementId, wanted) : noRows();
  const [row = root] = reshape ? await reshape.rows([root]) : [root];
  return reportPieces({ ...root, ...row }, source(descendants), source(versions), publicUrl);
};

const reportPieces = async function* (
  root: ElementRoot,
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
  asked: ElementWanted,
  reshape: Reshape | undefined,
  publicUrl: string,
): Promise<Result<StreamedReply>> => {
  const found = await findContentElement(snapshot, storage, asked, publicUrl);
  if (!found) return contentNotFound;
  const [element = found] = reshape ? await reshape.json([found]) : [found];
  return succeed({ pieces: onePiece(JSON.stringify({ count: 1, values: [element] })) });
};

const onePiece = async function* (text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text);
};

const noRows = async function* (): AsyncGenerator<never, void, undefined> {
  // A report without children or versions has no rows to open.
};
