/**
 * Splits a CSV or JSON Lines file into batches of whole records, each small enough for a request that stages rows, with the line at which it
 * begins. A CSV record ends at a line break outside quotes; lines are counted as an editor does. Memory holds one batch.
 */
import { readText, type Encoding } from './read-text.js';

export type RecordFormat = 'csv' | 'jsonl';

export type RecordBatch = {
  readonly kind: 'batch';
  readonly firstLine: number;
  readonly text: string;
  /** Bytes of the file as it is stored, read since the batch before. */
  readonly bytes: number;
};

/** A fault of the file itself; nothing comes after it. */
export type FileFault = { readonly kind: 'fault'; readonly line: number } & (
  | { readonly fault: 'empty' | 'unclosedQuote' | 'emptyLines' | 'compression' }
  | { readonly fault: 'longRow'; readonly openedAt?: number }
  | { readonly fault: 'encoding'; readonly encoding: Encoding; readonly byte: number; readonly offset: number }
);

export type RecordFilePiece = { readonly kind: 'header'; readonly text: string } | RecordBatch | FileFault;

export type RecordFileOptions = {
  readonly format: RecordFormat;
  readonly hasHeader: boolean;
  readonly delimiter: string;
  /** Detected when absent. */
  readonly encoding?: Encoding | undefined;
};

/** As JSON, so that a request with a batch stays below what the gateway takes. */
export const maxRowBatchBytes = 700_000;
export const maxRecordBytes = 950_000;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const backslash = 92;
const special = new Set([lineFeed, carriageReturn, quote]);

/** The characters that an ASCII character takes in a JSON text. */
const asciiBytes = Uint8Array.from({ length: 128 }, (_, code) => {
  if ([8, 9, lineFeed, 12, carriageReturn, quote, backslash].includes(code)) return 2;
  return code < 32 ? 6 : 1;
});

/** Half of a surrogate pair counts as half of four bytes. */
const jsonBytes = (code: number): number => {
  if (code < 128) return asciiBytes[code] ?? 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
};

/** Where a record ended: a place in the text, the size until there, and the line that follows. */
type RecordEnd = { readonly at: number; readonly size: number; readonly line: number };

const start: RecordEnd = { at: 0, size: 0, line: 1 };

class Splitter {
  readonly #isCsv: boolean;
  readonly #delimiter: string;
  #text = '';
  #firstLine = 1;
  #scanned = 0;
  #size = 0;
  #line = 1;
  #openedAt: number | undefined;
  /** The end of the record before the one that is read. */
  #before = start;
  /** The end of the last record with a value: batches end there, so that lines at the end of the file stay together. */
  #end: RecordEnd | undefined;
  #wantsHeader: boolean;
  /** Where an empty line is a record: files of one column. */
  #isNarrow: boolean | undefined;
  /** Line of the first of many without values, which are not kept. */
  #droppedAt: number | undefined;

  constructor({ format, hasHeader, delimiter }: RecordFileOptions) {
    this.#isCsv = format === 'csv';
    this.#wantsHeader = hasHeader && this.#isCsv;
    this.#delimiter = delimiter;
  }

  get line(): number {
    return this.#line;
  }

