/** Imports and what was staged under them, in a transaction of the tenant. */
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { ContentImport, ImportedElement } from '@tessera/persistence/content-repo';
import type pg from 'pg';
import { type EntityManager, IsNull } from 'typeorm';
import type { ChangeScope } from '../change/change.repository.js';

type ImportNames = { readonly collection: string; readonly storage: string };
export type ImportKey = ImportNames & { readonly team: string; readonly importId: string };
export type StoredImportStatus = Omit<ImportStatus, 'importId'>;

/** Entities and statements of one transaction. */
export type ImportTransaction = { readonly manager: EntityManager; readonly client: pg.PoolClient };

export type StagedElementRow = {
  readonly elementId: string;
  readonly ordinal: number;
  readonly document: ElementDocument;
};

const retentionHours = 24;

/** By the one function that may look at all teams. */
export const findTeamsWithOldImports = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ readonly team: string }>(
    'select tenant as team from content_repo.teams_with_old_imports(make_interval(hours => $1)) order by 1',
    [retentionHours],
  );
  return rows.map(({ team }) => team);
};

/**
 * Forgets imports that nobody finished; their staged elements go with them. One that is being committed stays: its checks
 * look at what was staged to the end.
 */
export const deleteOldImports = async (client: pg.ClientBase, team: string): Promise<void> => {
  await client.query(
    `with old as materialized (
       select import_id from content_repo.import
       where tenant = $1 and begun_at < now() - make_interval(hours => ${retentionHours}))
     delete from content_repo.import i using old
     where i.tenant = $1 and i.import_id = old.import_id
       and pg_try_advisory_xact_lock(hashtextextended('import ' || $1 || ' ' || old.import_id, 1))`,
    [team],
  );
};

export const insertImport = async (
  client: pg.ClientBase,
  { team, collection, storage }: Omit<ImportKey, 'importId'>,
  definition: StorageDefinition,
  subject: string,
): Promise<string> => {
  const { rows } = await client.query<{ import_id: string }>(
    `insert into content_repo.import (tenant, import_id, collection_name, storage_name, definition, subject)
     values ($1, uuidv7(), $2, $3, $4, $5) returning import_id`,
    [team, collection, storage, JSON.stringify(definition), subject],
  );
  const [row] = rows;
  if (!row) throw new Error('The import that was inserted came back without its id.');
  return row.import_id;
};

export const findImport = (
  manager: EntityManager,
  { team, importId, collection, storage }: ImportKey,
): Promise<ContentImport | null> =>
  manager.findOneBy(ContentImport, { tenant: team, importId, collectionName: collection, storageName: storage });

export const countStagedElements = (manager: EntityManager, { team, importId }: ImportKey): Promise<number> =>
  manager.countBy(ImportedElement, { tenant: team, importId });

/** Answers the ordinals that were stored; the others are ids that the import has under another ordinal already. */
export const insertStagedRows = async (
  client: pg.ClientBase,
  { team, importId }: ImportKey,
  staged: readonly StagedElementRow[],
): Promise<ReadonlySet<number>> => {
  const { rows } = await client.query<{ ordinal: string }>(
    `insert into content_repo.import_element as stored (tenant, import_id, element_id, ordinal, document)
     select $1, $2, "elementId", ordinal, document
     from json_to_recordset($3::json) as given ("elementId" uuid, ordinal bigint, document jsonb)
     on conflict (tenant, import_id, element_id) do update set document = excluded.document where stored.ordinal = excluded.ordinal
     returning ordinal`,
    [team, importId, JSON.stringify(staged)],
  );
  return new Set(rows.map(({ ordinal }) => Number(ordinal)));
};

/** Writes the outcome once; what was staged is not needed any more. */
export const finishImport = async (
  manager: EntityManager,
  { team, importId }: ImportKey,
  outcome: StoredImportStatus,
): Promise<void> => {
  await manager.delete(ImportedElement, { tenant: team, importId });
  await manager.update(ContentImport, { tenant: team, importId, outcome: IsNull() }, { outcome });
};

export const deleteImport = async (manager: EntityManager, { team, importId }: ImportKey): Promise<void> => {
  await manager.delete(ContentImport, { tenant: team, importId });
};

/** One commit of an import at a time, and one of a storage; held until the transaction ends. */
export const lockImport = async (client: pg.ClientBase, { team, importId }: ImportKey): Promise<void> => {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`import ${team} ${importId}`]);
};
export const lockStorage = async (client: pg.ClientBase, { team, collection, storage }: ImportKey): Promise<void> => {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [
    `storage ${team} ${collection} ${storage}`,
  ]);
};

/** Whether a commit of the import is at work in any replica; none begins in this transaction. Batches may be staged side by side. */
export const isImportBeingCommitted = async (
  client: pg.ClientBase,
  { team, importId }: ImportKey,
): Promise<boolean> => {
  const { rows } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock_shared(hashtextextended($1, 1)) as free',
    [`import ${team} ${importId}`],
  );
  return rows[0]?.free === false;
};

export type ImportScope = ChangeScope & { readonly importId: string };

/**
 * Runs statements that look at the whole storage. The tables may have been filled a moment ago, without statistics yet, and
 * a plan for the one row that the planner then expects would compare everything with everything.
 */
export const runWithoutNestedLoops = async <T>(
  { client }: Pick<ChangeScope, 'client'>,
  work: () => Promise<T>,
): Promise<T> => {
  await client.query(`set local enable_nestloop = off`);
  const value = await work();
  await client.query(`set local enable_nestloop = on`);
  return value;
};
