/** A table of any length: only the rows that are seen are there. Sorted by its columns, moved in by arrow keys. */
import type { ReactNode } from 'react';
import {
  Cell,
  Collection,
  Column as AriaColumn,
  ResizableTableContainer,
  Row as AriaRow,
  Table as AriaTable,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  Virtualizer,
} from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { classNames } from './class-names.js';
import { EmptyState } from './empty-state.js';
import { Icon } from './icon.js';
import { Skeleton } from './skeleton.js';
import styles from './table.module.css';

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

/** Rows and columns are of one collection: a row may be called as a column is. */
const rowMark = 'row:';
const rowHeight = 36;
const rowsShownMax = 18;
const columnWidthMin = 96;

export const Table = <Entry extends object>(props: TableProps<Entry>) => {
  const { label, columns, rows, idOf, sort, onSort, onOpen, more, empty } = props;
  const say = useMessages(uiMessages);
  if (rows.length === 0 && more?.isLoading !== true) return empty ?? <EmptyState title={say('noEntries')} />;
  const rowsShown = Math.min(rows.length + (more === undefined ? 0 : 1), rowsShownMax);
  return (
    <ResizableTableContainer className={styles['container'] ?? ''} style={{ height: (rowsShown + 1) * rowHeight + 2 }}>
      <Virtualizer
        layout={TableLayout}
        layoutOptions={{ rowHeight, headingHeight: rowHeight, loaderHeight: rowHeight }}
      >
        <AriaTable
          aria-label={label}
          className={styles['table'] ?? ''}
          sortDescriptor={sort}
          onSortChange={({ column, direction }) => onSort?.({ column: String(column), direction })}
          onRowAction={onOpen && ((key) => onOpen(String(key).slice(rowMark.length)))}
        >
          <TableHeader columns={columns}>
            {(column) => <Heading column={column} isFirst={column === columns[0]} />}
          </TableHeader>
          <TableBody>
            <Collection items={rows} dependencies={[columns, onOpen === undefined]}>
              {(entry) => (
                <AriaRow
                  id={`${rowMark}${idOf(entry)}`}
                  columns={columns}
                  className={classNames(styles['row'], onOpen !== undefined && styles['opens'])}
                >
                  {(column) => (
                    <Cell className={classNames(styles['cell'], column.align === 'end' && styles['end'])}>
                      <span className={styles['content']}>{column.render(entry)}</span>
                    </Cell>
                  )}
                </AriaRow>
              )}
            </Collection>
            {more !== undefined && (
              <TableLoadMoreItem
                isLoading={more.isLoading}
                onLoadMore={more.load}
                className={styles['more']}
                // Rows of a grid have no level.
                render={(props) => <div {...props} aria-level={undefined} />}
              >
                <Skeleton label={say('loading')} />
              </TableLoadMoreItem>
            )}
          </TableBody>
        </AriaTable>
      </Virtualizer>
    </ResizableTableContainer>
  );
};

const Heading = <Entry,>({ column, isFirst }: { readonly column: Column<Entry>; readonly isFirst: boolean }) => (
  <AriaColumn
    id={column.id}
    isRowHeader={isFirst}
    allowsSorting={column.isSortable}
    width={column.width ?? '1fr'}
    minWidth={column.minWidth ?? columnWidthMin}
    textValue={column.title}
    className={classNames(styles['heading'], column.align === 'end' && styles['end'])}
  >
    {({ sortDirection }) => (
      <>
        <bdi className={styles['content']}>{column.title}</bdi>
        {sortDirection !== undefined && <Icon name={sortDirection === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
      </>
    )}
  </AriaColumn>
);
