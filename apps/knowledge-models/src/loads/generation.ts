/**
 * A generation of a table: made beside the one that is read, filled, indexed, and put in its place in a moment. Names and
 * types come from a checked definition. Never readable by a team before it is in place.
 */
import { createHash } from 'node:crypto';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { type DatabaseColumn, sqlTypes } from '@tessera/knowledge-model';
import { ownerRoles, type PoolClient } from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { stagingTableMarker } from '../database/columns.repository.js';
import type { LoadColumn } from './load-columns.js';
import { requiredIndexName, type RequiredIndex } from './required-indexes.js';

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** True for the error of a statement that waited for a lock in vain: it may be tried again. */
export const isLockHeld = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && [lockNotAvailable, deadlockDetected].includes(error.code ?? '');

/** A table as PostgreSQL names it. */
export type PhysicalTable = { readonly physical: string; readonly name: string };

const nameBytesMax = 63;
/** Of an id whose last part is random. */
const markCharacters = 12;

const markOf = (loadId: string): string => `${stagingTableMarker}${loadId.slice(-markCharacters)}`;

const markedTable = (physical: string, table: string, mark: string): PhysicalTable => ({
  physical,
  name: `${table.slice(0, nameBytesMax - mark.length)}${mark}`,
});

type LoadName = { readonly table: string; readonly loadId: string };

/** The rows that a load brings. No name of a definition has its mark; two loads have different ones. */
export const stagingTableFor = (
  { physical }: Pick<PhysicalTable, 'physical'>,
  { table, loadId }: LoadName,
): PhysicalTable => markedTable(physical, table, markOf(loadId));

/** The next generation of a load that does not replace all rows: the rows that are there with those that it brings. */
export const mergedTableFor = (
  { physical }: Pick<PhysicalTable, 'physical'>,
  { table, loadId }: LoadName,
): PhysicalTable => markedTable(physical, table, `${markOf(loadId)}${stagingTableMarker}`);

/** A generation that was in place; no load has its mark, whose characters are those of numbers to the base of 16. */
export const keptTableFor = (
  { physical }: Pick<PhysicalTable, 'physical'>,
  table: string,
  dataVersion: string,
): PhysicalTable => {
  const digest = createHash('sha256').update(JSON.stringify([table, dataVersion]));
  return markedTable(physical, table, `${stagingTableMarker}kept${digest.digest('hex').slice(0, markCharacters)}`);
};

/** Names of indexes belong to the schema: one more generation has indexes of its own. */
export const generationIndexName = (table: string, index: RequiredIndex, loadId: string): string =>
  `${requiredIndexName(table, index)}${markOf(loadId)}`;

export const quotedTableName = ({ physical, name }: PhysicalTable): string =>
  `${quoteIdentifier(physical)}.${quoteIdentifier(name)}`;

/** Texts compare by code point, whatever the database was made with. */
export const columnTypes: Readonly<Record<ValueType, string>> = {
  ...sqlTypes,
  string: `${sqlTypes.string} collate pg_c_utf8`,
};

/** What no answer in JSON can say; the checks of batches let none through, and neither does the table. */
const checkByType: Partial<Record<ValueType, (column: string) => string>> = {
  float: (column) => `check (${column} > '-infinity' and ${column} < 'infinity')`,
  date: (column) => `check (isfinite(${column}))`,
  datetime: (column) => `check (isfinite(${column}))`,
  timestamp: (column) => `check (isfinite(${column}))`,
};

const columnText = ({ id, type, nullable }: LoadColumn): string => {
  const name = quoteIdentifier(id);
  return [
    name,
    columnTypes[type],
    ...(nullable ? [] : ['not null']),
    ...(checkByType[type] ? [checkByType[type](name)] : []),
  ].join(' ');
};

/**
 * A table of a role that nobody logs in with, and which the service is a member of. Its rows never change, so nothing has to
 * look after it once it is in place.
 */
export const createTableGeneration = async (
  client: PoolClient,
  table: PhysicalTable,
  columns: readonly LoadColumn[],
): Promise<void> => {
  await client.query(`create table ${quotedTableName(table)} (${columns.map(columnText).join(', ')}) with (autovacuum_enabled = off);
    alter table ${quotedTableName(table)} owner to ${ownerRoles.teamTables}`);
};

export const dropTableGeneration = async (client: PoolClient, table: PhysicalTable): Promise<void> => {
  await client.query(`drop table if exists ${quotedTableName(table)}`);
};

type CopyFormat = { readonly columns: readonly string[]; readonly delimiter: string; readonly null: string };

/** Answers how many rows PostgreSQL found in the text. */
export const copyCsvRows = (
  client: PoolClient,
  table: PhysicalTable,
  csv: string,
  { columns, delimiter, null: nullText }: CopyFormat,
): Promise<number> => {
  const stream = client.query(
    copyFrom(
      `copy ${quotedTableName(table)} (${columns.map(quoteIdentifier).join(', ')}) from stdin with (format csv,
        encoding 'UTF8', delimiter ${pg.escapeLiteral(delimiter)}, null ${pg.escapeLiteral(nullText)})`,
    ),
  );
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', () => resolve(stream.rowCount));
    stream.end(csv);
  });
};

