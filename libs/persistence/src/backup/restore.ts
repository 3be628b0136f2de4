/**
 * Restores a backup of a team, or of everything, into a database that does not have it, in one transaction.
 * Rows come in an order in which their references hold, and every constraint is checked: an archive is trusted no more than a
 * caller. The tenant of a row is the team of its part, whatever the row says.
 */
import { isDeepStrictEqual } from 'node:util';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ownerRoles } from '../owner-roles.js';
import { BackupFault } from './backup-fault.js';
import {
  createIndexSql,
  createTableSql,
  quoteTable,
  readGenerationShape,
  type PhysicalTable,
} from './generation-shape.js';
import { readBackupTables, qualifiedTableName, findTeamsInTables, type BackupTable } from './kept-tables.js';
import { runInMaintenanceTransaction, readMigrationsBySchema, type MigrationsBySchema } from './maintenance-session.js';
import { describePart, type Generation, type Manifest, type ArchivePart } from './manifest.js';
import { openArchive, type ArchivePiece, type ArchiveTotals } from './read-archive.js';
import { countLines, createValuePrepender } from './row-text.js';
import type { ProgressListener } from './write-archive.js';

/** A file that was read to its end, and what is in it. */
export type CheckedArchive = ArchiveTotals & { readonly file: string; readonly manifest: Manifest };

/** Without a database. */
export const checkArchive = async (
  file: string,
  progress: ProgressListener,
  stopping: AbortSignal,
): Promise<CheckedArchive> => {
  const { manifest, pieces } = await openArchive(file);
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return { file, manifest, ...value };
    progress(countLines(value.bytes), value.bytes.length);
    if (stopping.aborted) await pieces.return({ rows: 0, rowBytes: 0 });
    stopping.throwIfAborted();
  }
};

export type RestoreOptions = {
  /** Of the role that migrates. */
  readonly url: string;
  readonly progress: ProgressListener;
  readonly stopping: AbortSignal;
};

/** Nothing begins before the archive is known to be whole; it is judged again as it is read again. */
export const restoreArchive = async (
  { file }: CheckedArchive,
  { url, progress, stopping }: RestoreOptions,
): Promise<void> => {
  try {
    await runInMaintenanceTransaction(url, 'write', stopping, (client) => restoreIn(client, file, progress));
  } catch (error) {
    const fault =
      error instanceof pg.DatabaseError ? databaseFaults.find(({ state }) => error.code?.startsWith(state)) : undefined;
    throw fault && error instanceof Error ? new BackupFault(`${fault.words}: ${error.message}`) : error;
  }
};

/** What PostgreSQL has against rows and tables, by SQLSTATE or its class. */
const databaseFaults: readonly { readonly state: string; readonly words: string }[] = [
  { state: '22', words: 'a value of the archive does not fit' },
  { state: '23', words: 'the rows of the archive do not fit the database' },
  { state: '42P07', words: 'a table or an index of the team is there already' },
];

const restoreIn = async (client: pg.Client, file: string, progress: ProgressListener): Promise<void> => {
  const { manifest, pieces } = await openArchive(file);
  try {
    checkMigrations(manifest, await readMigrationsBySchema(client));
    const tables = await readBackupTables(client);
    checkTables(manifest, tables);
    await checkTeamsAreAbsent(client, manifest, tables);
    await client.query('set constraints all deferred');
    const places = await openGenerations(client, manifest);
    await copyPieces(client, pieces, places, progress);
    for (const [generation, { place, role }] of places) await finishGeneration(client, generation, place, role);
    for (const { schema, name } of tables) await client.query(`analyze ${quoteTable({ physical: schema, name })}`);
  } finally {
    await pieces.return({ rows: 0, rowBytes: 0 });
  }
};

/** The schema may have grown since; then what came is empty, as after the upgrade of a database with these rows. */
const checkMigrations = ({ migrations, product }: Manifest, run: MigrationsBySchema): void => {
  for (const [schema, names] of Object.entries(migrations)) {
    const there = run.get(schema);
    const missing = names.find((name) => !there?.some((migration) => migration.name === name));
    if (missing !== undefined)
      throw new BackupFault(
        `the database does not have the migration ${missing} of the backup; run tessera migrate of version ${product} or a later one on it first`,
      );
  }
  for (const [schema, there] of run) {
    const other = there.find(({ name, expands }) => !expands && migrations[schema]?.includes(name) !== true);
    if (other)
      throw new BackupFault(
        `the database has the migration ${other.name}, which changes what the backup of version ${product} has; restore with that version into a database that it migrated, then run tessera migrate of this one`,
      );
  }
};

