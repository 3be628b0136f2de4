/** Who changed what in a storage. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery, pagedQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { Column } from '../../ui/table.js';
import { CallFault } from '../faults/call-fault.js';
import { RequestId } from './access-log.js';
import styles from './administration.module.css';
import { chooseStorage, contentLogInput, storagePath } from './audit-filter.js';
import type { AuditProps } from './audit.js';
import { CommonFilters } from './log-filter-fields.js';
import { LogList } from './log-list.js';
import { useTeam } from './team.js';

type ContentChange = AnswerFor<'listChanges'>['changes'][number];
type Storages = AnswerFor<'listStorages'>['storages'];

export const ContentLog = (props: AuditProps) => {
  const say = useMessages(auditMessages);
  const { team } = useTeam();
  const storages = useQuery(operationQuery('listStorages', { team }));
  if (storages.isPending) return <Skeleton shape="box" />;
  if (storages.isError) return <CallFault error={storages.error} onRetry={() => void storages.refetch()} />;
  if (storages.data.storages.length === 0)
    return <EmptyState title={say('noStorage')}>{say('noStorageText')}</EmptyState>;
  return <LogOfStorages {...props} storages={storages.data.storages} />;
};

const LogOfStorages = ({ filter, onFilter, storages }: AuditProps & { readonly storages: Storages }) => {
  const say = useMessages(auditMessages);
  const { team } = useTeam();
  const chosen = chooseStorage(storages, filter.storage);
  const log = useInfiniteQuery({
    ...pagedQuery(
      'listChanges',
      contentLogInput(team, chosen ?? { collection: '', storage: '' }, filter),
      ({ next }, asked) => (next === undefined ? undefined : { ...asked, after: next }),
    ),
    enabled: chosen !== undefined,
  });
  const columns = useContentColumns();
  const lines = useMemo(() => log.data?.pages.flatMap(({ changes }) => changes) ?? [], [log.data]);
  return (
    <div className={styles['parts']}>
      <p className={styles['note']}>{say('contentText')}</p>
      <div className={styles['bar']}>
        <Select
          label={say('storage')}
          options={storages.map((storage) => ({
            ...{ id: storagePath(storage), label: storage.title, description: storagePath(storage) },
          }))}
          selected={chosen && storagePath(chosen)}
          onSelect={(storage) => onFilter({ ...filter, storage, entry: undefined })}
        />
        <CommonFilters {...{ filter, onFilter }} />
        <Select
          label={say('order')}
          options={[
            { id: 'newest', label: say('newest') },
            { id: 'oldest', label: say('oldest') },
          ]}
          selected={filter.order ?? 'newest'}
          onSelect={(order) => onFilter({ ...filter, order: order === 'oldest' ? order : undefined })}
        />
      </div>
      <LogList
        label={say('content')}
        query={log}
        {...{ columns, lines, readCount: lines.length }}
        idOf={({ sequence }) => sequence}
        opened={filter.entry}
        onOpen={(entry) => onFilter({ ...filter, entry })}
        detail={(change) => <ContentDetail change={change} />}
      />
    </div>
  );
};

const actionsOf = ({ entries }: ContentChange): string => [...new Set(entries.map(({ action }) => action))].join(', ');

const useContentColumns = (): readonly Column<ContentChange>[] => {
  const say = useMessages(auditMessages);
  const { dateTime, number } = useFormats();
  return useMemo(
    () => [
      { id: 'when', title: say('when'), width: '2fr', minWidth: 208, render: ({ changedAt }) => dateTime(changedAt) },
      {
        ...{ id: 'who', title: say('who'), width: '2fr' },
        render: ({ subject }) => <bdi title={subject}>{subject}</bdi>,
      },
      {
        ...{ id: 'operation', title: say('operation'), width: '2fr' },
        render: ({ operation }) => <bdi title={operation}>{operation}</bdi>,
      },
      {
        ...{ id: 'entries', title: say('entries'), align: 'end' },
        render: ({ entries }) => number(entries.length),
      },
      {
        ...{ id: 'actions', title: say('actions'), width: '2fr' },
        render: (change) => <bdi title={actionsOf(change)}>{actionsOf(change)}</bdi>,
      },
    ],
    [say, dateTime, number],
  );
};

const entriesShownMax = 200;

const ContentDetail = ({ change }: { readonly change: ContentChange }) => {
  const say = useMessages(auditMessages);
  const { dateTime } = useFormats();
  const { sequence, changedAt, operation, subject, requestId, entries } = change;
  return (
    <div className={styles['section']}>
      <Facts
        facts={[
          { name: say('operation'), value: <ForeignText text={operation} /> },
          { name: say('sequence'), value: sequence },
          { name: say('when'), value: dateTime(changedAt) },
          { name: say('who'), value: <ForeignText text={subject} /> },
          { name: say('request'), value: <RequestId requestId={requestId} /> },
        ]}
      />
      <h3>{say('entries')}</h3>
      <ul className={styles['section']}>
        {entries.slice(0, entriesShownMax).map(({ action, elementId, versionId, detail }, at) => (
          <li key={at}>
            <Facts
              facts={[
                { name: say('action'), value: <ForeignText text={action} /> },
                ...(elementId === undefined ? [] : [{ name: say('element'), value: <code>{elementId}</code> }]),
                ...(versionId === undefined ? [] : [{ name: say('version'), value: <code>{versionId}</code> }]),
                ...Object.entries(detail).map(([name, value]) => ({
                  ...{ name, value: <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} /> },
                })),
              ]}
            />
          </li>
        ))}
      </ul>
      {entries.length > entriesShownMax && (
        <p className={styles['note']}>{say('moreEntries', { count: entries.length - entriesShownMax })}</p>
      )}
    </div>
  );
};
