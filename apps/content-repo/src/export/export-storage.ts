/**
 * The storages of a team and the lines of an export: one consistent state, read batch by batch as the lines are taken.
 * Never holds more than one batch in memory.
 */
import { toCanonicalDefinition, normaliseDefinition, printElementLine } from '@tessera/content-model';
import type { StorageDefinition } from '@tessera/contracts';
import { openTenantTransaction } from '@tessera/persistence';
import type pg from 'pg';
import { toElementDocument } from './export-documents.js';
import { fetchElementRows, openElementCursor, readElementParts } from './export-rows.js';

const batchElements = 250;

export type StorageSummary = {
  readonly collection: string;
  readonly storage: string;
  readonly title: string;
  readonly elements: number;
  readonly changedAt: string;
};

export const listTeamStorages = async (client: pg.ClientBase, team: string): Promise<readonly StorageSummary[]> => {
  const { rows } = await client.query<
    Omit<StorageSummary, 'elements' | 'changedAt'> & { elements: string; changed_at: Date }
  >(
    `select s.collection_name as collection, s.storage_name as storage, s.definition ->> 'title' as title, s.changed_at,
       (select count(*) from content_repo.element e
        where e.tenant = s.tenant and e.storage_id = s.storage_id and e.deleted_at is null) as elements
     from content_repo.storage s where s.tenant = $1 order by s.collection_name, s.storage_name`,
    [team],
  );
  return rows.map(({ changed_at, elements, ...row }) => ({
    ...row,
    elements: Number(elements),
    changedAt: changed_at.toISOString(),
  }));
};

type FoundStorage = { readonly storageId: string; readonly definition: StorageDefinition };

export const findStorageDefinition = async (
  client: pg.ClientBase,
  team: string,
  collection: string,
  storage: string,
): Promise<FoundStorage | undefined> => {
  const { rows } = await client.query<{ storage_id: string; definition: StorageDefinition }>(
    `select storage_id, definition from content_repo.storage
     where tenant = $1 and collection_name = $2 and storage_name = $3`,
    [team, collection, storage],
  );
  const [row] = rows;
  return row && { storageId: row.storage_id, definition: toCanonicalDefinition(row.definition) };
};

/** JSON Lines in pieces of a batch. Ends early when `signal` aborts; gives its connection back however it ends. */
export const streamExportLines = async function* (
  pool: pg.Pool,
  team: string,
  { storageId, definition }: FoundStorage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const model = normaliseDefinition(definition);
  const transaction = await openTenantTransaction(pool, team, { kind: 'snapshot' });
  try {
    const scope = { client: transaction.client, tenant: team, storageId };
    await openElementCursor(
      scope,
      model.facets.map(({ name }) => name),
    );
    while (!signal.aborted) {
      const elements = await fetchElementRows(scope, batchElements);
      if (elements.length === 0) return;
      const parts = await readElementParts(
        scope,
        elements.map(({ element_id }) => element_id),
      );
      yield Buffer.from(elements.map((element) => printElementLine(toElementDocument(model, element, parts))).join(''));
    }
  } finally {
    await transaction.rollback().catch(() => undefined);
  }
};
