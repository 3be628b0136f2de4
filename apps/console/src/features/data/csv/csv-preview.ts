/** What the beginning of a file says: how it is to be read, its header and its first rows. */
import { detectDelimiter, parseCsv, type CsvRecord, type Delimiter } from './parse-csv.js';
import type { Encoding } from './split-csv.js';

export type ReadSettings = {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
};

export type FileStart = {
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

export const readStart = async (file: Blob): Promise<FileStart> => ({
  bytes: new Uint8Array(await file.slice(0, startBytesMax).arrayBuffer()),
  isCut: file.size > startBytesMax,
});

/** What cannot be read as UTF-8 is taken for what spreadsheets in the west of Europe write. */
const detectEncoding = ({ bytes }: FileStart): Encoding => {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
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
  return {
    header: hasHeader ? records[0]?.values : undefined,
    rows: hasHeader ? records.slice(1) : records,
    width: records[0]?.values.length ?? 0,
  };
};
