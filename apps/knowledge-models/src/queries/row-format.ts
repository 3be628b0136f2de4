/**
 * How the rows of a page become bytes: what is written of each, what stands between two, where the page ends and what is
 * remembered of its last row.
 * Refuses: what stands around the rows; whoever writes the answer sets it.
 */
import type { ResultColumn } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import { digestOf } from './digest-of.js';
import { encoderFor, type EncodeValue } from './encode-value.js';

export type WriteRow = (row: TextRow) => string;

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
};

/** What of a column decides how its values are written. */
export type WrittenColumn = Pick<ResultColumn, 'id' | 'type' | 'exact'>;

/** JSON objects with a key of the column before each value; `order`: places of the columns, when it is not theirs. */
export const plainObjects = (
  columns: readonly WrittenColumn[],
  rowsMax: number,
  order?: readonly number[],
): RowFormat => ({
  key: `${digestOf(columns, () => columns.map(({ id, type, exact }) => [id, type, exact]))} ${rowsMax} ${order?.join() ?? ''}`,
  writer: () => objectWriter(columns, order ?? [...columns.keys()]),
  separator: ',',
  width: columns.length,
  rowsMax,
  remembered: [],
});

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
