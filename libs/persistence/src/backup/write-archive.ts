/**
 * Writes an archive: a gzipped tar that only its owner can read and that gets its name when it is complete.
 * Never overwrites a file, and never holds more rows in memory than one entry.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BackupFault } from './backup-fault.js';
import {
  trailerEntryName,
  maxEntryBytes,
  maxJsonEntryBytes,
  manifestEntryName,
  countParts,
  formatPartEntryName,
  partAt,
  type ArchiveTrailer,
  type Manifest,
  type ArchivePart,
} from './manifest.js';
import { countLines, sha256 } from './row-text.js';
import { encodeTar, type TarEntry } from './tar-archive.js';

export type ArchiveSource = {
  readonly manifest: Manifest;
  /** The rows of a part as PostgreSQL copies them out: text, a line each. */
  readonly rowsOf: (part: ArchivePart) => AsyncIterable<Buffer>;
};

export type ProgressListener = (rows: number, bytes: number) => void;

export type ArchiveWriteResult = { readonly rows: number; readonly rowBytes: number; readonly fileBytes: number };

/** Little is gained by more, and it takes two and three times as long. */
const compressionLevel = 3;

export const writeArchive = async (
  file: string,
  source: ArchiveSource,
  progress: ProgressListener,
  stopping: AbortSignal,
): Promise<ArchiveWriteResult> => {
  const partialFile = `${file}.part`;
  if (existsSync(file)) throw new BackupFault(`${file} is there already; nothing is written over it`);
  if (existsSync(partialFile))
    throw new BackupFault(`${partialFile} is there: another backup writes it, or one was cut off; then remove it`);
  let written: Pick<ArchiveWriteResult, 'rows' | 'rowBytes'> = { rows: 0, rowBytes: 0 };
  const count: ProgressListener = (rows, bytes) => {
    written = { rows: written.rows + rows, rowBytes: written.rowBytes + bytes };
    progress(rows, bytes);
  };
  const output = createWriteStream(partialFile, { flags: 'wx', mode: 0o600, flush: true });
  let outputError: Error | undefined;
  output.on('error', (error) => (outputError ??= error));
  let entriesError: unknown;
  async function* entries(): AsyncGenerator<TarEntry> {
    try {
      yield* entriesOf(source, count);
    } catch (error) {
      // The file is told it as well, and has nothing to do with it.
      entriesError = error;
      throw error;
    }
  }
  try {
    await pipeline(
      Readable.from(encodeTar(entries()), { objectMode: false }),
      createGzip({ level: compressionLevel }),
      output,
      { signal: stopping },
    );
    await rename(partialFile, file);
  } catch (error) {
    await rm(partialFile, { force: true });
    throw outputError !== undefined && outputError === error && entriesError !== error
      ? new BackupFault(`${file} cannot be written: ${outputError.message}`)
      : error;
  }
  return { ...written, fileBytes: (await stat(file)).size };
};

async function* entriesOf({ manifest, rowsOf }: ArchiveSource, progress: ProgressListener): AsyncGenerator<TarEntry> {
  const first = jsonEntry(manifestEntryName, manifest);
  yield first;
  const parts: ArchiveTrailer['parts'] = [];
  for (let number = 0; number < countParts(manifest); number += 1) {
    const part = partAt(manifest, number);
    if (!part) throw new Error(`There is no part ${number}.`);
    const digest = createHash('sha256');
    let [rows, bytes, entries] = [0, 0, 0];
    for await (const piece of piecesOf(rowsOf(part))) {
      const lines = countLines(piece);
      digest.update(piece);
      rows += lines;
      bytes += piece.length;
      yield { name: formatPartEntryName(number, entries), bytes: piece };
      entries += 1;
      progress(lines, piece.length);
    }
    if (entries > 0) parts.push({ part: number, rows, bytes, sha256: digest.digest('hex') });
  }
  const ending: ArchiveTrailer = { manifest: sha256(first.bytes), parts };
  yield jsonEntry(trailerEntryName, ending);
}

/** In the size of entries, whatever the size in which they come. */
async function* piecesOf(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of rows)
    for (let start = 0; start < bytes.length;) {
      const piece = bytes.subarray(start, start + maxEntryBytes - size);
      waiting.push(piece);
      start += piece.length;
      size += piece.length;
      if (size < maxEntryBytes) continue;
      yield Buffer.concat(waiting);
      [waiting, size] = [[], 0];
    }
  if (size > 0) yield Buffer.concat(waiting);
}

/** What could not be read back is not written, which shows before the first row. */
const jsonEntry = (name: string, value: unknown): TarEntry => {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  if (bytes.length > maxJsonEntryBytes)
    throw new BackupFault(
      `${name} of the archive has ${bytes.length} bytes, of which ${maxJsonEntryBytes} can be read back; back up teams one by one`,
    );
  return { name, bytes };
};
