/** What was deleted from a storage, and the way back. Only administrators may see it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { operationQuery, pagedQuery } from '../../../api/queries.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { processesMessages } from '../../../messages/processes/catalogue.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { PageHead } from '../../../ui/page-head.js';
import { Select } from '../../../ui/select.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Table, type Column } from '../../../ui/table.js';
import { TextLink } from '../../../ui/text-link.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMay, useMe } from '../../session/me.js';
import { spelledOut } from '../names.js';
import styles from './bin.module.css';
import { idInBin, personOf, type DeletedEntry, type StorageOfTeam } from './deleted-entry.js';
import { RestoreDialog } from './restore-dialog.js';

export type BinProps = {
  /** `collection/storage`; the first of the team when left out. */
  readonly storage?: string;
  readonly onStorage: (storage: string) => void;
};

export const Bin = (props: BinProps) => {
  const say = useMessages(processesEditingMessages);
  const may = useMay();
  return (
    <>
      <PageHead title={say('bin')} trail={[<AreaLink key="area" />]}>
        {say('binText')}
      </PageHead>
      {may('admin') ? (
        <BinOfTeam {...props} />
      ) : (
        <EmptyState title={say('binNotAllowed')}>{say('binNotAllowedText')}</EmptyState>
      )}
    </>
  );
};

const AreaLink = () => {
  const say = useMessages(processesMessages);
  return <TextLink to="/processes">{say('title')}</TextLink>;
};

const BinOfTeam = ({ storage, onStorage }: BinProps) => {
  const say = useMessages(processesEditingMessages);
  const { team } = useMe();
  const storages = useQuery(operationQuery('listStorages', { team }));
  if (storages.isError) return <CallFault error={storages.error} onRetry={() => void storages.refetch()} />;
  if (storages.isPending) return <Skeleton lines={4} />;
  const options = storages.data.storages.map((each) => ({
    ...{ id: `${each.collection}/${each.storage}`, label: each.title },
    place: { team, collection: each.collection, storage: each.storage },
  }));
  const chosen = options.find(({ id }) => id === storage) ?? options[0];
  if (chosen === undefined) return <EmptyState title={say('noStorage')} />;
  return (
    <div className={styles['bin']}>
      {options.length > 1 && (
        <div className={styles['storage']}>
          <Select label={say('storage')} options={options} selected={chosen.id} onSelect={onStorage} />
        </div>
      )}
      <Deleted key={chosen.id} place={chosen.place} />
    </div>
  );
};

const pageSize = 100;

const Deleted = ({ place }: { readonly place: StorageOfTeam }) => {
  const say = useMessages(processesEditingMessages);
  const columns = useColumns();
  const [opened, setOpened] = useState<string>();
  const bin = useInfiniteQuery(
    pagedQuery('listBin', { ...place, pageSize }, ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, after: next },
    ),
  );
  const rows = useMemo(() => bin.data?.pages.flatMap(({ deleted }) => deleted) ?? [], [bin.data]);
  if (bin.isError) return <CallFault error={bin.error} onRetry={() => void bin.refetch()} />;
  if (bin.isPending) return <Skeleton shape="box" />;
  return (
    <>
      <Table
        label={say('bin')}
        columns={columns}
        rows={rows}
        idOf={idInBin}
        onOpen={setOpened}
        empty={<EmptyState title={say('binEmpty')}>{say('binEmptyText')}</EmptyState>}
        more={bin.hasNextPage ? { isLoading: bin.isFetchingNextPage, load: () => void bin.fetchNextPage() } : undefined}
      />
      <RestoreDialog
        place={place}
        entry={rows.find((entry) => idInBin(entry) === opened)}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
};

const useColumns = (): readonly Column<DeletedEntry>[] => {
  const say = useMessages(processesEditingMessages);
  const { dateTime } = useFormats();
  return useMemo(
    () => [
      { id: 'name', title: say('name'), width: '2fr', render: ({ name }) => <bdi>{name ?? say('nameless')}</bdi> },
      { id: 'version', title: say('version'), width: 96, render: ({ version }) => version ?? '' },
      { id: 'type', title: say('type'), render: ({ type }) => <bdi>{spelledOut(type)}</bdi> },
      { id: 'facet', title: say('facet'), render: ({ facet }) => <bdi>{spelledOut(facet)}</bdi> },
      { id: 'at', title: say('deletedAt'), render: ({ deletedAt }) => dateTime(deletedAt) },
      { id: 'by', title: say('deletedBy'), render: ({ deletedBy }) => <bdi>{personOf(deletedBy)}</bdi> },
    ],
    [say, dateTime],
  );
};
