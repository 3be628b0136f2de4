/**
 * Makes the table of a generation in ClickHouse: PostgreSQL is asked for the size of its values, its rows go from COPY into an insert,
 * and what ClickHouse then counts has to be what PostgreSQL counted. Nothing is left behind that is not whole.
 */
import { clickhouseStorage, type StoredColumns } from '@tessera/knowledge-model';
import type { ClickhouseConnection, StatementOptions } from './clickhouse.repository.js';
import { copyRows } from './columnar.repository.js';
import { checkCounts, measureGeneration } from './measure-generation.js';
import type { MakingSource } from './stored-generations.js';

/** Of the counts of one table. */
const countsCharactersMax = 1024 * 1024;

/** Undefined when another load came between. Rejects with the error of pg, `ClickhouseFailure` or `MakingFailure`. */
export const makeGenerationTable = async (
  name: string,
  { rows, columns, isInPlace }: MakingSource,
  connection: ClickhouseConnection,
  options: StatementOptions,
): Promise<StoredColumns | undefined> => {
  const stored = await measureGeneration(rows, columns, clickhouseStorage, options.signal);
  const drop = `drop table if exists ${name}`;
  // What a replica left that ended while it made this one.
  await connection.execute(drop, options);
  try {
    const types = stored.types.map(({ stored: column, type }) => `${column} ${type}`);
    // The engine is the default one of the server, MergeTree unless it is set otherwise.
    await connection.execute(`create table ${name} (${types.join(', ')}) order by tuple()`, options);
    if (stored.rows > 0) await connection.insert(name, copyRows(rows, stored.cells, options), options);
    await countAll(name, stored, connection, options);
    if (await isInPlace()) return stored;
  } catch (error) {
    // Of a server that does not answer the next making, or the next start, drops it.
    await connection.execute(drop, { signal: never, timeoutMs: dropTimeoutMs }).catch(() => undefined);
    throw error;
  }
  await connection.execute(drop, options);
  return undefined;
};

const dropTimeoutMs = 3_000;
/** A service that stops takes away what it has begun. */
const never = new AbortController().signal;

const countAll = async (
  name: string,
  stored: StoredColumns,
  connection: ClickhouseConnection,
  options: StatementOptions,
): Promise<void> => {
  const cells = ['count()', ...stored.counted.keys()].map((cell) => `cast(${cell} as Nullable(String))`);
  const text = `select ${cells.join(', ')} from ${name}`;
  const [counts] = await connection.select(text, [], { ...options, charactersMax: countsCharactersMax });
  const [rows, ...others] = counts ?? [];
  checkCounts(stored, { rows: rows ?? '', counts: others });
};
