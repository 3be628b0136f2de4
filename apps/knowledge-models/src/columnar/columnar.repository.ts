/** What is read of a team's tables to store them by columns: which generations there are, the size of their values, their rows. */
import {
  acquireConnectionFairly,
  copyAsTeam,
  readAsTenant,
  readTeamRowsInBatches,
  type Pool,
} from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import { makingSettings } from '../database/makings.repository.js';

export type Generation = {
  readonly schema: string;
  readonly table: string;
  readonly dataVersion: string;
  readonly rows: number;
  /** Seconds since 1970 with all their digits; null for one that no load has made. */
  readonly loadedAt: string | null;
  /** What the definition of the table says; null when it says nothing. */
  readonly columnar: boolean | null;
};

const generationsText = `
  select schema_name as schema, table_id as "table", data_version::text as "dataVersion", row_count::float8 as rows,
    extract(epoch from loaded_at)::text as "loadedAt", (definition ->> 'columnar')::boolean as columnar
  from knowledge_models.team_table where tenant = $1 and data_version > 0`;

/** Of all tables of the team, as they are at this moment. */
export const readGenerations = (pool: Pool, team: string): Promise<readonly Generation[]> =>
  readAsTenant<Generation>(pool, team, { name: 'columnar_generations', text: generationsText, values: [team] });

/** A table of a team, as PostgreSQL knows it. */
export type ReadableTable = {
  readonly pool: Pool;
  readonly team: string;
  readonly role: string;
  readonly physical: string;
  readonly table: string;
};

/** Pages of a table, the last one not among them. */
type PageRange = { readonly from: number; readonly before: number };

/** The part that one statement reads, so that its snapshot lasts for some tenths of a second: loads of all tables wait for older ones. */
const measuredPages = 2_048;
/** Their rows, 2 MB in pages, wait here for a reader that is slow, and the snapshot does not. */
const copiedPages = 256;
const waitingBytesMax = 4 * 1024 * 1024;
/** Between two looks whether the table is still the same one. */
const rangesOfLook = 16;

const nameOf = ({ physical, table }: ReadableTable): string => `${quoteIdentifier(physical)}.${quoteIdentifier(table)}`;

const selectText = (table: ReadableTable, cells: readonly string[]): string =>
  `select ${cells.join(', ')} from ${nameOf(table)}`;

const readRow = async (
  { pool, team, role }: ReadableTable,
  text: string,
  values: readonly string[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> => {
  const statement = { team, role, text, values: [...values], settings: makingSettings };
  const { first } = await readTeamRowsInBatches(pool, statement, signal);
  return first[0] ?? [];
};

const readExtent = async (table: ReadableTable, signal: AbortSignal) => {
  const text = `select $1::regclass::oid::text, (pg_relation_size($1::regclass) / current_setting('block_size')::bigint)::text`;
  const [oid, pages] = await readRow(table, text, [nameOf(table)], signal);
  return { oid, pages: Number(pages) };
};

/** All pages, at least one range. A generation never changes; one that is not there any more is an error. */
const rangesOf = async function* (table: ReadableTable, pages: number, signal: AbortSignal): AsyncGenerator<PageRange> {
  const extent = await readExtent(table, signal);
  let [from, ranges] = [0, 0];
  do {
    yield { from, before: from + pages };
    from += pages;
    ranges += 1;
    if (ranges % rangesOfLook === 0 && (await readExtent(table, signal)).oid !== extent.oid)
      throw new Error(`Another generation of ${table.table} is in place.`);
  } while (from < extent.pages);
};

/** The part that one look at the sizes of values reads. */
export const measuredRanges = (table: ReadableTable, signal: AbortSignal): AsyncGenerator<PageRange> =>
  rangesOf(table, measuredPages, signal);

/** The one row of aggregates, of these pages or of all. Rejects with the error of pg. */
export const readAggregates = (
  table: ReadableTable,
  cells: readonly string[],
  signal: AbortSignal,
  range?: PageRange,
): Promise<readonly (string | null)[]> => {
  if (!range) return readRow(table, selectText(table, cells), [], signal);
  const text = `${selectText(table, cells)} where ctid >= $1::tid and ctid < $2::tid`;
  return readRow(table, text, [`(${range.from},0)`, `(${range.before},0)`], signal);
};

/** All rows as the CSV of COPY. Rejects with the error of pg. */
export const copyRows = async function* (
  table: ReadableTable,
  cells: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, undefined> {
  const { pool, team, role } = table;
  for await (const { from, before } of rangesOf(table, copiedPages, signal)) {
    const text = `${selectText(table, cells)} where ctid >= '(${from},0)' and ctid < '(${before},0)'`;
    const statement = { team, role, text, values: [], settings: makingSettings, timeoutMs, waitingBytesMax };
    yield* await copyAsTeam(pool, statement, signal);
  }
};

/** How soon PostgreSQL notices that this machine has gone without a word. */
const keepaliveText = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Of no team: a team that reads its rows in its turn has its whole share of the connections. */
const turnKey = 'columnar turn';

/**
 * What `work` answers, which no other replica does at the same time under this name; undefined when one is at it. The turn is a
 * lock of PostgreSQL that ends with its connection, so with a replica that dies. Rejects with the error of pg or of `work`.
 */
export const runInColumnarTurn = async <T>(
  pool: Pool,
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const { client, release } = await acquireConnectionFairly(pool, turnKey, signal);
  let isMine = false;
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 1)) as mine',
      [`columnar ${name}`],
    );
    isMine = rows[0]?.mine === true;
    if (!isMine) return undefined;
    await client.query(keepaliveText);
    return await work();
  } finally {
    // PostgreSQL notices the end of a connection a moment later.
    if (isMine) await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    release(isMine ? new Error('The settings of the turn end with its connection.') : undefined);
  }
};
