/** Loads and their batches, in a transaction of the team. The rows that they load are read and written by generation.ts. */
import { LoadMode, LoadStatus, TableDefinition, type LoadFault } from '@tessera/contracts/knowledge-models';
import { LoadBatch, TableLoad, TeamTable } from '@tessera/persistence/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import { In, type EntityManager } from 'typeorm';
import { z } from 'zod';

export type TableKey = { readonly team: string; readonly schema: string; readonly table: string };
export type LoadKey = TableKey & { readonly loadId: string };

/** Given at the beginning; the table's definition may be another one since. */
const loadOptions = z.object({
  format: z.enum(['csv', 'jsonl']),
  /** In the order of the values of a line. */
  columns: z.array(z.string()),
  delimiter: z.string(),
  null: z.string(),
  mode: LoadMode,
  definition: TableDefinition,
  /** Rows that the table must have afterwards; half of those before when absent. */
  rowsMin: z.number().optional(),
});
export type LoadOptions = z.output<typeof loadOptions>;

const loadRow = z.object({
  options: loadOptions,
  state: LoadStatus.shape.state,
  dataVersion: z.coerce.number().nullable(),
  rowCount: z.coerce.number().nullable(),
  appendedVersion: z.string().nullable(),
  appendedRows: z.coerce.number().nullable(),
  faults: LoadStatus.shape.faults.nullable(),
  orphans: LoadStatus.shape.orphans.nullable(),
});
export type LoadRow = z.output<typeof loadRow>;

export const whereTable = ({ team, schema, table }: TableKey) => ({ tenant: team, schemaName: schema, tableId: table });
export const whereLoad = ({ team, loadId }: LoadKey) => ({ tenant: team, loadId });

type FoundTable = { readonly definition: TableDefinition; readonly dataVersion: string; readonly rows: number };

/** Undefined: the team has no such table. */
export const findTable = async (manager: EntityManager, key: TableKey): Promise<FoundTable | undefined> => {
  const found = await manager.findOneBy(TeamTable, whereTable(key));
  if (!found) return undefined;
  const { definition, dataVersion, rowCount } = found;
  return { definition: TableDefinition.parse(definition), dataVersion, rows: Number(rowCount) };
};

/** `schema.table` of all that the team has. */
export const readTableNames = async (manager: EntityManager, team: string): Promise<readonly string[]> =>
  (await manager.findBy(TeamTable, { tenant: team }))
    .map(({ schemaName, tableId }) => `${schemaName}.${tableId}`)
    .sort();

export type PhysicalSchema = { readonly physical: string; readonly role: string };

/** Makes the schema and the role when they are not there. */
export const ensureTeamSchema = async (
  client: PoolClient,
  { team, schema }: Omit<TableKey, 'table'>,
): Promise<PhysicalSchema> => {
  const { rows } = await client.query<PhysicalSchema>(
    'select physical_name as physical, role_name as role from knowledge_models.open_team_schema($1, $2)',
    [team, schema],
  );
  const [place] = rows;
  if (!place) throw new Error('open_team_schema came back without its row.');
  return place;
};

/** Answers the id of the load. */
export const insertLoad = async (
  manager: EntityManager,
  key: TableKey,
  options: LoadOptions,
  createdBy: string,
): Promise<string> => {
  const { identifiers } = await manager.insert(TableLoad, { ...whereTable(key), options, createdBy });
  return z.uuid().parse(identifiers[0]?.['loadId']);
};

const lockModes = { share: 'pessimistic_read', update: 'pessimistic_write' } as const;

/**
 * `share`: nobody ends the load before this transaction does; `update`: nobody adds a batch to it, either, and those that are
 * on their way have arrived.
 */
export const findLoad = async (
  manager: EntityManager,
  key: LoadKey,
  lock?: keyof typeof lockModes,
): Promise<LoadRow | undefined> => {
  const found = await manager.findOne(TableLoad, {
    where: { ...whereTable(key), loadId: key.loadId },
    ...(lock && { lock: { mode: lockModes[lock] } }),
  });
  return found ? loadRow.parse(found) : undefined;
};

