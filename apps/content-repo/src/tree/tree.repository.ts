/** Counts and opens the rows of a tree; one statement a function. Refuses: rules about views. */
import { countAt, textAt } from '../database/tenant-reader.js';
import type { Snapshot } from '../database/snapshot.js';
import {
  countQuery,
  matchQuery,
  pageQuery,
  rowsQuery,
  versionRowsQuery,
  type Page,
  type RowsWanted,
  type TreeScope,
} from './tree-query.js';
import { openTreeRows } from './tree-rows.js';

export const countTopLevel = async (snapshot: Snapshot, scope: TreeScope): Promise<number> => {
  const [row] = await snapshot.read({ ...countQuery(scope), name: '' });
  return countAt(row, 0);
};

export type PageCounts = {
  readonly total: number;
  /** How many come after the page's key, or all. */
  readonly rest: number;
  readonly count: number;
  readonly lastPath: string | undefined;
};

export const countPage = async (snapshot: Snapshot, scope: TreeScope, page: Page): Promise<PageCounts> => {
  const [row] = await snapshot.read({ ...pageQuery(scope, page), name: '' });
  return { total: countAt(row, 0), rest: countAt(row, 1), count: countAt(row, 2), lastPath: textAt(row, 3) };
};

export const openRows = (snapshot: Snapshot, scope: TreeScope, wanted: RowsWanted) =>
  openTreeRows(snapshot, rowsQuery(scope, wanted));

export const openVersionRows = (snapshot: Snapshot, scope: TreeScope, elementId: string, wanted: RowsWanted) =>
  openTreeRows(snapshot, versionRowsQuery(scope, elementId, wanted));

export const countVersions = async (snapshot: Snapshot, storageId: string, elementId: string): Promise<number> => {
  const [row] = await snapshot.read({
    name: `${snapshot.tables.namePrefix}count_versions`,
    text: `select count(*) from ${snapshot.tables.rendition}
where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    values: [snapshot.tenant, storageId, elementId],
  });
  return countAt(row, 0);
};

export const doesVersionMatch = async (snapshot: Snapshot, scope: TreeScope, versionId: string): Promise<boolean> => {
  const rows = await snapshot.read({ ...matchQuery(scope, versionId), name: '' });
  return rows.length > 0;
};
