/** A table: what it holds, since when and by whom, its columns, and the loads into it. */
import { useMemo, useState } from 'react';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Badge } from '../../../ui/badge.js';
import { Card } from '../../../ui/card.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Facts, type Fact } from '../../../ui/facts.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { PageHead } from '../../../ui/page-head.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Table, type Column } from '../../../ui/table.js';
import { Tabs } from '../../../ui/tabs.js';
import { TextLink } from '../../../ui/text-link.js';
import { CallFault } from '../../faults/call-fault.js';
import { CellText } from '../cell-text.js';
import { useMe } from '../../session/me.js';
import { ConfirmedChange } from '../confirmed-change.js';
import type { TableColumn } from '../csv/match-columns.js';
import { DropForLoad } from '../data-page.js';
import styles from '../data.module.css';
import { sizeOf } from '../loads/load-state.js';
import { LoadsList } from '../loads/loads-list.js';
import { fullNameOf, subjectOf, type ListedTable, type TableName } from './find-tables.js';
import { useTables } from './use-tables.js';

const tabIds = ['columns', 'loads'] as const;
export type TableTab = (typeof tabIds)[number];

export type TablePageProps = {
  readonly name: TableName;
  readonly tab: TableTab | undefined;
  readonly onTab: (tab: TableTab) => void;
  readonly onLoad: () => void;
};

export const TablePage = ({ name, ...rest }: TablePageProps) => {
  const say = useMessages(dataMessages);
  const { tables, error, refetch } = useTables();
  const table = tables?.find((each) => fullNameOf(each) === fullNameOf(name));
  const area = (
    <TextLink key="area" to="/data">
      {say('title')}
    </TextLink>
  );
  return (
    <>
      <PageHead title={table?.name ?? fullNameOf(name)} trail={[area]}>
        {table?.description !== undefined && <ForeignText text={table.description} isBlock />}
      </PageHead>
      {error !== undefined && <CallFault error={error} onRetry={() => void refetch()} />}
      {error === undefined && tables === undefined && <Skeleton lines={8} />}
      {tables !== undefined && table === undefined && (
        <EmptyState title={say('noTable')} action={<TextLink to="/data">{say('allTables')}</TextLink>} />
      )}
      {table !== undefined && <TableParts table={table} {...rest} />}
    </>
  );
};

type TablePartsProps = Omit<TablePageProps, 'name'> & { readonly table: ListedTable };

const TableParts = ({ table, tab = 'columns', onTab, onLoad }: TablePartsProps) => {
  const say = useMessages(dataMessages);
  const content = { columns: <Columns table={table} />, loads: <LoadsList table={table} /> };
  return (
    <div className={styles['parts']}>
      <Card title={say('rows')}>
        <Facts facts={useGenerationFacts(table)} />
        <div className={styles['line']}>
          <TableActions key={table.dataVersion} table={table} />
        </div>
      </Card>
      <DropForLoad onLoad={onLoad} />
      <Tabs
        label={say('table')}
        selected={tab}
        onSelect={onTab}
        tabs={tabIds.map((id) => ({ id, label: say(id), content: content[id] }))}
      />
    </div>
  );
};

const TableActions = ({ table }: { readonly table: ListedTable }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const [before] = table.kept;
  // The same undo is not done twice, however often it is sent.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const input = { team, schema: table.schema, table: table.id };
  return (
    <>
      {before !== undefined && (
        <ConfirmedChange
          operation="undoLoad"
          input={{ ...input, idempotencyKey }}
          invalidates={['listTables', 'listLoads']}
          act={say('undo')}
          title={say('undoTitle')}
        >
          <p>{say('undoText', { count: before.rows })}</p>
        </ConfirmedChange>
      )}
      <ConfirmedChange
        operation="deleteTable"
        input={input}
        invalidates={['listTables']}
        act={say('deleteTable')}
        title={say('deleteTitle', { name: fullNameOf(table) })}
      >
        <p>{say('deleteTableText')}</p>
      </ConfirmedChange>
    </>
  );
};

const useGenerationFacts = (table: ListedTable): readonly Fact[] => {
  const say = useMessages(dataMessages);
  const { dateTime, number } = useFormats();
  const { rows, dataVersion, loadedAt, loadedBy, primaryKey, source, bytes, kept } = table;
  return [
    { name: say('table'), value: <ForeignText text={fullNameOf(table)} /> },
    { name: say('rowCount'), value: say('rowsOf', { count: rows }) },
    { name: say('generation'), value: dataVersion === 0 ? say('noGeneration') : number(dataVersion) },
    { name: say('loaded'), value: loadedAt === undefined ? say('never') : dateTime(loadedAt) },
    { name: say('onDisk'), value: number(...sizeOf(bytes)) },
    ...(kept.length === 0
      ? []
      : [{ name: say('keptOnDisk'), value: number(...sizeOf(kept.reduce((sum, each) => sum + each.bytes, 0))) }]),
    ...(loadedBy === undefined ? [] : [{ name: say('loadedBy'), value: <ForeignText text={subjectOf(loadedBy)} /> }]),
    ...(primaryKey === undefined ? [] : [{ name: say('key'), value: <ForeignText text={primaryKey.join(', ')} /> }]),
    ...(source === undefined ? [] : [{ name: say('sourceFile'), value: <ForeignText text={source.file} /> }]),
  ];
};

const idOfColumn = ({ id }: TableColumn): string => id;

const Columns = ({ table }: { readonly table: ListedTable }) => {
  const say = useMessages(dataMessages);
  const columns = useMemo(
    (): readonly Column<TableColumn>[] => [
      { id: 'id', title: say('column'), width: '1fr', render: ({ id }) => <CellText text={id} /> },
      { id: 'type', title: say('type'), width: 160, render: ({ type }) => say(type) },
      {
        id: 'value',
        title: say('needsValue'),
        width: 170,
        render: ({ id, nullable }) => (
          <>
            {table.primaryKey?.includes(id) === true && <Badge tone="accent">{say('key')}</Badge>}{' '}
            {say(nullable ? 'mayBeEmpty' : 'required')}
          </>
        ),
      },
      {
        id: 'description',
        title: say('description'),
        width: '2fr',
        render: ({ description = '' }) => <CellText text={description} />,
      },
    ],
    [say, table.primaryKey],
  );
  return <Table label={say('columns')} columns={columns} rows={table.columns} idOf={idOfColumn} />;
};
