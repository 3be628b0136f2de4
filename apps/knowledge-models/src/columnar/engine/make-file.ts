/** Makes the file of a generation from the CSV of COPY; in the process of the engine. The caller takes away what a failure leaves. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { generationTable, type EngineOptions, type MadeFile, type MakeCommand } from './engine-messages.js';
import { databaseSettings, quoteText } from './team-databases.js';

/** A line of a load has 950 KB at most, and a quote in a text is written twice. */
const lineBytesMax = 4 * 1024 * 1024;
const ownerMayRead = 0o400;

/** Rejects with what DuckDB or the file system says; `connected` is given the connection, which may be interrupted. */
export const makeFile = async (
  { csv, columns, target, counted }: MakeCommand,
  options: EngineOptions,
  connected: (connection: DuckDBConnection) => void,
): Promise<MadeFile> => {
  const instance = await DuckDBInstance.create(
    target,
    // Questions that come meanwhile have the other processors.
    databaseSettings({ ...options, threads: 1 }, join(options.temporaryFolder, 'making')),
  );
  let counts: Pick<MadeFile, 'rows' | 'counts'>;
  try {
    const connection = await instance.connect();
    connected(connection);
    const names = columns.map(({ stored, type }) => `${quoteText(stored)}: ${quoteText(type)}`).join(', ');
    await connection.run(
      `create table ${generationTable} as select * from read_csv(${quoteText(csv)}, auto_detect = false, parallel = false, header = false,
        delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false,
        max_line_size = ${lineBytesMax}, buffer_size = ${2 * lineBytesMax}, columns = {${names}})`,
    );
    counts = await countRows(connection, counted);
    await connection.run('checkpoint');
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
  await syncFile(target);
  await chmod(target, ownerMayRead);
  return { ...counts, bytes: (await stat(target)).size, digest: await digestOf(target) };
};

const countRows = async (
  connection: DuckDBConnection,
  counted: readonly string[],
): Promise<Pick<MadeFile, 'rows' | 'counts'>> => {
  const cells = ['count(*)', ...counted].map((aggregate) => `cast(${aggregate} as varchar)`);
  const reader = await connection.runAndReadAll(`select ${cells.join(', ')} from ${generationTable}`);
  const [rows, ...counts] = reader.getRows()[0] ?? [];
  return { rows: String(rows), counts: counts.map((count) => (count === null ? null : String(count))) };
};

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

/** SHA-256 of a file, in hexadecimal digits. */
export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
};