const checkTables = (manifest: Manifest, tables: readonly BackupTable[]): void => {
  const there = new Map(tables.map((table) => [qualifiedTableName(table), table]));
  for (const table of manifest.tables) {
    const columns = there.get(qualifiedTableName(table))?.columns;
    if (!columns) throw new BackupFault(`the archive has rows of ${qualifiedTableName(table)}, which no backup keeps`);
    const unknownColumn = table.columns.find((column) => !columns.includes(column));
    if (unknownColumn !== undefined)
      throw new BackupFault(
        `the archive has a column ${unknownColumn} of ${qualifiedTableName(table)}, which the database does not have`,
      );
  }
  const teams = new Set(manifest.teams);
  for (const { team, schema } of manifest.schemas)
    if (!teams.has(team))
      throw new BackupFault(`the archive has a schema ${schema} of the team "${team}", of which it is no backup`);
  const schemas = new Set(manifest.schemas.map(({ team, schema }) => JSON.stringify([team, schema])));
  for (const { team, schema, table } of manifest.generations)
    if (!schemas.has(JSON.stringify([team, schema])))
      throw new BackupFault(`the archive has a table ${schema}.${table} of the team "${team}" without its schema`);
};

const checkTeamsAreAbsent = async (
  client: pg.Client,
  { scope, teams }: Manifest,
  tables: readonly BackupTable[],
): Promise<void> => {
  const there = await findTeamsInTables(client, tables, scope === 'all' ? undefined : teams);
  if (there.length === 0) return;
  const named = there.slice(0, 10).join(', ');
  throw new BackupFault(
    scope === 'team'
      ? `the database has the team ${named} already; restore it into a database that does not have it`
      : `the database has teams already (${named}); everything is restored into a database that is migrated and has none: run tessera migrate on it without ADMIN_KEY`,
  );
};

type Place = { readonly place: PhysicalTable; readonly role: string };

/** Schemas, roles and empty tables, as the service would make them, of the same owner. */
const openGenerations = async (
  client: pg.Client,
  { schemas, generations }: Manifest,
): Promise<ReadonlyMap<Generation, Place>> => {
  const places = new Map<Generation, Place>();
  for (const { team, schema } of schemas) {
    await client.query(`select pg_catalog.set_config('app.tenant', $1, true)`, [team]);
    const { rows } = await client.query<{ physical_name: string; role_name: string }>(
      'select physical_name, role_name from knowledge_models.open_team_schema($1, $2)',
      [team, schema],
    );
    const [opened] = rows;
    if (!opened) throw new Error('open_team_schema came back without its row.');
    for (const generation of generations)
      if (generation.team === team && generation.schema === schema) {
        const place = { physical: opened.physical_name, name: generation.table };
        await asTableOwner(client, () => client.query(createTableSql(place, generation.shape)));
        places.set(generation, { place, role: opened.role_name });
      }
  }
  return places;
};

const asTableOwner = async (client: pg.Client, work: () => Promise<unknown>): Promise<void> => {
  await client.query(`set local role ${ownerRoles.teamTables}`);
  await work();
  await client.query('reset role');
};

/** The rows know the planner's statistics before anybody asks for them. */
const finishGeneration = async (
  client: pg.Client,
  { shape, table }: Generation,
  place: PhysicalTable,
  role: string,
): Promise<void> => {
  await asTableOwner(client, async () => {
    for (const index of shape.indexes) await client.query(createIndexSql(place, index));
    await client.query(`grant select on ${quoteTable(place)} to ${pg.escapeIdentifier(role)}`);
    await client.query(`analyze ${quoteTable(place)}`);
  });
  if (!isDeepStrictEqual(await readGenerationShape(client, place), shape))
    throw new BackupFault(`the table ${table} did not become what the archive says`);
};

type Pieces = AsyncGenerator<ArchivePiece, ArchiveTotals>;

/** One COPY for each part; the last step of the reader is its judgement of the whole. */
const copyPieces = async (
  client: pg.Client,
  pieces: Pieces,
  places: ReadonlyMap<Generation, Place>,
  progress: ProgressListener,
): Promise<void> => {
  let next = await pieces.next();
  while (next.done !== true) {
    const { number, part } = next.value;
    const withTeam = part.kind === 'rows' ? createValuePrepender(part.team) : (bytes: Buffer) => bytes;
    let lines = 0;
    const rows = async function* (): AsyncGenerator<Buffer> {
      while (next.done !== true && next.value.number === number) {
        const { bytes } = next.value;
        lines += countLines(bytes);
        yield withTeam(bytes);
        progress(countLines(bytes), bytes.length);
        next = await pieces.next();
      }
    };
    const copy = client.query(copyFrom(copyText(part, places)));
    await pipeline(Readable.from(rows(), { objectMode: false }), copy);
    if (copy.rowCount !== lines)
      throw new BackupFault(
        `${describePart(part)} has ${lines} lines, of which the database read ${copy.rowCount} rows`,
      );
  }
};

const quotedList = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ');

const copyText = (part: ArchivePart, places: ReadonlyMap<Generation, Place>): string => {
  if (part.kind === 'rows') {
    const { schema, name, columns } = part.table;
    return `copy ${quoteTable({ physical: schema, name })} (${quotedList(['tenant', ...columns])}) from stdin`;
  }
  const found = places.get(part.generation);
  if (!found) throw new Error(`The table ${part.generation.table} was not made.`);
  const columns = part.generation.shape.columns.map(({ name }) => name);
  // Nobody sees the table before the commit, so its rows need not be settled a second time.
  return `copy ${quoteTable(found.place)} (${quotedList(columns)}) from stdin with (freeze true)`;
};
