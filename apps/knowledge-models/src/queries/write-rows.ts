/**
 * Rows of texts -> the bytes of a page in a format, whole or in pieces, and how the page ends.
 * Refuses: rows behind the last of the page.
 */
import type { TextRow } from '@tessera/persistence';
import type { PageEnd, WrittenRows } from '../cache/result-cache.js';
import type { RowFormat, WriteRow } from './row-format.js';

const pieceLength = 60_000;

/** Gathers rows into pieces of about 60 KB. */
export class RowPieces {
  readonly #write: WriteRow;
  #text = '';
  #count = 0;
  #hasMore = false;
  #last: TextRow = [];

  constructor(private readonly format: RowFormat) {
    this.#write = format.writer();
  }

  /** The piece that is full with this row, if one is. */
  add(row: TextRow): Buffer | undefined {
    if (this.#count === this.format.rowsMax) {
      this.#hasMore = true;
      return undefined;
    }
    this.#text += this.#count === 0 ? this.#write(row) : this.format.separator + this.#write(row);
    this.#count++;
    this.#last = row;
    return this.#text.length >= pieceLength ? this.rest() : undefined;
  }

  rest(): Buffer {
    const piece = Buffer.from(this.#text);
    this.#text = '';
    return piece;
  }

  /** After the last row. */
  end(): PageEnd {
    const last = this.format.remembered.map((place) => this.#last[place] ?? null);
    return { count: this.#count, hasMore: this.#hasMore, last };
  }
}

/** A page without rows, of which nothing was read. */
export const noRows: WrittenRows = { kind: 'rows', bytes: new Uint8Array(), count: 0, hasMore: false, last: [] };

/** All rows as one piece. */
export const wholeRows = (rows: readonly TextRow[], format: RowFormat): WrittenRows => {
  const pieces = new RowPieces(format);
  const written = rows.flatMap((row) => pieces.add(row) ?? []);
  return { kind: 'rows', bytes: Buffer.concat([...written, pieces.rest()]), ...pieces.end() };
};
