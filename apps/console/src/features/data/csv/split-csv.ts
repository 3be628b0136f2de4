/**
 * Splits a CSV file into batches of whole records, each small enough for a request, with the line at which it begins. A record ends at a
 * line break outside quotes; lines are counted as an editor does. Memory holds one batch and one chunk.
 */
export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export type CsvBatch = {
  readonly kind: 'batch';
  readonly firstLine: number;
  /** Whole lines, each with its end. */
  readonly text: string;
  /** Of the file, which it stands for. */
  readonly bytes: number;
};
/** What is wrong with the file itself; nothing comes after it. */
export type CsvFault = {
  readonly kind: 'fault';
  readonly line: number;
  readonly fault: 'unclosedQuote' | 'longRow' | 'encoding';
};
export type CsvPiece = CsvBatch | CsvFault;

/** Sizes are those of the text in JSON, so that a request with a batch stays below what the gateway takes. */
export const batchBytesMax = 700_000;
export const recordBytesMax = 950_000;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const backslash = 92;
const shortEscapes: readonly number[] = [8, 9, lineFeed, 12, carriageReturn, quote, backslash];

/** What a byte adds to a JSON text beside itself; 0 is also said of bytes that need not be looked at. */
const addedBytes = (encoding: Encoding): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    if (shortEscapes.includes(byte)) return 1;
    if (byte < 32) return 5;
    return byte >= 128 && encoding !== 'utf-8' ? 2 : 0;
  });

const join = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
};

/** Where a record ended: a place in the bytes, the size until there, and the line that follows. */
type RecordEnd = { readonly at: number; readonly size: number; readonly line: number };

class CsvSplitter {
  readonly #added: Uint8Array;
  readonly #decoder: TextDecoder;
  #bytes: Uint8Array = new Uint8Array();
  #firstLine = 1;
  #scanned = 0;
  #size = 0;
  #line = 1;
  #openedAt: number | undefined;
  #end: RecordEnd | undefined;
  #skipsRecord: boolean;

  constructor(encoding: Encoding, hasHeader: boolean) {
    this.#added = addedBytes(encoding);
    this.#decoder = new TextDecoder(encoding, { fatal: true });
    this.#skipsRecord = hasHeader;
  }

  take(chunk: Uint8Array): Generator<CsvPiece> {
    this.#bytes = this.#bytes.length === 0 ? chunk : join(this.#bytes, chunk);
    return this.#pieces(false);
  }

  finish(): Generator<CsvPiece> {
    const last = this.#bytes.at(-1);
    if (last !== undefined && last !== lineFeed && last !== carriageReturn)
      this.#bytes = join(this.#bytes, Uint8Array.of(lineFeed));
    return this.#pieces(true);
  }

  *#pieces(isLast: boolean): Generator<CsvPiece> {
    while (this.#scanRecord(isLast)) {
      const piece = this.#pieceAtEnd();
      if (piece !== undefined) yield piece;
      if (piece?.kind === 'fault') return;
    }
    if (this.#size - (this.#end?.size ?? 0) > recordBytesMax) yield this.#longRow();
    else if (isLast && this.#openedAt !== undefined)
      yield { kind: 'fault', line: this.#openedAt, fault: 'unclosedQuote' };
    else if (isLast && this.#end !== undefined) yield this.#cut(this.#end);
  }

  /** Goes on to the end of the next record; false when there is none yet. */
  #scanRecord(isLast: boolean): boolean {
    const bytes = this.#bytes;
    for (let at = this.#scanned; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const added = this.#added[byte] ?? 0;
      if (added === 0) continue;
      if (byte === carriageReturn && at + 1 === bytes.length && !isLast) {
        // Whether a line feed follows is not known yet.
        this.#advance(at);
        return false;
      }
      this.#size += added;
      if (byte === quote) this.#openedAt = this.#openedAt === undefined ? this.#line : undefined;
      else if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] !== lineFeed)) {
        this.#line += 1;
        if (this.#openedAt !== undefined) continue;
        this.#advance(at + 1);
        return true;
      }
    }
    this.#advance(bytes.length);
    return false;
  }

  #advance(to: number): void {
    this.#size += to - this.#scanned;
    this.#scanned = to;
  }

  /** The record that was just scanned, and what is due with it. */
  #pieceAtEnd(): CsvPiece | undefined {
    const before = this.#end;
    if (this.#size - (before?.size ?? 0) > recordBytesMax) return this.#longRow();
    const here = { at: this.#scanned, size: this.#size, line: this.#line };
    if (this.#skipsRecord) {
      this.#skipsRecord = false;
      const header = this.#cut(here);
      return header.kind === 'fault' ? header : undefined;
    }
    const piece = before !== undefined && this.#size > recordBytesMax ? this.#cut(before) : undefined;
    this.#end = { at: this.#scanned, size: this.#size, line: this.#line };
    return piece ?? (this.#size >= batchBytesMax ? this.#cut(this.#end) : undefined);
  }

  #cut({ at, size, line }: RecordEnd): CsvPiece {
    const piece = decodeBatch(this.#decoder, this.#bytes.subarray(0, at), this.#firstLine);
    this.#bytes = this.#bytes.subarray(at);
    this.#scanned -= at;
    this.#size -= size;
    this.#firstLine = line;
    this.#end = undefined;
    return piece;
  }

  #longRow(): CsvFault {
    return { kind: 'fault', line: this.#openedAt ?? this.#end?.line ?? this.#firstLine, fault: 'longRow' };
  }
}

const decodeBatch = (decoder: TextDecoder, bytes: Uint8Array, firstLine: number): CsvPiece => {
  const text = decode(decoder, bytes);
  if (text !== undefined) return { kind: 'batch', firstLine, text, bytes: bytes.length };
  let line = firstLine;
  for (let at = 0; at < bytes.length; line += 1) {
    const end = bytes.indexOf(lineFeed, at);
    const next = end < 0 ? bytes.length : end + 1;
    if (decode(decoder, bytes.subarray(at, next)) === undefined) break;
    at = next;
  }
  return { kind: 'fault', line, fault: 'encoding' };
};

const decode = (decoder: TextDecoder, bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

const chunkBytes = 512 * 1024;

/** A file in pieces, each read when it is asked for. */
export async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += chunkBytes)
    yield new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
}

/** With a header, its record is left out. */
export async function* splitCsv(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, hasHeader }: { readonly encoding: Encoding; readonly hasHeader: boolean },
): AsyncGenerator<CsvPiece, undefined> {
  const splitter = new CsvSplitter(encoding, hasHeader);
  for await (const chunk of chunks)
    for (const piece of splitter.take(chunk)) {
      yield piece;
      if (piece.kind === 'fault') return;
    }
  yield* splitter.finish();
}
