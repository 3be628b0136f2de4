import { useMemo } from 'react';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { SearchField } from '../../../ui/field.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Table, type Column, type Sort } from '../../../ui/table.js';
import { useTypedText } from '../../../ui/use-typed-text.js';
import { CallFault } from '../../faults/call-fault.js';
import { CellText } from '../cell-text.js';
import styles from '../data.module.css';
import {
  findTables,
  fullNameOf,
  sortTables,
  subjectOf,
  tableSorts,
  type ListedTable,
  type TableSort,
} from './find-tables.js';
import { useTables } from './use-tables.js';

export type TablesListProps = {
  readonly find: string;
  readonly sort: TableSort;
  readonly direction: Sort['direction'];
  readonly onFind: (text: string) => void;
  readonly onSort: (sort: TableSort, direction: Sort['direction']) => void;
  readonly onOpen: (table: { readonly schema: string; readonly id: string }) => void;
};

export const TablesList = ({ find, sort, direction, onFind, onSort, onOpen }: TablesListProps) => {
  const say = useMessages(dataMessages);
  const [typed, type] = useTypedText(find, onFind);
  const { tables, error, refetch } = useTables();
  const columns = useTableColumns();
  const shown = useMemo(
    () => sortTables(findTables(tables ?? [], find), sort, direction),
    [tables, find, sort, direction],
  );
  if (error !== undefined) return <CallFault error={error} onRetry={() => void refetch()} />;
  if (tables === undefined) return <Skeleton lines={8} />;
  if (tables.length === 0) return <EmptyState title={say('noTables')}>{say('noTablesText')}</EmptyState>;
  const open = (name: string): void => {
    const table = tables.find((each) => fullNameOf(each) === name);
    if (table !== undefined) onOpen(table);
  };
  const changeSort = ({ column, direction: wanted }: Sort): void => {
    const by = tableSorts.find((each) => each === column);
    if (by !== undefined) onSort(by, wanted);
  };
  return (
    <div className={styles['stack']}>
      <SearchField label={say('findTable')} value={typed} onChange={type} />
      <Table
        label={say('tables')}
        columns={columns}
        rows={shown}
        idOf={fullNameOf}
        sort={{ column: sort, direction }}
        onSort={changeSort}
        onOpen={open}
        empty={<EmptyState title={say('nothingFound')}>{say('nothingFoundText')}</EmptyState>}
      />
    </div>
  );
};

const useTableColumns = (): readonly Column<ListedTable>[] => {
  const say = useMessages(dataMessages);
  const { number, dateTime } = useFormats();
  return useMemo(
    () => [
      {
        id: 'table',
        title: say('table'),
        isSortable: true,
        width: '2fr',
        render: (table) => <CellText text={fullNameOf(table)} />,
      },
      { id: 'name', title: say('name'), width: '2fr', render: ({ name }) => <CellText text={name} /> },
      {
        id: 'rows',
        title: say('rowCount'),
        align: 'end',
        isSortable: true,
        width: 130,
        render: ({ rows }) => number(rows),
      },
      {
        id: 'generation',
        title: say('generation'),
        align: 'end',
        width: 120,
        render: (table) => number(table.dataVersion),
      },
      {
        id: 'loaded',
        title: say('loaded'),
        isSortable: true,
        width: 200,
        render: ({ loadedAt }) => (loadedAt === undefined ? say('never') : dateTime(loadedAt)),
      },
      { id: 'by', title: say('loadedBy'), render: ({ loadedBy = '' }) => <CellText text={subjectOf(loadedBy)} /> },
      {
        id: 'columns',
        title: say('columns'),
        align: 'end',
        width: 110,
        render: ({ columns }) => number(columns.length),
      },
    ],
    [say, number, dateTime],
  );
};
