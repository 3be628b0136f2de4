/** What is read of a team's tables to store them by columns: which generations there are, the size of their values, their rows. */
import {
  acquireConnectionFairly,
  copyAsTeam,
  readAsTenant,
  readTeamRowsInBatches,
  type CsvPieces,
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

/** Rows for files may come slowly: requests have the event loop in between. */
const waitingBytesMax = 256 * 1024;

const selectText = ({ physical, table }: ReadableTable, cells: readonly string[]): string =>
  `select ${cells.join(', ')} from ${quoteIdentifier(physical)}.${quoteIdentifier(table)}`;

/** The one row of aggregates. Rejects with the error of pg. */
export const readAggregates = async (
  table: ReadableTable,
  cells: readonly string[],
  signal: AbortSignal,
): Promise<readonly (string | null)[]> => {
  const { pool, team, role } = table;
  const statement = { team, role, text: selectText(table, cells), values: [], settings: makingSettings };
  const { first } = await readTeamRowsInBatches(pool, statement, signal);
  return first[0] ?? [];
};

/** All rows as the CSV of COPY. Rejects with the error of pg. */
export const copyRows = (
  table: ReadableTable,
  cells: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CsvPieces> => {
  const { pool, team, role } = table;
  const statement = { team, role, text: selectText(table, cells), values: [], settings: makingSettings };
  return copyAsTeam(pool, { ...statement, timeoutMs, waitingBytesMax }, signal);
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
