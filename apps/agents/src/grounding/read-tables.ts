/** Tables of Markdown in a text: the head of the column and the label of the row of each place in them. */
export type TablePlace = {
  /** Of the table in the text, from 0. */
  readonly table: number;
  readonly column: number;
  readonly head: string;
  /** The first cell of the row. */
  readonly label: string;
  readonly isBody: boolean;
};

type Row = {
  readonly start: number;
  readonly text: string;
  readonly table: number;
  readonly heads: readonly string[];
  readonly label: string;
  /** Where each stroke is in the row. */
  readonly strokes: readonly number[];
  readonly isBody: boolean;
};

const rowShape = /^[ \t]*\|.*\|[ \t]*$/;
const ruleShape = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** What answers a place of the text: where it is in a table. */
export const readTables = (text: string): ((place: number) => TablePlace | undefined) => {
  if (!text.includes('|')) return () => undefined;
  const rows = rowsOf(text);
  return (place) => {
    const row = rows[countUpTo(rows, place, ({ start }) => start) - 1];
    if (!row || place > row.start + row.text.length) return undefined;
    const column = countUpTo(row.strokes, place - row.start - 1, (stroke) => stroke) - 1;
    return { table: row.table, column, head: row.heads[column] ?? '', label: row.label, isBody: row.isBody };
  };
};

/** How many of them, which are in order, begin at a place or before. */
const countUpTo = <T>(each: readonly T[], place: number, startOf: (one: T) => number): number => {
  let [low, high] = [0, each.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = each[middle];
    if (one !== undefined && startOf(one) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** How many rows each table has under its head. */
export const countTableRows = (text: string): readonly number[] =>
  [
    ...Map.groupBy(
      rowsOf(text).filter(({ isBody }) => isBody),
      ({ table }) => table,
    ).values(),
  ].map(({ length }) => length);

const rowsOf = (text: string): readonly Row[] => {
  const rows: Row[] = [];
  let [start, table, isIn] = [0, -1, false];
  let heads: readonly string[] = [];
  let isBody = false;
  for (const line of text.split('\n')) {
    if (rowShape.test(line)) {
      if (!isIn) [table, heads, isBody] = [table + 1, cellsOf(line), false];
      isIn = true;
      if (ruleShape.test(line)) isBody = true;
      else rows.push({ start, text: line, table, heads: isBody ? heads : [], isBody, ...readRow(line) });
    } else isIn = false;
    start += line.length + 1;
  }
  return rows;
};

const readRow = (line: string): Pick<Row, 'label' | 'strokes'> => ({
  label: cellsOf(line)[0] ?? '',
  strokes: [...line.matchAll(/\|/g)].map(({ index }) => index),
});

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
