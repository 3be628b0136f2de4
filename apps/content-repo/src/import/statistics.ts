/**
 * The planner's statistics of the tables that an import fills. Every index begins with tenant and storage; as long as
 * the planner does not know that a storage has many rows, each index looks as good as the right one, and a lookup by id
 * reads the whole storage.
 */
import { runInTenantTransaction } from '@tessera/persistence';
import type pg from 'pg';
import type { ImportKey, ImportScope } from './imports.repository.js';

const importedTables = ['element', 'element_version', 'relation', 'content_element', 'rendition'] as const;

/** An estimate that is wrong by less than this does no harm, and neither does any plan on so few versions. */
const misestimateFactor = 4;
const versionsFew = 200;

type StorageScope = Pick<ImportScope, 'tenant' | 'storageId'> & { readonly client: pg.ClientBase };

/** The table to look at: with a row for each version, and filled by then. */
type EstimatedTable = 'element_version' | 'rendition';

/**
 * Refreshes the statistics when the planner expects far fewer versions in the storage than there are at least. Where
 * somebody else is at it, it does not wait: in a transaction that would last as long as theirs.
 */
export const refreshPlannerStatistics = async (
  storage: StorageScope,
  filled: EstimatedTable,
  versionsAtLeast: number,
): Promise<void> => {
  if (versionsAtLeast < versionsFew || (await expectedRows(storage, filled)) * misestimateFactor >= versionsAtLeast)
    return;
  for (const table of importedTables) await storage.client.query(`analyze (skip_locked) content_repo.${table}`);
};

type ExplainRow = { readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[] };

const expectedRows = async ({ client, tenant, storageId }: StorageScope, table: EstimatedTable): Promise<number> => {
  const { rows } = await client.query<ExplainRow>(
    `explain (format json) select from content_repo.${table} where tenant = $1 and storage_id = $2`,
    [tenant, storageId],
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
};

/** The same after a commit, in a short transaction of its own. */
export const refreshPlannerStatisticsAfterCommit = (
  pool: pg.Pool,
  key: Omit<ImportKey, 'importId'>,
  versionsAtLeast: number,
): Promise<void> =>
  runInTenantTransaction(pool, key.team, async (client) => {
    const { rows } = await client.query<{ storage_id: string }>(
      'select storage_id from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3',
      [key.team, key.collection, key.storage],
    );
    const [storage] = rows;
    if (storage)
      await refreshPlannerStatistics(
        { client, tenant: key.team, storageId: storage.storage_id },
        'rendition',
        versionsAtLeast,
      );
  });
