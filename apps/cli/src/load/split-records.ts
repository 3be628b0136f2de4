/**
 * Splits a CSV or JSON Lines file into batches of whole records, each small enough for a request, with the line at
 * which it begins. A CSV record ends at a line break outside quotes; lines are counted as an editor does. Memory holds
 * one batch.
 */
export type RecordFormat = 'csv' | 'jsonl';

export type RecordFilePiece =
  | { readonly kind: 'header'; readonly text: string }
  | { readonly kind: 'batch'; readonly firstLine: number; readonly text: string; readonly bytes: number }
  /** Nothing comes after it. */
  | { readonly kind: 'fault'; readonly line: number; readonly message: string };

/** As JSON, so that a request with a batch stays below what the gateway takes. */
export const maxRowBatchBytes = 700_000;
export const maxRecordBytes = 950_000;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const backslash = 92;

/** What a byte adds to a JSON text beside itself. */
const escapedBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ([8, 9, lineFeed, 12, carriageReturn, quote, backslash].includes(byte)) return 1;
  return byte < 32 ? 5 : 0;
});

/** Where a record ended: a place in the buffer, the size until there, and the line that follows. */
type RecordEnd = { readonly at: number; readonly size: number; readonly line: number };

class Splitter {
  readonly #isCsv: boolean;
  #buffer: Uint8Array = new Uint8Array();
  /** Where the buffer begins. */
  #firstLine = 1;
  #scanned = 0;
  #size = 0;
  #line = 1;
  #openedAt: number | undefined;
  #end: RecordEnd | undefined;
  #wantsHeader: boolean;

  constructor(format: RecordFormat, hasHeader: boolean) {
    this.#isCsv = format === 'csv';
    this.#wantsHeader = hasHeader;
  }

  *take(chunk: Uint8Array, isLast: boolean): Generator<RecordFilePiece> {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    while (this.#scanToEnd(isLast)) {
      const piece = this.#pieceAtEnd();
      if (piece) yield piece;
      if (piece?.kind === 'fault') return;
    }
    if (this.#size - (this.#end?.size ?? 0) > maxRecordBytes) yield this.#tooLong();
    else if (isLast) yield* this.#finish();
  }

  /** Goes on to the end of the next record; false when there is none yet. */
  #scanToEnd(isLast: boolean): boolean {
    const buffer = this.#buffer;
    for (let at = this.#scanned; at < buffer.length; at += 1) {
      const byte = buffer[at] ?? 0;
      const escape = escapedBytes[byte] ?? 0;
      if (escape === 0) continue;
      if (byte === carriageReturn && this.#isCsv && at + 1 === buffer.length && !isLast) {
        // Whether a line feed follows is not known yet.
        this.#advance(at);
        return false;
      }
      this.#size += escape;
      if (byte === quote && this.#isCsv) this.#openedAt = this.#openedAt === undefined ? this.#line : undefined;
      else if (this.#endsLine(byte, buffer[at + 1])) {
        this.#line += 1;
        if (this.#openedAt !== undefined) continue;
        this.#advance(at + 1);
        return true;
      }
    }
    this.#advance(buffer.length);
    return false;
  }

  #advance(to: number): void {
    this.#size += to - this.#scanned;
    this.#scanned = to;
  }

  #endsLine(byte: number, next: number | undefined): boolean {
    return byte === lineFeed || (byte === carriageReturn && this.#isCsv && next !== lineFeed);
  }

  /** The record that was just scanned, and what is due with it. */
  #pieceAtEnd(): RecordFilePiece | undefined {
    const before = this.#end;
    const recordSize = this.#size - (before?.size ?? 0);
    if (recordSize > maxRecordBytes) return this.#tooLong();
    if (this.#wantsHeader) {
      this.#wantsHeader = false;
      const piece = this.#cut({ at: this.#scanned, size: this.#size, line: this.#line });
      return piece.kind === 'batch' ? { kind: 'header', text: piece.text } : piece;
    }
    const piece = before && this.#size > maxRecordBytes ? this.#cut(before) : undefined;
    this.#end = { at: this.#scanned, size: this.#size, line: this.#line };
    return piece ?? (this.#size >= maxRowBatchBytes ? this.#cut(this.#end) : undefined);
  }

  /** A new view of the rest; what was cut off is no longer held once the buffer grows. */
  #cut({ at, size, line }: RecordEnd): RecordFilePiece {
    const piece = decodePiece(this.#buffer.subarray(0, at), this.#firstLine);
    this.#buffer = this.#buffer.subarray(at);
    this.#scanned -= at;
    this.#size -= size;
    this.#firstLine = line;
    this.#end = undefined;
    return piece;
  }

  *#finish(): Generator<RecordFilePiece> {
    if (this.#openedAt !== undefined) {
      yield { kind: 'fault', line: this.#openedAt, message: 'a quote is opened here and never closed' };
      return;
    }
    if (this.#scanned > (this.#end?.at ?? 0)) {
      // The last line has no end.
      this.#buffer = Buffer.concat([this.#buffer, Buffer.of(lineFeed)]);
      this.#advance(this.#buffer.length);
      this.#size += 1;
      this.#line += 1;
      const piece = this.#pieceAtEnd();
      if (piece) yield piece;
      if (piece?.kind === 'fault') return;
    }
    if (this.#end) yield this.#cut(this.#end);
  }

  #tooLong(): RecordFilePiece {
    const line = this.#end?.line ?? this.#firstLine;
    const quoted = this.#openedAt === undefined ? '' : `; a quote is opened in line ${this.#openedAt}, is it closed?`;
    return { kind: 'fault', line, message: `is longer than the ${maxRecordBytes} bytes that a row may have${quoted}` };
  }
}

const byteOrderMark = Buffer.from('\uFEFF');

export const splitRecords = async function* (
  stream: AsyncIterable<Uint8Array>,
  format: RecordFormat,
  hasHeader: boolean,
): AsyncGenerator<RecordFilePiece, undefined> {
  const splitter = new Splitter(format, hasHeader);
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of stream) {
    if (first !== undefined) first = Buffer.concat([first, chunk]);
    if (first !== undefined && first.length < byteOrderMark.length) continue;
    for (const piece of splitter.take(first === undefined ? chunk : withoutMark(first), false)) {
      yield piece;
      if (piece.kind === 'fault') return;
    }
    first = undefined;
  }
  yield* splitter.take(first ?? new Uint8Array(), true);
};

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  byteOrderMark.equals(bytes.subarray(0, byteOrderMark.length)) ? bytes.subarray(byteOrderMark.length) : bytes;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodePiece = (bytes: Uint8Array, firstLine: number): RecordFilePiece => {
  const text = decodeText(bytes);
  if (text !== undefined) return { kind: 'batch', firstLine, text, bytes: bytes.length };
  let line = firstLine;
  for (let at = 0; at < bytes.length; line += 1) {
    const end = bytes.indexOf(lineFeed, at);
    const next = end < 0 ? bytes.length : end + 1;
    if (decodeText(bytes.subarray(at, next)) === undefined) break;
    at = next;
  }
  return { kind: 'fault', line, message: 'is not UTF-8' };
};

const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};