  *take(text: string, isLast: boolean): Generator<RecordFilePiece, undefined> {
    this.#text += text;
    while (this.#scanToEnd(isLast)) {
      const piece = this.#pieceAtEnd();
      if (piece) yield piece;
      if (piece?.kind === 'fault') return;
    }
    if (this.#size - this.#before.size > maxRecordBytes) yield this.#longRow();
    else if (isLast) yield* this.#finish();
  }

  /** Goes on to the end of the next record; false when there is none yet. */
  #scanToEnd(isLast: boolean): boolean {
    const text = this.#text;
    for (let at = this.#scanned; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      // A line feed may follow the carriage return in the next piece.
      if (code === carriageReturn && at + 1 === text.length && !isLast) return this.#stopAt(at, false);
      this.#size += jsonBytes(code);
      if (!special.has(code)) continue;
      if (code === quote) {
        if (this.#isCsv) this.#openedAt = this.#openedAt === undefined ? this.#line : undefined;
      } else if (code === lineFeed || text.charCodeAt(at + 1) !== lineFeed) {
        this.#line += 1;
        if (this.#openedAt === undefined) return this.#stopAt(at + 1, true);
      }
    }
    return this.#stopAt(text.length, false);
  }

  #stopAt(at: number, isEnd: boolean): boolean {
    this.#scanned = at;
    return isEnd;
  }

  /** The record that was just scanned, and what is due with it. */
  #pieceAtEnd(): RecordFilePiece | undefined {
    const here = { at: this.#scanned, size: this.#size, line: this.#line };
    if (here.size - this.#before.size > maxRecordBytes) return this.#longRow();
    const isBlank = this.#isBlank(this.#before.at, here.at);
    this.#isNarrow ??= !this.#text.slice(this.#before.at, here.at).includes(this.#delimiter);
    this.#before = here;
    if (this.#wantsHeader) {
      this.#wantsHeader = false;
      return { kind: 'header', text: this.#cut(here).text };
    }
    if (isBlank) return this.#keepBlank(here);
    const blankFrom = this.#end?.line ?? this.#firstLine;
    if (this.#droppedAt !== undefined || here.size - (this.#end?.size ?? 0) > maxRecordBytes)
      return { kind: 'fault', line: this.#droppedAt ?? blankFrom, fault: 'emptyLines' };
    const piece = this.#end && this.#size > maxRecordBytes ? this.#cut(this.#end) : undefined;
    this.#end = { at: this.#scanned, size: this.#size, line: this.#line };
    return piece ?? (this.#size >= maxRowBatchBytes ? this.#cut(this.#end) : undefined);
  }

  #isBlank(from: number, to: number): boolean {
    if (!this.#isCsv || this.#isNarrow !== false) return false;
    for (let at = from; at < to; at += 1) {
      const character = this.#text.charAt(at);
      if (character !== this.#delimiter && !' \t\r\n'.includes(character)) return false;
    }
    return true;
  }

  /** Lines without values go with the batch after them. More of them than a batch holds are all right at the end of a file only. */
  #keepBlank(here: RecordEnd): RecordFilePiece | undefined {
    if (here.size < maxRowBatchBytes) return undefined;
    if (this.#end) return this.#cut(this.#end);
    this.#droppedAt ??= this.#firstLine;
    this.#cut(here);
    return undefined;
  }

  #cut({ at, size, line }: RecordEnd): RecordBatch {
    const piece = { kind: 'batch', firstLine: this.#firstLine, text: this.#text.slice(0, at), bytes: 0 } as const;
    this.#text = this.#text.slice(at);
    this.#scanned -= at;
    this.#size -= size;
    this.#before = { ...this.#before, at: this.#before.at - at, size: this.#before.size - size };
    this.#firstLine = line;
    this.#end = undefined;
    return piece;
  }

  *#finish(): Generator<RecordFilePiece, undefined> {
    if (this.#openedAt !== undefined) {
      yield { kind: 'fault', line: this.#openedAt, fault: 'unclosedQuote' };
      return;
    }
    // The last line may have no end.
    const piece = this.#scanned > this.#before.at ? this.#pieceAtEnd() : undefined;
    if (piece) yield piece;
    if (piece?.kind !== 'fault' && this.#end) yield this.#cut(this.#end);
  }

  #longRow(): FileFault {
    const openedAt = this.#openedAt;
    return { kind: 'fault', line: this.#before.line, fault: 'longRow', ...(openedAt !== undefined && { openedAt }) };
  }
}

export const splitRecords = async function* (
  file: AsyncIterable<Uint8Array>,
  options: RecordFileOptions,
): AsyncGenerator<RecordFilePiece, undefined> {
  const splitter = new Splitter(options);
  let [taken, told, isEmpty] = [0, 0, true];
  const counted = async function* (): AsyncGenerator<Uint8Array, undefined> {
    for await (const chunk of file) {
      taken += chunk.length;
      yield chunk;
    }
  };
  const withBytes = (piece: RecordFilePiece): RecordFilePiece => {
    if (piece.kind !== 'batch') return piece;
    const bytes = taken - told;
    told = taken;
    return { ...piece, bytes };
  };
  for await (const read of readText(counted(), options.encoding)) {
    const { line } = splitter;
    if (read.kind !== 'text') {
      yield read.kind === 'encoding'
        ? { ...read, kind: 'fault', line, fault: read.kind }
        : { kind: 'fault', line, fault: read.kind };
      return;
    }
    isEmpty &&= read.text === '';
    for (const piece of splitter.take(read.text, false)) {
      yield withBytes(piece);
      if (piece.kind === 'fault') return;
    }
  }
  if (isEmpty) yield { kind: 'fault', line: 1, fault: 'empty' };
  else for (const piece of splitter.take('', true)) yield withBytes(piece);
};
