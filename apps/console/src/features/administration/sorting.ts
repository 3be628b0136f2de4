/** How lists are sorted, and how an address says it: `name`, or `-name` for the last first. */
import type { Sort } from '../../ui/table.js';

/** Undefined for a column that the list does not have. */
export const parseSort = (text: string | undefined, columns: readonly string[]): Sort | undefined => {
  if (text === undefined) return undefined;
  const isDescending = text.startsWith('-');
  const column = isDescending ? text.slice(1) : text;
  return columns.includes(column) ? { column, direction: isDescending ? 'descending' : 'ascending' } : undefined;
};

export const writeSort = ({ column, direction }: Sort): string => (direction === 'descending' ? `-${column}` : column);

type Sortable = string | number | undefined;

const compare = (one: Sortable, other: Sortable): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true });

/** Rows without a value come last, in either direction. Without a sort they stay in their order. */
export const sortRows = <Row>(
  rows: readonly Row[],
  sort: Sort | undefined,
  valueOf: (row: Row, column: string) => Sortable,
): readonly Row[] => {
  if (sort === undefined) return rows;
  const sign = sort.direction === 'descending' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, sort.column), valueOf(other, sort.column)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compare(a, b);
  });
};

/** Whether one of the texts contains what is searched for, whatever its case; an empty search finds everything. */
export const hasText = (search: string, texts: readonly string[]): boolean => {
  const wanted = search.trim().toLocaleLowerCase();
  return texts.some((text) => text.toLocaleLowerCase().includes(wanted));
};
