/** Tables in a list: found by a text, sorted by a column, and named in addresses. */
import type { AnswerFor } from '../../../api/operations.js';

export type ListedTable = AnswerFor<'listTables'>['tables'][number];
export type TableName = { readonly schema: string; readonly id: string };

/** As people write it, and as addresses have it: `p2p.po_item`. */
export const fullNameOf = ({ schema, id }: TableName): string => `${schema}.${id}`;

/** By name, id or a column; capitals do not count. */
export const findTables = (tables: readonly ListedTable[], text: string): readonly ListedTable[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return tables;
  return tables.filter((table) =>
    [fullNameOf(table), table.name, ...table.columns.map(({ id }) => id)].some((name) =>
      name.toLowerCase().includes(wanted),
    ),
  );
};

export const tableSorts = ['table', 'rows', 'loaded'] as const;
export type TableSort = (typeof tableSorts)[number];

const compare: Readonly<Record<TableSort, (one: ListedTable, other: ListedTable) => number>> = {
  table: (one, other) => (fullNameOf(one) < fullNameOf(other) ? -1 : 1),
  rows: (one, other) => one.rows - other.rows,
  // What was never loaded comes before all that was.
  loaded: (one, other) => (one.loadedAt ?? '').localeCompare(other.loadedAt ?? ''),
};

export const sortTables = (
  tables: readonly ListedTable[],
  by: TableSort,
  direction: 'ascending' | 'descending',
): readonly ListedTable[] => {
  const sorted = tables.toSorted(compare[by]);
  return direction === 'ascending' ? sorted : sorted.toReversed();
};

/** `member:robert.novak` -> `robert.novak`; of keys their kind stays. */
export const subjectOf = (subject: string): string => subject.replace(/^member:/, '');
