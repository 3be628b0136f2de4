/** Backs up a team or everything: one snapshot of the database, taken while the product is in use. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BackupFault } from './backup-fault.js';
import { quoteTable, readGenerationShape, type PhysicalTable } from './generation-shape.js';
import {
  readBackupTables,
  qualifiedTableName,
  teamSchemaTable,
  findTeamsInTables,
  type BackupTable,
} from './kept-tables.js';
import { runInMaintenanceTransaction, readMigrationsBySchema } from './maintenance-session.js';
import { archiveFormat, type Generation, type Manifest, type ArchivePart } from './manifest.js';
import { writeArchive, type ProgressListener, type ArchiveWriteResult } from './write-archive.js';

export type BackupOptions = {
  /** Of the role that migrates. */
  readonly url: string;
  /** Undefined: all. */
  readonly team: string | undefined;
  readonly file: string;
  /** The version that makes it. */
  readonly product: string;
  readonly progress: ProgressListener;
  readonly stopping: AbortSignal;
};

export type BackupResult = ArchiveWriteResult & { readonly teams: readonly string[] };

export const backUp = async (options: BackupOptions): Promise<BackupResult> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runInMaintenanceTransaction(options.url, 'snapshot', options.stopping, (client) =>
        backUpIn(client, options),
      );
    } catch (error) {
      if (!(error instanceof TableReplaced)) throw error;
      if (attempt === attemptsMax)
        throw new BackupFault('tables of teams are replaced again and again; try again later');
    }
  }
};

const attemptsMax = 10;

/** A load put another table in the place of one between the snapshot and the lock; the rows of the old one are gone. */
class TableReplaced extends Error {}

const backUpIn = async (client: pg.Client, options: BackupOptions): Promise<BackupResult> => {
  const migrations = await readMigrationsBySchema(client);
  const tables = await readBackupTables(client);
  const present = await findTeamsInTables(client, tables);
  const teams = options.team === undefined ? present : present.filter((team) => team === options.team);
  if (options.team !== undefined && teams.length === 0) throw unknownTeam(options.team, present);
  const found = await findGenerations(client, teams);
  await client.query('savepoint generations');
  await lockGenerations(client, found);
  const places = new Map<Generation, PhysicalTable>();
  for (const { team, schema, place } of found)
    places.set({ team, schema, table: place.name, shape: await readGenerationShape(client, place) }, place);
  const manifest: Manifest = {
    format: archiveFormat,
    product: options.product,
    createdAt: new Date().toISOString(),
    scope: options.team === undefined ? 'all' : 'team',
    teams: [...teams],
    migrations: Object.fromEntries([...migrations].map(([schema, run]) => [schema, run.map(({ name }) => name)])),
    tables: tables.map(({ schema, name, columns }) => ({ schema, name, columns: [...columns] })),
    schemas: await readSchemas(client, teams),
    generations: [...places.keys()],
  };
  const rowsOf = rowsReader(client, tables, places);
  return { ...(await writeArchive(options.file, { manifest, rowsOf }, options.progress, options.stopping)), teams };
};

const listedTeamsMax = 10;

const unknownTeam = (team: string, present: readonly string[]): BackupFault => {
  const listed = present.slice(0, listedTeamsMax).join(', ');
  const more = present.length > listedTeamsMax ? ` and ${present.length - listedTeamsMax} more` : '';
  return new BackupFault(
    `the database has no team "${team}"; ${present.length === 0 ? 'it has none' : `it has ${listed}${more}`}`,
  );
};

const readSchemas = async (client: pg.Client, teams: readonly string[]): Promise<Manifest['schemas']> => {
  const { rows } = await client.query<Manifest['schemas'][number]>(
    `select tenant as team, schema_name as schema from ${teamSchemaTable} where tenant = any($1) order by 1, 2`,
    [teams],
  );
  return rows;
};

type FoundGeneration = Pick<Generation, 'team' | 'schema'> & { readonly place: PhysicalTable; readonly oid: string };

/** Tables that loads have put in place; those which they still fill have a mark in their names. */
const findGenerations = async (client: pg.Client, teams: readonly string[]): Promise<readonly FoundGeneration[]> => {
  const { rows } = await client.query<Record<'team' | 'schema' | 'physical' | 'name' | 'oid', string>>(
    `select s.tenant as team, s.schema_name as schema, s.physical_name as physical, c.relname as name, c.oid::text as oid
     from ${teamSchemaTable} s join pg_namespace n on n.nspname = s.physical_name
     join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' and position('~' in c.relname) = 0
     where s.tenant = any($1) order by 1, 2, 4`,
    [teams],
  );
  return rows.map(({ team, schema, physical, name, oid }) => ({ team, schema, place: { physical, name }, oid }));
};

const undefinedTable = '42P01';

/** Nobody can put another table in the place of these until the savepoint is left. */
const lockGenerations = async (client: pg.Client, found: readonly FoundGeneration[]): Promise<void> => {
  if (found.length === 0) return;
  const names = found.map(({ place }) => quoteTable(place));
  try {
    await client.query(`lock table ${names.join(', ')} in access share mode`);
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code === undefinedTable ? new TableReplaced() : error;
  }
  const { rows } = await client.query<{ same: boolean }>(
    `select bool_and(to_regclass(name)::oid = oid) as same from unnest($1::text[], $2::oid[]) as found (name, oid)`,
    [names, found.map(({ oid }) => oid)],
  );
  if (rows[0]?.same !== true) throw new TableReplaced();
};

const quotedList = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ');

const rowsReader = (
  client: pg.Client,
  tables: readonly BackupTable[],
  places: ReadonlyMap<Generation, PhysicalTable>,
) => {
  const byName = new Map(tables.map((table) => [qualifiedTableName(table), table]));
  let isLocked = true;
  return async function* (part: ArchivePart): AsyncGenerator<Buffer> {
    // Loads go on as soon as the tables of teams are copied.
    if (isLocked && part.kind === 'rows') {
      await client.query('rollback to savepoint generations');
      isLocked = false;
    }
    yield* client.query(copyTo(copyText(part)));
  };
  function copyText(part: ArchivePart): string {
    if (part.kind === 'generation') {
      const place = places.get(part.generation);
      if (!place) throw new Error(`The table ${part.generation.table} has no place.`);
      const columns = part.generation.shape.columns.map(({ name }) => name);
      return `copy ${quoteTable(place)} (${quotedList(columns)}) to stdout`;
    }
    const table = byName.get(qualifiedTableName(part.table));
    if (!table) throw new Error(`The table ${qualifiedTableName(part.table)} is not kept.`);
    const from = quoteTable({ physical: table.schema, name: table.name });
    const order = table.order.length > 0 ? ` order by ${quotedList(table.order)}` : '';
    return `copy (select ${quotedList(table.columns)} from ${from} where tenant = ${pg.escapeLiteral(part.team)}${order}) to stdout`;
  }
};
