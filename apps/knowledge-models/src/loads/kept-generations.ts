/**
 * Generations that were in place before: kept beside the table, as many as LOAD_HISTORY says, and brought back by an undo.
 * Never readable by a team.
 */
import { tableLoaded, type UndoneLoad } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import type { DatabaseColumn } from '@tessera/knowledge-model';
import { writeEvents, type PoolClient } from '@tessera/persistence';
import { KeptGeneration } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';
import { versionedModelDefinitions } from '../definitions/definitions.repository.js';
import { fitGeneration, fittedColumns } from './fit-generation.js';
import {
  dropTableGeneration,
  keptTableFor,
  readGenerationColumns,
  replaceGeneration,
  type PhysicalTable,
} from './generation.js';
import { toLoadColumns, type LoadColumn } from './load-columns.js';
import { findTable, incrementDataVersion, whereTable, type PhysicalSchema, type TableKey } from './load.repository.js';
import { changeFault } from './merge-rows.js';

/** In a transaction: `next` is read from now on. */
export const putInPlace = async (
  manager: EntityManager,
  client: PoolClient,
  key: TableKey,
  {
    place,
    next,
    historyMax,
  }: { readonly place: PhysicalSchema; readonly next: PhysicalTable; readonly historyMax: number },
): Promise<void> => {
  const before = historyMax > 0 ? await noteGeneration(client, key) : undefined;
  const kept = before === undefined ? undefined : keptTableFor(place, key.table, before);
  await replaceGeneration(client, next, { name: key.table, role: place.role, kept });
  for (const { dataVersion } of (await readKept(manager, key)).slice(historyMax))
    await dropKept(manager, client, key, place, dataVersion);
};

/** Answers the data version of the generation in place; undefined when there is none. */
const noteGeneration = async (client: PoolClient, { team, schema, table }: TableKey): Promise<string | undefined> => {
  const { rows } = await client.query<{ version: string }>(
    `insert into knowledge_models.kept_generation
       (tenant, schema_name, table_id, data_version, row_count, loaded_at, loaded_by)
     select tenant, schema_name, table_id, data_version, row_count, loaded_at, loaded_by from knowledge_models.team_table
     where tenant = $1 and schema_name = $2 and table_id = $3 and data_version > 0 returning data_version as version`,
    [team, schema, table],
  );
  return rows[0]?.version;
};

/** The newest first. */
const readKept = (manager: EntityManager, key: TableKey): Promise<KeptGeneration[]> =>
  manager.find(KeptGeneration, { where: whereTable(key), order: { dataVersion: 'desc' } });

const dropKept = async (
  manager: EntityManager,
  client: PoolClient,
  key: TableKey,
  place: PhysicalSchema,
  dataVersion: string,
): Promise<void> => {
  await dropTableGeneration(client, keptTableFor(place, key.table, dataVersion));
  await manager.delete(KeptGeneration, { ...whereTable(key), dataVersion });
};

/** In a transaction. */
export const dropAllKept = async (
  manager: EntityManager,
  client: PoolClient,
  key: TableKey,
  place: PhysicalSchema,
): Promise<void> => {
  for (const { dataVersion } of await readKept(manager, key)) await dropKept(manager, client, key, place, dataVersion);
};

export type TableChange = {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly key: TableKey;
  /** Undefined when there is no such table; an answer that is kept may be of one that is gone. */
  readonly place: PhysicalSchema | undefined;
  readonly by: { readonly subject: string; readonly requestId: string };
};

/** In a transaction that has the lock of the table. The generation in place goes; the data version goes up all the same. */
export const undoLoadIn = async ({ manager, client, key, place, by }: TableChange): Promise<Result<UndoneLoad>> => {
  // Before the table: readers wait for that one, and should not wait for a publication as well.
  await versionedModelDefinitions.lockTeam(client, key.team);
  const [found, kept] = [await findTable(manager, key), await readKept(manager, key)];
  if (!found || !place) return fail('GENERAL_NOTFOUND', `There is no table "${key.schema}.${key.table}".`);
  const [last, ...others] = kept;
  if (!last) return nothingKept;
  const next = keptTableFor(place, key.table, last.dataVersion);
  const columns = await readGenerationColumns(client, next);
  if (!columns) return nothingKept;
  const fitted = fittedColumns(columns, found.definition);
  const misfit = toLoadColumns(found.definition).find((column) => !isReadable(column, fitted));
  if (misfit) return doesNotFit(misfit.id);
  await fitGeneration(client, next, columns, found.definition);
  await versionedModelDefinitions.raiseRevision(client, key.team);
  await replaceGeneration(client, next, { name: key.table, role: place.role });
  await manager.delete(KeptGeneration, { ...whereTable(key), dataVersion: last.dataVersion });
  const rows = Number(last.rowCount);
  const dataVersion = await incrementDataVersion(client, key, { rows, loadedBy: by.subject });
  const data = { schema: key.schema, table: key.table, dataVersion, rows };
  await writeEvents(client, key.team, [{ event: tableLoaded, ...by, data }]);
  return succeed({ rows, dataVersion, kept: others.length });
};

/** As the definition says it. */
const isReadable = (column: LoadColumn, columns: ReadonlyMap<string, DatabaseColumn>): boolean => {
  const was = columns.get(column.id);
  return was !== undefined && changeFault(column, was).length === 0 && (column.nullable || !was.nullable);
};

const nothingKept = fail(
  'GENERAL_CONFLICT',
  'There is no generation before the one in place: an undo goes back as far as LOAD_HISTORY keeps, and once for each load.',
);

const doesNotFit = (column: string): Result<never> =>
  fail(
    'GENERAL_CONFLICT',
    `The generation before does not have the column "${column}" as the definition of the table says it; load the rows again.`,
  );
