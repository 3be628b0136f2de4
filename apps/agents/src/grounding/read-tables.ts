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
  readonly isBody: boolean;
};

const rowShape = /^[ \t]*\|.*\|[ \t]*$/;
const ruleShape = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** What answers a place of the text: where it is in a table. */
export const readTables = (text: string): ((place: number) => TablePlace | undefined) => {
  if (!text.includes('|')) return () => undefined;
  const rows = rowsOf(text);
  return (place) => {
    const row = rowBefore(rows, place);
    if (!row || place > row.start + row.text.length) return undefined;
    const column = row.text.slice(0, place - row.start).split('|').length - 2;
    const label = cellsOf(row.text)[0] ?? '';
    return { table: row.table, column, head: row.heads[column] ?? '', label, isBody: row.isBody };
  };
};

const rowBefore = (rows: readonly Row[], place: number): Row | undefined => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
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
      else rows.push({ start, text: line, table, heads: isBody ? heads : [], isBody });
    } else isIn = false;
    start += line.length + 1;
  }
  return rows;
};

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
