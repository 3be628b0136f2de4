/**
 * Brings the columns of a generation in line with the definition of its table without touching a row: columns that are new come and have
 * no value, those with another name get it. Columns that the definition has lost stay until the next load.
 */
import type { ColumnDefinition, LoadFault, TableDefinition } from '@tessera/contracts/knowledge-models';
import {
  columnsOfTable,
  createdTypes,
  currentColumnName,
  type DatabaseColumn,
  type TableColumns,
} from '@tessera/knowledge-model';
import type { PoolClient } from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import { cancelMakings } from '../database/makings.repository.js';
import { columnTypes, isLockHeld, quotedTableName, readGenerationColumns, type PhysicalTable } from './generation.js';
import { givenColumn, givenSeparator } from './load-columns.js';
import { ensureTeamSchema, isTableBusy, raiseDataVersion, type LoadOptions } from './load.repository.js';

type ColumnChanges = {
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly added: readonly ColumnDefinition[];
};

const columnChangesFor = (columns: TableColumns, definition: Pick<TableDefinition, 'columns'>): ColumnChanges => {
  const missing = definition.columns.filter(({ id }) => !columns.has(id));
  const isRenamed = ({ formerly }: ColumnDefinition): boolean => formerly !== undefined && columns.has(formerly);
  return {
    renamed: missing.filter(isRenamed).map(({ id, formerly = '' }) => ({ from: formerly, to: id })),
    added: missing.filter((column) => !isRenamed(column)),
  };
};

/** True when `fitGeneration` would change nothing. */
export const isFitting = (columns: TableColumns, definition: Pick<TableDefinition, 'columns'>): boolean =>
  definition.columns.every(({ id }) => columns.has(id));

/** The columns as `fitGeneration` leaves them. */
export const fittedColumns = (columns: TableColumns, definition: Pick<TableDefinition, 'columns'>): TableColumns => {
  const { renamed, added } = columnChangesFor(columns, definition);
  const newNames = new Map(renamed.map(({ from, to }) => [from, to]));
  return new Map([
    ...[...columns].map(([name, column]) => [newNames.get(name) ?? name, column] as const),
    ...added.map(({ id, type }) => [id, { type: createdTypes[type], nullable: true }] as const),
  ]);
};

/** In a transaction. Waits for those who read the table, as long as its lock time-out says. */
export const fitGeneration = async (
  client: PoolClient,
  table: PhysicalTable,
  columns: TableColumns,
  definition: Pick<TableDefinition, 'columns'>,
): Promise<void> => {
  const { renamed, added } = columnChangesFor(columns, definition);
  const name = quotedTableName(table);
  for (const { from, to } of renamed)
    await client.query(`alter table ${name} rename column ${quoteIdentifier(from)} to ${quoteIdentifier(to)}`);
  if (added.length === 0) return;
  const actions = added.map(({ id, type }) => `add column ${quoteIdentifier(id)} ${columnTypes[type]}`);
  await client.query(`alter table ${name} ${actions.join(', ')}`);
};

export type FittedLoad = { readonly options: LoadOptions; readonly faults: readonly LoadFault[] };

/** In a transaction: what a load has staged, for a definition that may be another one since the load began. */
export const fitStagedRows = async (
  client: PoolClient,
  staging: PhysicalTable,
  options: LoadOptions,
  definition: TableDefinition,
): Promise<FittedLoad> => {
  const staged = (await readGenerationColumns(client, staging)) ?? new Map<string, DatabaseColumn>();
  const isWhole = options.mode === 'replace' || options.mode === 'append';
  const isStaged = ({ id, formerly = id }: ColumnDefinition): boolean => staged.has(id) || staged.has(formerly);
  const wanted = { columns: isWhole ? definition.columns : definition.columns.filter(isStaged) };
  await fitGeneration(client, staging, staged, wanted);
  const newNames = new Map(columnChangesFor(staged, wanted).renamed.map(({ from, to }) => [from, to]));
  if (staged.has(givenColumn.id)) for (const [from, to] of newNames) await renameGiven(client, staging, from, to);
  const columns = options.columns.map((name) => currentColumnName(definition, name));
  const faults = findMisfits(fittedColumns(staged, wanted), definition, options.mode === 'replace');
  return { options: { ...options, definition, columns }, faults };
};

/** Lines of JSON say which columns they have. */
const renameGiven = async (client: PoolClient, staging: PhysicalTable, from: string, to: string): Promise<void> => {
  const given = quoteIdentifier(givenColumn.id);
  await client.query(
    `update ${quotedTableName(staging)}
     set ${given} = array_to_string(array_replace(string_to_array(${given}, $3), $1, $2), $3) where ${given} is not null`,
    [from, to, givenSeparator],
  );
};

/** A merge finds rows without a value by itself. */
const findMisfits = (rows: TableColumns, definition: TableDefinition, isMerged: boolean): readonly LoadFault[] =>
  [...columnsOfTable(definition)].flatMap(([id, column]) => {
    const has = rows.get(id);
    const isOther = has !== undefined && has.type !== column.type;
    const mayLack = isMerged && has?.nullable !== false && !column.nullable;
    return isOther || mayLack ? [{ column: id, message: isOther ? retypedMessage : missingMessage }] : [];
  });

const retypedMessage = 'has another type since the load began; load again';
const missingMessage = 'always has a value since the load began, and rows of the load may have none; load again';

/** Columns are not changed while the table is loaded, indexed or read for long. */
export class TableBusyError extends Error {
  constructor(readonly table: string) {
    super(`The table ${table} is read or loaded at the moment.`);
  }
}

type FittedGeneration = { readonly definition: TableDefinition; readonly columns: TableColumns };

/**
 * In place, at the end of a transaction that holds the team: who reads these tables waits until it is over. Their data have another
 * version afterwards, since copies and answers that are kept were made of other columns. Rejects with `TableBusyError`.
 */
export const fitGenerationsInPlace = async (
  client: PoolClient,
  team: string,
  generations: readonly FittedGeneration[],
  lockTimeoutMs: number,
): Promise<void> => {
  const tables: (FittedGeneration & { readonly table: PhysicalTable })[] = [];
  for (const generation of generations) {
    const { schema, id } = generation.definition;
    if (await isTableBusy(client, { team, schema, table: id })) throw new TableBusyError(`${schema}.${id}`);
    const { physical } = await ensureTeamSchema(client, { team, schema });
    const table = { physical, name: id };
    await cancelMakings(client, table);
    tables.push({ ...generation, table });
  }
  for (const { table, definition, columns } of tables) {
    const { schema, id } = definition;
    await lockTable(client, table, lockTimeoutMs).catch((error: unknown) => {
      throw isLockHeld(error) ? new TableBusyError(`${schema}.${id}`) : error;
    });
    await fitGeneration(client, table, columns, definition);
    await raiseDataVersion(client, { team, schema, table: id });
  }
};

const lockTable = async (client: PoolClient, table: PhysicalTable, timeoutMs: number): Promise<void> => {
  await client.query(`set local lock_timeout = ${timeoutMs}`);
  await client.query(`lock table ${quotedTableName(table)} in access exclusive mode`);
  await client.query('set local lock_timeout to default');
};
