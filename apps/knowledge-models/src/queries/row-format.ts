/**
 * How the rows of a page become bytes, whole or in pieces: what is written of each, what stands between two, where the page
 * ends and what is remembered of its last row. What stands around the rows is set by whoever writes the answer.
 */
import { createHash, type Hash } from 'node:crypto';
import type { ResultColumn } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import { cachedDigestOf, type PageEnd, type SerializedRows } from '../cache/result-cache.js';
import { encoderFor, type EncodeValue } from './encode-value.js';

type WriteRow = (row: TextRow) => string;

export type RowFormat = {
  /** The same for formats that make the same bytes of the same rows. */
  readonly key: string;
  /** Made when there are rows to be written. */
  readonly writer: () => WriteRow;
  /** Stands between two rows. */
  readonly separator: string;
  /** Values of a row, written or not. */
  readonly width: number;
  /** So many rows are written; one behind them only tells that there are more. */
  readonly rowsMax: number;
  /** Places of the values that are remembered of the last row written. */
  readonly remembered: readonly number[];
  /** Of rows that are kept as evidence. */
  readonly evidence?: EvidenceFormat;
};

/** `canonical`: writes a row in canonical form; absent when that is what the format writes. */
export type EvidenceFormat = {
  readonly canonical?: () => WriteRow;
  /** Places of the KPIs. */
  readonly figures: readonly number[];
};

/** What of a column decides how its values are written. */
type WrittenColumn = Pick<ResultColumn, 'id' | 'type' | 'exact'>;

/** JSON objects with a key of the column before each value; `order`: places of the columns, when it is not theirs. */
export const createJsonObjectFormat = (
  columns: readonly WrittenColumn[],
  rowsMax: number,
  order?: readonly number[],
): RowFormat => ({
  key: `${cachedDigestOf(columns, () => columns.map(({ id, type, exact }) => [id, type, exact]))} ${rowsMax} ${order?.join() ?? ''}`,
  writer: () => objectWriter(columns, order ?? [...columns.keys()]),
  separator: ',',
  width: columns.length,
  rowsMax,
  remembered: [],
});

/** The same rows, of which also the digest is told; `columns` and `order` are those of the canonical form. */
export const withEvidence = (
  format: RowFormat,
  columns: readonly (WrittenColumn & Pick<ResultColumn, 'aggregation'>)[],
  { order, isCanonical }: { readonly order?: readonly number[] | undefined; readonly isCanonical: boolean },
): RowFormat => {
  const places = order ?? [...columns.keys()];
  const canonical = (): WriteRow => objectWriter(columns, places);
  const figures = places.filter((place) => columns[place]?.aggregation);
  return { ...format, key: `${format.key} evidence`, evidence: { ...(!isCanonical && { canonical }), figures } };
};

type WrittenMember = { readonly key: string; readonly place: number; readonly encode: EncodeValue };

const objectWriter = (columns: readonly WrittenColumn[], order: readonly number[]): WriteRow => {
  const members = order.flatMap((place, index): readonly WrittenMember[] => {
    const column = columns[place];
    if (!column) return [];
    const key = `${index === 0 ? '{' : ','}${JSON.stringify(column.id)}:`;
    return [{ key, place, encode: encoderFor(column.type, column.exact) }];
  });
  return (row) => {
    let text = '';
    for (const { key, place, encode } of members) {
      const value = row[place];
      text += key;
      text += value === null || value === undefined ? 'null' : encode(value);
    }
    return `${text}}`;
  };
};

const pieceLength = 60_000;
/** Between rows in canonical form. */
const canonicalSeparator = ',';

/** Gathers rows into pieces of about 60 KB. */
export class RowChunker {
  readonly #write: WriteRow;
  readonly #canonical: WriteRow | undefined;
  readonly #hash: Hash | undefined;
  #text = '';
  #count = 0;
  #hasMore = false;
  #last: TextRow = [];

  constructor(private readonly format: RowFormat) {
    this.#write = format.writer();
    this.#canonical = format.evidence?.canonical?.();
    this.#hash = format.evidence && createHash('sha256');
  }

  /** The piece that is full with this row, if one is. */
  add(row: TextRow): Buffer | undefined {
    if (this.#count === this.format.rowsMax) {
      this.#hasMore = true;
      return undefined;
    }
    if (this.#canonical) this.#hash?.update((this.#count === 0 ? '' : canonicalSeparator) + this.#canonical(row));
    this.#text += this.#count === 0 ? this.#write(row) : this.format.separator + this.#write(row);
    this.#count++;
    this.#last = row;
    return this.#text.length >= pieceLength ? this.rest() : undefined;
  }

  rest(): Buffer {
    const piece = Buffer.from(this.#text);
    this.#text = '';
    if (!this.#canonical) this.#hash?.update(piece);
    return piece;
  }

  /** After the rest. */
  end(): PageEnd {
    const valuesAt = (places: readonly number[]): TextRow => places.map((place) => this.#last[place] ?? null);
    const { remembered, evidence } = this.format;
    const end = { count: this.#count, hasMore: this.#hasMore, last: valuesAt(remembered) };
    if (!evidence || !this.#hash) return end;
    const figures = this.#count === 1 ? valuesAt(evidence.figures) : [];
    return { ...end, evidence: { rowsDigest: this.#hash.copy().digest(), figures } };
  }
}

/** A page without rows, of which nothing was read. */
export const emptyRows: SerializedRows = { kind: 'rows', bytes: new Uint8Array(), count: 0, hasMore: false, last: [] };

/** All rows as one piece. */
export const serializeRows = (rows: readonly TextRow[], format: RowFormat): SerializedRows => {
  const pieces = new RowChunker(format);
  const written = rows.flatMap((row) => pieces.add(row) ?? []);
  return { kind: 'rows', bytes: Buffer.concat([...written, pieces.rest()]), ...pieces.end() };
};
