/** Questions to the columnar engine as a spec writes them, short. */
import type {
  ColumnarAggregate,
  ColumnarExpression,
  ColumnarGroups,
  ColumnarQuery,
  ColumnarTable,
} from '@tessera/knowledge-model';

/** The stored column of the first source. Throws when it is not stored. */
export const storedColumn = ({ columns }: ColumnarTable, name: string, source = 0): ColumnarExpression => {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new Error(`The column ${name} is not stored.`);
  return { kind: 'column', source, stored: found.stored, type: found.type };
};

export const countRows: ColumnarAggregate = {
  function: 'count',
  distinct: false,
  type: { kind: 'integer', precision: 19 },
};

/** Aggregates of columns by columns. */
export const columnQuestion = (
  table: ColumnarTable,
  by: readonly string[],
  aggregates: readonly ColumnarAggregate[] = [countRows],
): ColumnarQuery => ({
  sources: [{ table: table.key }],
  keys: by.map((name) => storedColumn(table, name)),
  aggregates,
});

/** Rows of an answer, sorted by their texts. */
export const rowsOfGroups = ({ rows, columns }: ColumnarGroups): readonly (readonly (string | null)[])[] =>
  Array.from({ length: rows }, (_, row) => columns.map((cells) => cells[row] ?? null)).sort((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  );
