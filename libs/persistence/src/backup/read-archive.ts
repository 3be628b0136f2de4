/**
 * Reads an archive piece by piece and checks it completely: the order of its entries, their contents, and that none is missing
 * or was changed. It cannot tell who made an archive, since archives are not signed.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { types } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { BackupFault } from './backup-fault.js';
import {
  archiveFormat,
  ArchiveTrailer,
  trailerEntryName,
  Manifest,
  manifestEntryName,
  parsePartEntryName,
  describePart,
  partAt,
  maxSizeOfEntry,
  type ArchivePart,
} from './manifest.js';
import { countLines, sha256 } from './row-text.js';
import { decodeTar, type TarEntry } from './tar-archive.js';

/** Some rows of a part; cut anywhere. */
export type ArchivePiece = { readonly number: number; readonly part: ArchivePart; readonly bytes: Buffer };

export type ArchiveReader = {
  readonly manifest: Manifest;
  readonly pieces: AsyncGenerator<ArchivePiece, ArchiveTotals>;
};
export type ArchiveTotals = { readonly rows: number; readonly rowBytes: number };

/** What to close is closed when the pieces are read to their end, or by `pieces.return()`. */
export const openArchive = async (file: string): Promise<ArchiveReader> => {
  const entries = withReadableErrors(decodeTar(unzip(file), maxSizeOfEntry));
  const first = await entries.next();
  if (first.done === true || first.value.name !== manifestEntryName)
    throw new BackupFault(`the archive does not begin with ${manifestEntryName}`);
  const manifest = parseManifest(first.value);
  return { manifest, pieces: piecesOf(manifest, sha256(first.value.bytes), entries) };
};

async function* unzip(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  source.pipe(unzip);
  try {
    for await (const bytes of unzip) yield bytes;
  } finally {
    source.destroy();
    unzip.destroy();
  }
}

const readFaults: Readonly<Record<string, string>> = {
  EISDIR: 'the file is a folder',
  Z_BUF_ERROR: 'the archive is cut off',
  Z_DATA_ERROR: 'the file is no archive of a backup, or it is damaged',
};

/** What reading and zlib have to say of a file that is none. */
async function* withReadableErrors(entries: AsyncGenerator<TarEntry>): AsyncGenerator<TarEntry> {
  try {
    yield* entries;
  } catch (error) {
    const code = types.isNativeError(error) && 'code' in error ? String(error.code) : '';
    const fault = readFaults[code];
    throw fault === undefined ? error : new BackupFault(fault);
  }
}

const parseManifest = (entry: TarEntry): Manifest => {
  const format = parsedJson(entry);
  const isOther =
    typeof format === 'object' && format !== null && 'format' in format && format.format !== archiveFormat;
  if (isOther)
    throw new BackupFault(
      `the archive has the format ${JSON.stringify(format.format)}; this version reads ${archiveFormat}: use the tessera that made it`,
    );
  return parseEntry(entry, Manifest);
};

const parsedJson = ({ name, bytes }: TarEntry): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BackupFault(`${name} of the archive is no JSON`);
  }
};

const parseEntry = <T>(entry: TarEntry, schema: z.ZodType<T>): T => {
  const parsed = schema.safeParse(parsedJson(entry));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupFault(`${entry.name} of the archive says at ${issue?.path.join('.')}: ${issue?.message}`);
};

type PartTally = { readonly number: number; entries: number; rows: number; bytes: number; readonly digest: Hash };

async function* piecesOf(
  manifest: Manifest,
  manifestDigest: string,
  entries: AsyncGenerator<TarEntry>,
): AsyncGenerator<ArchivePiece, ArchiveTotals> {
  const read: ArchiveTrailer['parts'] = [];
  let current: PartTally | undefined;
  const end = (): void => {
    if (current) read.push(digestedPart(current));
    current = undefined;
  };
  for await (const entry of entries) {
    const place = parsePartEntryName(entry.name);
    if (entry.name === trailerEntryName) {
      end();
      checkEnding(parseEntry(entry, ArchiveTrailer), { manifest: manifestDigest, parts: read }, manifest);
      return await totalsAtEnd(entries, read);
    }
    if (!place) throw misplacedEntryFault(entry.name);
    if (current?.number !== place.part) {
      const before: number = current?.number ?? read.at(-1)?.part ?? -1;
      end();
      if (place.part <= before || place.entry !== 0) throw misplacedEntryFault(entry.name);
      current = { number: place.part, entries: 0, rows: 0, bytes: 0, digest: createHash('sha256') };
    }
    const part = partAt(manifest, place.part);
    if (!part || place.entry !== current.entries || entry.bytes.length === 0) throw misplacedEntryFault(entry.name);
    // PostgreSQL takes it for an end of a line where it is the first; it writes none itself.
    if (entry.bytes.includes(13)) throw new BackupFault(`${describePart(part)} has a character that no backup has`);
    current.entries += 1;
    current.rows += countLines(entry.bytes);
    current.bytes += entry.bytes.length;
    current.digest.update(entry.bytes);
    yield { number: place.part, part, bytes: entry.bytes };
  }
  throw new BackupFault(`the archive has no ${trailerEntryName}; it is cut off`);
}

const digestedPart = ({ number, rows, bytes, digest }: PartTally): ArchiveTrailer['parts'][number] => ({
  part: number,
  rows,
  bytes,
  sha256: digest.digest('hex'),
});

const misplacedEntryFault = (name: string): BackupFault =>
  new BackupFault(`the entry ${name} of the archive is out of place`);

const checkEnding = (expected: ArchiveTrailer, found: ArchiveTrailer, manifest: Manifest): void => {
  if (expected.manifest !== found.manifest) throw new BackupFault(`${manifestEntryName} of the archive was changed`);
  const byNumber = new Map(found.parts.map((part) => [part.part, part]));
  for (const { part, rows, bytes, sha256: digest } of expected.parts) {
    const there = byNumber.get(part);
    const of = partAt(manifest, part);
    if (!of) throw new BackupFault(`${trailerEntryName} of the archive tells of a part ${part}, which there is not`);
    if (there?.rows !== rows || there.bytes !== bytes)
      throw new BackupFault(`${describePart(of)} has ${there?.rows ?? 0} rows in the archive; ${rows} were written`);
    if (there.sha256 !== digest) throw new BackupFault(`${describePart(of)} was changed in the archive`);
    byNumber.delete(part);
  }
  for (const number of byNumber.keys()) {
    const of = partAt(manifest, number);
    throw new BackupFault(`${of ? describePart(of) : number} has rows in the archive; none were written`);
  }
};

/** Nothing comes after the end. */
const totalsAtEnd = async (
  entries: AsyncGenerator<TarEntry>,
  read: ArchiveTrailer['parts'],
): Promise<ArchiveTotals> => {
  const further = await entries.next();
  if (further.done !== true) throw misplacedEntryFault(further.value.name);
  const sum = (of: 'rows' | 'bytes'): number => read.reduce((total, part) => total + part[of], 0);
  return { rows: sum('rows'), rowBytes: sum('bytes') };
};
