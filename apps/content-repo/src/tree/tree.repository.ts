/** Counts and opens the rows of a tree; one statement a function. */
import type { SqlExpression } from '@tessera/sql';
import type { Snapshot } from '../database/snapshot.js';
import { referenceKey, type ReferenceTarget } from '../elements/element.repository.js';
import { toResourceBitmask } from '../elements/resources.js';
import type { Storage } from '../storage/storage-definitions.js';
import {
  topLevelCountQuery,
  largeRowSql,
  matchingTargetsQuery,
  versionMatchQuery,
  type Page,
  pageCountQuery,
  treeRowsQuery,
  type RowOptions,
  type Statement,
  type TreeScope,
  versionRowsQuery,
} from './tree-query.js';
import type { TreeRow } from './tree-text.js';

/** PostgreSQL sends counts as text. */
type CountRow = { readonly count: string };
type PageRow = CountRow & { readonly total: string; readonly rest: string; readonly lastPath: string | null };

export const countTopLevel = async (snapshot: Snapshot, scope: TreeScope): Promise<number> => {
  const [row] = await snapshot.read<CountRow>({ ...topLevelCountQuery(scope), name: '' });
  return Number(row?.count);
};

type PageCounts = {
  readonly total: number;
  /** How many come after the page's key, or all. */
  readonly rest: number;
  readonly count: number;
  readonly lastPath: string | undefined;
};

export const countPage = async (snapshot: Snapshot, scope: TreeScope, page: Page): Promise<PageCounts> => {
  const [row] = await snapshot.read<PageRow>({ ...pageCountQuery(scope, page), name: '' });
  return {
    total: Number(row?.total),
    rest: Number(row?.rest),
    count: Number(row?.count),
    lastPath: row?.lastPath ?? undefined,
  };
};

export const openRowCursor = (snapshot: Snapshot, scope: TreeScope, wanted: RowOptions) =>
  openTreeRows(snapshot, treeRowsQuery(scope, wanted));

export const openVersionRowCursor = (snapshot: Snapshot, scope: TreeScope, elementId: string, wanted: RowOptions) =>
  openTreeRows(snapshot, versionRowsQuery(scope, elementId, wanted));

export const countVersions = async (snapshot: Snapshot, storageId: string, elementId: string): Promise<number> => {
  const [row] = await snapshot.read<CountRow>({
    name: `${snapshot.tables.namePrefix}count_versions`,
    text: `select count(*) from ${snapshot.tables.rendition}
where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    values: [snapshot.tenant, storageId, elementId],
  });
  return Number(row?.count);
};

export const doesVersionMatch = async (snapshot: Snapshot, scope: TreeScope, versionId: string): Promise<boolean> => {
  const rows = await snapshot.read({ ...versionMatchQuery(scope, versionId), name: '' });
  return rows.length > 0;
};

/** The keys of the elements and versions that match. */
export const findMatchingTargets = async (
  snapshot: Snapshot,
  storageId: string,
  condition: SqlExpression,
  targets: readonly ReferenceTarget[],
): Promise<ReadonlySet<string>> => {
  const { tables, tenant } = snapshot;
  const rows = await snapshot.read<{ readonly elementId: string; readonly versionId: string | null }>({
    ...matchingTargetsQuery({ tables, tenant, storageId }, condition, targets),
    name: '',
  });
  return new Set(
    rows.map(({ elementId, versionId }) => referenceKey({ elementId, versionId: versionId ?? undefined })),
  );
};

export type StoredTreeRow = TreeRow & { readonly versionId: string; readonly isLarge: boolean };

const batchLength = 262_144;
const firstRows = 64;
const rowsMin = 8;
const rowsMax = 256;

/** Opens the cursor and has the first rows fetched when it resolves, so that an outage is met before an answer begins. */
const openTreeRows = async (
  snapshot: Snapshot,
  statement: Statement,
): Promise<AsyncIterable<readonly StoredTreeRow[]>> => {
  const cursor = snapshot.openCursor<TextRow>(statement);
  const first = await cursor.fetch(firstRows);
  return rowBatches(first, (rows) => cursor.fetch(rows));
};

/** Fewer rows than were asked for are the last. */
const rowBatches = async function* (
  first: readonly TextRow[],
  fetch: (rows: number) => Promise<readonly TextRow[]>,
): AsyncGenerator<readonly StoredTreeRow[], void> {
  let rows = first;
  let asked = firstRows;
  while (rows.length > 0) {
    const batch = rows.map(storedRow);
    const isLast = rows.length < asked;
    asked = rowsToFetch(batch);
    const next = isLast ? Promise.resolve([]) : fetch(asked);
    next.catch(() => undefined);
    yield batch;
    rows = await next;
  }
};

const rowsToFetch = (batch: readonly StoredTreeRow[]): number => {
  const length = batch.reduce((sum, row) => sum + row.opening.length + row.closing.length, 0);
  return Math.min(rowsMax, Math.max(rowsMin, Math.floor((batchLength * batch.length) / Math.max(length, 1))));
};

/** The texts of a large row are null. */
type TextRow = {
  readonly path: string;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly versionId: string;
};

const storedRow = ({ path, opening, closing, versionId }: TextRow): StoredTreeRow => ({
  path,
  opening: opening ?? '',
  closing: closing ?? '',
  versionId,
  isLarge: opening === null,
});

/** The row with its texts. */
export const readLargeRow = async (
  snapshot: Snapshot,
  storage: Pick<Storage, 'storageId'>,
  wanted: RowOptions,
  row: StoredTreeRow,
): Promise<StoredTreeRow> => {
  const [texts] = await snapshot.read<Pick<TreeRow, 'opening' | 'closing'>>({
    name: `${snapshot.tables.namePrefix}large_row_${toResourceBitmask(wanted.resources)}_${wanted.withChildren ? 1 : 0}`,
    text: largeRowSql(snapshot.tables, wanted),
    values: [snapshot.tenant, storage.storageId, row.versionId, wanted.addressPrefix],
  });
  return { ...row, ...texts, isLarge: false };
};