/** What is committed at this moment is visible to every query that begins later than this. */
export const readSnapshotXmax = async (client: PoolClient): Promise<string> => {
  const { rows } = await client.query<{ moment: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as moment',
  );
  return rows[0]?.moment ?? '';
};

/** Whether a query of any team goes on that began before the moment. */
export const hasOlderQueries = async (client: PoolClient, moment: string): Promise<boolean> => {
  const { rows } = await client.query<{ older: boolean }>(
    'select knowledge_models.has_older_queries($1::xid8) as older',
    [moment],
  );
  return rows[0]?.older === true;
};

/**
 * Outside of a transaction. Afterwards the planner knows the rows, and answers come from indexes alone where no query is older
 * than the rows.
 */
export const vacuumTableGeneration = async (client: PoolClient, table: PhysicalTable): Promise<void> => {
  await client.query(`vacuum (freeze, analyze) ${quotedTableName(table)}`);
};

/** Whether every page is known to be visible to all, so that indexes alone answer. */
export const isGenerationSettled = async (client: PoolClient, table: PhysicalTable): Promise<boolean> => {
  const { rows } = await client.query<{ settled: boolean }>(
    'select relallvisible >= relpages as settled from pg_class where oid = $1::regclass',
    [quotedTableName(table)],
  );
  return rows[0]?.settled === true;
};

/** Does nothing when there is an index of that name. */
export const createIndex = async (
  client: PoolClient,
  table: PhysicalTable,
  name: string,
  { columns, include, isUnique, kind }: RequiredIndex,
): Promise<void> => {
  const keys = columns.map(({ id, isNullFirst }) =>
    [quoteIdentifier(id), ...(kind === 'trigram' ? ['gin_trgm_ops'] : isNullFirst ? ['nulls first'] : [])].join(' '),
  );
  await client.query(
    `create ${isUnique ? 'unique ' : ''}index if not exists ${quoteIdentifier(name)} on ${quotedTableName(table)}
      ${kind === 'trigram' ? 'using gin ' : ''}(${keys.join(', ')})
      ${include.length > 0 ? `include (${include.map(quoteIdentifier).join(', ')})` : ''}`,
  );
};

export type ExistingIndex = {
  readonly name: string;
  /** What it can be searched for; empty for an ordered one. */
  readonly trigrams: readonly string[];
};

export const readIndexes = async (client: PoolClient, table: PhysicalTable): Promise<readonly ExistingIndex[]> => {
  const { rows } = await client.query<ExistingIndex>(
    `select c.relname::text as name, array(
        select a.attname::text from pg_attribute a
        where m.amname = 'gin' and a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])) as trigrams
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
       join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = $1 and t.relname = $2`,
    [table.physical, table.name],
  );
  return rows;
};

type Duplicate = { readonly values: readonly (string | null)[]; readonly rows: number };

/** Some of the keys that several rows have. */
export const findDuplicates = async (
  client: PoolClient,
  table: PhysicalTable,
  columns: readonly string[],
  atMost: number,
): Promise<readonly Duplicate[]> => {
  const names = columns.map(quoteIdentifier);
  const { rows } = await client.query<{ values: (string | null)[]; rows: string }>(
    `select array[${names.map((name) => `${name}::text`).join(', ')}] as values, count(*) as rows
     from ${quotedTableName(table)} group by ${names.join(', ')} having count(*) > 1 order by ${names.join(', ')} limit $1`,
    [atMost],
  );
  return rows.map((row) => ({ values: row.values, rows: Number(row.rows) }));
};

type Replacement = {
  readonly name: string;
  readonly role: string;
  /** The new place of the generation that was read; without one it is dropped. */
  readonly kept?: PhysicalTable | undefined;
};

/** In a transaction, which waits for the queries that run and lets those that come wait for it. */
export const replaceGeneration = async (
  client: PoolClient,
  next: PhysicalTable,
  { name, role, kept }: Replacement,
): Promise<void> => {
  const current = quotedTableName({ physical: next.physical, name });
  const reader = quoteIdentifier(role);
  if (kept) {
    await client.query(`alter table ${current} rename to ${quoteIdentifier(kept.name)}`);
    await client.query(`revoke select on ${quotedTableName(kept)} from ${reader}`);
  } else await client.query(`drop table if exists ${current}`);
  await client.query(`grant select on ${quotedTableName(next)} to ${reader}`);
  await client.query(`alter table ${quotedTableName(next)} rename to ${quoteIdentifier(name)}`);
};

/** The columns by name; undefined for a table that is not there. */
export const readGenerationColumns = async (
  client: PoolClient,
  table: PhysicalTable,
): Promise<ReadonlyMap<string, DatabaseColumn> | undefined> => {
  const { rows } = await client.query<DatabaseColumn & { readonly column: string }>(
    `select attname::text as column, format_type(atttypid, null) as type, not attnotnull as nullable
     from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [quotedTableName(table)],
  );
  return rows.length > 0 ? new Map(rows.map(({ column, ...of }) => [column, of])) : undefined;
};