/** Whether the batch is new. One that another transaction adds at this moment is waited for. */
export const insertBatch = async (
  client: PoolClient,
  { team, loadId }: LoadKey,
  ordinal: number,
  rowCount: number,
): Promise<boolean> => {
  const inserted = await client.query(
    `insert into knowledge_models.load_batch (tenant, load_id, ordinal, row_count)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [team, loadId, ordinal, rowCount],
  );
  return inserted.rowCount === 1;
};

export const readBatchRowCount = async (manager: EntityManager, key: LoadKey, ordinal: number): Promise<number> =>
  Number((await manager.findOneBy(LoadBatch, { ...whereLoad(key), ordinal }))?.rowCount ?? 0);

type Batches = { readonly count: number; readonly rows: number; readonly ordinalMax: number };

/** `ordinalMax` is -1 when there is none. */
export const countBatches = async (client: PoolClient, { team, loadId }: LoadKey): Promise<Batches> => {
  const { rows } = await client.query<Record<keyof Batches, string>>(
    `select count(*) as count, coalesce(sum(row_count), 0) as rows, coalesce(max(ordinal), -1) as "ordinalMax"
     from knowledge_models.load_batch where tenant = $1 and load_id = $2`,
    [team, loadId],
  );
  const [row] = rows;
  return { count: Number(row?.count), rows: Number(row?.rows), ordinalMax: Number(row?.ordinalMax) };
};

/** The first of 0 to `batches` - 1 that are not there. */
export const findMissingOrdinals = async (
  client: PoolClient,
  { team, loadId }: LoadKey,
  { batches, atMost }: { readonly batches: number; readonly atMost: number },
): Promise<readonly number[]> => {
  const { rows } = await client.query<{ ordinal: number }>(
    `with there as (
       select ordinal from knowledge_models.load_batch where tenant = $1 and load_id = $2)
     select place.ordinal from generate_series(0, least($3::int - 1, (select count(*) from there)::int + $4::int)) as place (ordinal)
     where place.ordinal not in (select ordinal from there) order by place.ordinal limit $4`,
    [team, loadId, batches, atMost],
  );
  return rows.map(({ ordinal }) => ordinal);
};

/** False when it has ended already. */
export const rejectLoad = async (
  manager: EntityManager,
  key: LoadKey,
  faults: readonly LoadFault[],
): Promise<boolean> => {
  const open = { ...whereLoad(key), state: In(['loading', 'committing']) };
  const { affected } = await manager.update(TableLoad, open, { state: 'refused', faults, rowCount: '0' });
  return affected === 1;
};

/** Answers the new data version. */
export const incrementDataVersion = async (
  client: PoolClient,
  { team, schema, table }: TableKey,
  { rows: rowCount, loadedBy }: { readonly rows: number; readonly loadedBy: string },
): Promise<number> => {
  const { rows } = await client.query<{ version: string }>(
    `update knowledge_models.team_table set data_version = data_version + 1, row_count = $4, loaded_at = now(),
       loaded_by = $5
     where tenant = $1 and schema_name = $2 and table_id = $3 returning data_version as version`,
    [team, schema, table, rowCount, loadedBy],
  );
  const [row] = rows;
  if (!row) throw new Error(`The table ${schema}.${table} has no definition any more.`);
  return Number(row.version);
};

/** Without a load: its rows are the same, their columns are not. */
export const raiseDataVersion = async (client: PoolClient, { team, schema, table }: TableKey): Promise<void> => {
  await client.query(
    `update knowledge_models.team_table set data_version = data_version + 1
     where tenant = $1 and schema_name = $2 and table_id = $3`,
    [team, schema, table],
  );
};

/** Of all teams, by the one function that may look at them; the oldest first. */
export const findOldLoads = async (
  client: PoolClient,
  olderThanHours: number,
  atMost: number,
): Promise<readonly LoadKey[]> => {
  const { rows } = await client.query<LoadKey>(
    `select tenant as team, schema_name as schema, table_id as "table", load_id as "loadId"
     from knowledge_models.old_loads(make_interval(hours => $1)) limit $2`,
    [olderThanHours, atMost],
  );
  return rows;
};

/** Only one of all replicas has it, as long as its transaction lasts. */
export const acquireCleanupLock = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('old loads', 1)) as mine`,
  );
  return rows[0]?.mine === true;
};

/** Whether somebody changes the generation of the table; if not, nobody does until the transaction ends. */
export const isTableBusy = async (client: PoolClient, key: TableKey): Promise<boolean> => {
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as mine',
    [tableLockName(key)],
  );
  return rows[0]?.mine !== true;
};

/** What a change of a generation holds, longer than a transaction. */
export const tableLockName = ({ team, schema, table }: TableKey): string => `table ${team} ${schema}.${table}`;
