/** The rows of a table; loaded when the first table is shown, since it is a sixth of all code. */
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
import type { ReactNode } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import { Skeleton } from './skeleton.js';
import { heightOfRows, rowHeight, type Column, type TableProps } from './table.js';
import styles from './table.module.css';

type Head = Omit<Column<never>, 'render'>;

/** The same object as long as its entry and the columns are the same. */
export type TableItem = { readonly id: string; readonly cellOf: (columnIndex: number) => ReactNode };

export type TableGridProps = Pick<TableProps<never>, 'label' | 'sort' | 'onSort' | 'onOpen' | 'more'> & {
  readonly columns: readonly Head[];
  readonly items: readonly TableItem[];
};

/** Rows and columns are of one collection: a row may be called as a column is. */
const rowMark = 'row:';
const columnWidthMin = 96;

export const TableGrid = ({ label, columns, items, sort, onSort, onOpen, more }: TableGridProps) => {
  const say = useMessages(uiMessages);
  const height = heightOfRows(items.length + (more === undefined ? 0 : 1));
  return (
    <ResizableTableContainer className={styles['container'] ?? ''} style={{ height }}>
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
            <Collection items={items} dependencies={[columns, onOpen === undefined]}>
              {({ id, cellOf }) => (
                <AriaRow
                  id={`${rowMark}${id}`}
                  columns={columns}
                  className={classNames(styles['row'], onOpen !== undefined && styles['opens'])}
                >
                  {(column) => (
                    <Cell className={classNames(styles['cell'], column.align === 'end' && styles['end'])}>
                      <span className={styles['content']}>{cellOf(columns.indexOf(column))}</span>
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

const Heading = ({ column, isFirst }: { readonly column: Head; readonly isFirst: boolean }) => (
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
