/** The elements of a view that is a list; the next page is loaded when the end comes into sight. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column } from '../../ui/table.js';
import { ContentFault } from './content-fault.js';
import { neutralText, readElements, type ContentElement } from './content-element.js';
import { listQuery, type ViewPlace } from './content-queries.js';
import { ElementName, GapMark } from './element-name.js';
import { definedName, nameOf } from './names.js';
import styles from './processes.module.css';
import { StateBadge } from './states.js';
import { changedOnOf } from './versions.js';
import { useViewpoint } from './viewpoint.js';

export type ElementTableProps = { readonly place: ViewPlace; readonly onElement: (elementId: string) => void };

export const ElementTable = ({ place, onElement }: ElementTableProps) => {
  const say = useMessages(processesMessages);
  const columns = useColumns();
  const list = useInfiniteQuery(listQuery(place));
  const pages = list.data?.pages;
  const rows = useMemo(() => pages?.flatMap(({ elements }) => readElements(elements)) ?? [], [pages]);
  if (list.isPending) return <Skeleton shape="box" lines={3} />;
  if (list.isError && rows.length === 0) return <ContentFault error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <div className={styles['parts']}>
      <Table
        label={say('elements')}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        onOpen={onElement}
        more={
          list.hasNextPage ? { isLoading: list.isFetchingNextPage, load: () => void list.fetchNextPage() } : undefined
        }
        empty={<EmptyState title={say('noElements')}>{say('noElementsDetail')}</EmptyState>}
      />
      {list.isError && <ContentFault error={list.error} onRetry={() => void list.fetchNextPage()} />}
    </div>
  );
};

const useColumns = (): readonly Column<ContentElement>[] => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { culture } = useViewpoint();
  return useMemo(
    () => [
      {
        ...{ id: 'name', title: say('name'), width: 340 },
        render: (element) => (
          <>
            <ElementName element={element} /> {nameOf(element, culture).isGap && <GapMark culture={culture} />}
          </>
        ),
      },
      {
        ...{ id: 'type', title: say('type'), width: '1fr' },
        render: ({ type, typeNames }) => <bdi>{definedName(type, typeNames, culture)}</bdi>,
      },
      { id: 'state', title: say('state'), width: 170, render: ({ state }) => <StateBadge state={state} /> },
      { id: 'version', title: say('version'), width: 96, render: (element) => neutralText(element, 'version') },
      {
        ...{ id: 'changedOn', title: say('changedOn'), width: 180 },
        render: (element) => {
          const changedOn = changedOnOf(element);
          return changedOn === undefined ? '' : dateTime(changedOn);
        },
      },
    ],
    [say, dateTime, culture],
  );
};
