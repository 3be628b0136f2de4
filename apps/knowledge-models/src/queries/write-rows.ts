/**
 * Rows of texts -> the JSON text of plain objects, a key of the column before each value, commas between rows.
 * Refuses: brackets around them; whoever writes the answer sets these.
 */
import type { ResultColumn } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import { encoderFor, type EncodeValue } from './encode-value.js';

/** What of a column decides how its values are written. */
export type WrittenColumn = Pick<ResultColumn, 'id' | 'type' | 'exact'>;

export type WriteRow = (row: TextRow) => string;

export const rowWriter = (columns: readonly WrittenColumn[]): WriteRow => {
  const keys = columns.map(({ id }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(id)}:`);
  const encoders: readonly EncodeValue[] = columns.map(({ type, exact }) => encoderFor(type, exact));
  return (row) => {
    let text = '';
    for (let index = 0; index < encoders.length; index++) {
      const value = row[index];
      const encode = encoders[index];
      text += keys[index];
      text += value === null || value === undefined || !encode ? 'null' : encode(value);
    }
    return `${text}}`;
  };
};

const pieceLength = 60_000;

/** Gathers rows into pieces of about 60 KB. */
export class RowPieces {
  #text = '';
  #isFirst = true;

  constructor(private readonly write: WriteRow) {}

  /** The piece that is full with this row, if one is. */
  add(row: TextRow): Buffer | undefined {
    this.#text += this.#isFirst ? this.write(row) : `,${this.write(row)}`;
    this.#isFirst = false;
    return this.#text.length >= pieceLength ? this.rest() : undefined;
  }

  rest(): Buffer {
    const piece = Buffer.from(this.#text);
    this.#text = '';
    return piece;
  }
}

/** All rows as one piece. */
export const wholeRows = (rows: readonly TextRow[], write: WriteRow): Buffer => {
  let text = '';
  for (const row of rows) text += text === '' ? write(row) : `,${write(row)}`;
  return Buffer.from(text);
};
