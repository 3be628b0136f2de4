/** A table of any length: only the rows that are seen are there. Sorted by its columns, moved in by arrow keys. */
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { EmptyState } from './empty-state.js';
import { Skeleton } from './skeleton.js';
import type { TableItem } from './table-grid.js';

export type Column<Entry> = {
  readonly id: string;
  readonly title: string;
  readonly render: (entry: Entry) => ReactNode;
  readonly isSortable?: boolean;
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** Pixels, or a share of what is left (`2fr`); `1fr` when left out. */
  readonly width?: number | `${number}fr`;
  /** Pixels; what is wider together than there is room is moved. */
  readonly minWidth?: number;
};

export type Sort = { readonly column: string; readonly direction: 'ascending' | 'descending' };

export type TableProps<Entry extends object> = {
  /** What the rows are; read aloud. */
  readonly label: string;
  /** The first one names the row. Keep the list as it is between renders (`useMemo`): another one draws all rows again. */
  readonly columns: readonly Column<Entry>[];
  /** Those that have not changed should be the same objects. */
  readonly rows: readonly Entry[];
  readonly idOf: (entry: Entry) => string;
  readonly sort?: Sort;
  /** The page sorts, or asks the server to. */
  readonly onSort?: (sort: Sort) => void;
  /** A click or the enter key on a row. */
  readonly onOpen?: (id: string) => void;
  /** There are more rows; `load` is called when the end comes into sight. */
  readonly more?: { readonly isLoading: boolean; readonly load: () => void };
  /** In place of no rows: an EmptyState that says what to do. */
  readonly empty?: ReactNode;
};

const TableGrid = lazy(async () => ({ default: (await import('./table-grid.js')).TableGrid }));

/** Pixels. */
export const rowHeight = 36;
const rowsShownMax = 18;

/** With the heading, as far as they are shown at once; pixels. */
export const heightOfRows = (count: number): number => (Math.min(count, rowsShownMax) + 1) * rowHeight + 2;

export const Table = <Entry extends object>({ columns, rows, idOf, empty, ...grid }: TableProps<Entry>) => {
  const say = useMessages(uiMessages);
  const items = useItems(columns, rows, idOf);
  if (rows.length === 0 && grid.more?.isLoading !== true) return empty ?? <EmptyState title={say('noEntries')} />;
  const waiting = (
    <div style={{ height: heightOfRows(rows.length) }}>
      <Skeleton lines={Math.min(rows.length + 1, 8)} />
    </div>
  );
  return (
    <Suspense fallback={waiting}>
      <TableGrid columns={columns} items={items} {...grid} />
    </Suspense>
  );
};

const useItems = <Entry extends object>(
  columns: readonly Column<Entry>[],
  rows: readonly Entry[],
  idOf: (entry: Entry) => string,
): readonly TableItem[] => {
  const known = useMemo(() => ({ columns, items: new WeakMap<Entry, TableItem>() }), [columns]);
  return rows.map((entry) => {
    const item = known.items.get(entry) ?? {
      id: idOf(entry),
      cellOf: (index) => known.columns[index]?.render(entry),
    };
    known.items.set(entry, item);
    return item;
  });
};
