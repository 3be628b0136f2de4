/**
 * The rows of a tree query in batches of about a quarter of a megabyte; the next batch is on its way while one is written.
 * Refuses: to hold more than a batch. Large rows come without texts and are read when their turn comes.
 */
import type { Storage } from '../storage/storage-definitions.js';
import type { Snapshot } from '../database/snapshot.js';
import { textAt, type Row } from '../database/tenant-reader.js';
import { resourcesNumber } from '../elements/resources.js';
import { largeRowSql, type RowsWanted, type Statement } from './tree-query.js';
import type { TreeRow } from './write-tree.js';

export type StoredRow = TreeRow & { readonly versionId: string; readonly isLarge: boolean };

const batchLength = 262_144;
const firstRows = 64;
const rowsMin = 8;
const rowsMax = 256;

/** Opens the cursor and has the first rows fetched when it resolves, so that an outage is met before an answer begins. */
export const openTreeRows = async (
  snapshot: Snapshot,
  statement: Statement,
): Promise<AsyncIterable<readonly StoredRow[]>> => {
  const cursor = await snapshot.openCursor(statement);
  const first = await cursor.fetch(firstRows);
  return batches(first, (count) => cursor.fetch(count));
};

const batches = async function* (
  first: readonly Row[],
  fetch: (rows: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly StoredRow[], void> {
  let rows = first;
  while (rows.length > 0) {
    const batch = rows.map(storedRow);
    const next = fetch(rowsToFetch(batch));
    next.catch(() => undefined);
    yield batch;
    rows = await next;
  }
};

const rowsToFetch = (batch: readonly StoredRow[]): number => {
  const length = batch.reduce((sum, row) => sum + row.opening.length + row.closing.length, 0);
  return Math.min(rowsMax, Math.max(rowsMin, Math.floor((batchLength * batch.length) / Math.max(length, 1))));
};

const storedRow = (row: Row): StoredRow => {
  const [opening, closing] = [textAt(row, 1), textAt(row, 2)];
  return {
    path: textAt(row, 0) ?? '',
    opening: opening ?? '',
    closing: closing ?? '',
    versionId: textAt(row, 3) ?? '',
    isLarge: opening === undefined,
  };
};

/** The row with its texts. */
export const readLargeRow = async (
  snapshot: Snapshot,
  storage: Pick<Storage, 'storageId'>,
  wanted: RowsWanted,
  row: StoredRow,
): Promise<StoredRow> => {
  const [texts] = await snapshot.read({
    name: `${snapshot.tables.namePrefix}large_row_${resourcesNumber(wanted.resources)}_${wanted.withChildren ? 1 : 0}`,
    text: largeRowSql(snapshot.tables, wanted),
    values: [snapshot.tenant, storage.storageId, row.versionId, wanted.addressPrefix],
  });
  return { ...row, opening: textAt(texts, 0) ?? '', closing: textAt(texts, 1) ?? '', isLarge: false };
};
