/** What the beginning of a file says: how it is to be read, its header and its first rows. */
import { detectEncoding as detectUnicode, unpack, type Encoding } from '@tessera/contracts/record-files';
import { detectDelimiter, parseCsv, type CsvRecord, type Delimiter } from './parse-csv.js';

export type ReadSettings = {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
};

export type FileStart = {
  /** Unpacked when they are gzip. */
  readonly bytes: Uint8Array;
  /** The file goes on behind them. */
  readonly isCut: boolean;
};

export type CsvPreview = {
  /** Undefined when the file has none. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly CsvRecord[];
  /** Values of the first record. */
  readonly width: number;
};

const startBytesMax = 256 * 1024;
const recordsMax = 200;

const chunkBytes = 512 * 1024;

/** A file in pieces, each read when it is asked for. */
export async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += chunkBytes)
    yield new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
}

export const readStart = async (file: Blob): Promise<FileStart> => {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of unpack(chunksOf(file))) {
    pieces.push(new Uint8Array(piece));
    length += piece.length;
    if (length > startBytesMax) break;
  }
  const bytes = new Uint8Array(await new Blob(pieces).slice(0, startBytesMax).arrayBuffer());
  return { bytes, isCut: length > startBytesMax };
};

/** What cannot be read as UTF-8 is taken for what spreadsheets in the west of Europe write. */
const detectEncoding = ({ bytes }: FileStart): Encoding => {
  const encoding = detectUnicode(bytes);
  try {
    // The last character may be cut.
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return encoding;
  } catch {
    return 'windows-1252';
  }
};

const textOf = ({ bytes }: FileStart, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

export const detectSettings = (start: FileStart): ReadSettings => {
  const encoding = detectEncoding(start);
  return { encoding, delimiter: detectDelimiter(textOf(start, encoding), start.isCut), hasHeader: true };
};

export const previewOf = (start: FileStart, { encoding, delimiter, hasHeader }: ReadSettings): CsvPreview => {
  const records = parseCsv(textOf(start, encoding), { delimiter, isCut: start.isCut, recordsMax });
  const [first] = records;
  if (!hasHeader || first === undefined) return { header: undefined, rows: records, width: first?.values.length ?? 0 };
  // A delimiter at the end of the line names nothing.
  const header = first.values.slice(0, first.values.findLastIndex((title) => title.trim() !== '') + 1);
  return { header, rows: records.slice(1), width: header.length };
};
