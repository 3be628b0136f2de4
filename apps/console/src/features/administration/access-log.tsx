/** Who changed members, roles and keys, who signed in, what clients were allowed. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pagedQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { SearchField } from '../../ui/field.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Select } from '../../ui/select.js';
import type { Column } from '../../ui/table.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import { changeKinds, differencesOf, type AccessChange, type MemberDifference } from './access-change.js';
import styles from './administration.module.css';
import { filterAccessChanges } from './audit-filter.js';
import type { AuditProps } from './audit.js';
import { LogList } from './log-list.js';
import { useTeam } from './team.js';

const pageSize = 200;

export const AccessLog = ({ filter, onFilter }: AuditProps) => {
  const say = useMessages(auditMessages);
  const { team } = useTeam();
  const [typed, type] = useTypedText(filter.text ?? '', (text) =>
    onFilter({ ...filter, text: text === '' ? undefined : text }),
  );
  const log = useInfiniteQuery(
    pagedQuery('listAccessChanges', { team, pageSize }, ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, after: next },
    ),
  );
  const columns = useAccessColumns();
  const read = useMemo(() => log.data?.pages.flatMap(({ changes }) => changes) ?? [], [log.data]);
  const lines = useMemo(() => filterAccessChanges(read, filter), [read, filter]);
  return (
    <div className={styles['parts']}>
      <p className={styles['note']}>{say('accessText')}</p>
      <div className={styles['bar']}>
        <SearchField label={say('searchLines')} value={typed} onChange={type} />
        <Select
          label={say('about')}
          options={[{ id: 'any', label: say('anything') }, ...changeKinds.map((id) => ({ id, label: say(id) }))]}
          selected={filter.kind ?? 'any'}
          onSelect={(id) => onFilter({ ...filter, kind: id === 'any' ? undefined : id })}
        />
      </div>
      <LogList
        label={say('access')}
        query={log}
        {...{ columns, lines, readCount: read.length }}
        idOf={({ changeId }) => changeId}
        opened={filter.entry}
        onOpen={(entry) => onFilter({ ...filter, entry })}
        detail={(change) => <AccessDetail change={change} />}
      />
    </div>
  );
};

const useAccessColumns = (): readonly Column<AccessChange>[] => {
  const say = useMessages(auditMessages);
  const { dateTime } = useFormats();
  return useMemo(
    () => [
      { id: 'when', title: say('when'), width: '2fr', minWidth: 208, render: ({ changedAt }) => dateTime(changedAt) },
      {
        ...{ id: 'who', title: say('who'), width: '2fr' },
        render: ({ subject }) => <bdi title={subject}>{subject}</bdi>,
      },
      { id: 'what', title: say('what'), width: '2fr', render: ({ action }) => say(action) },
      {
        ...{ id: 'target', title: say('target'), width: '2fr' },
        render: ({ target }) => <bdi title={target}>{target}</bdi>,
      },
    ],
    [say, dateTime],
  );
};

/** What the log calls the members of a definition, in the words of the pages where they are edited. */
const memberLabels = {
  displayName: 'displayName',
  roles: 'roles',
  identity: 'identity',
  disabledAt: 'disabledSince',
  samePerson: 'samePersonText',
  scopes: 'scopes',
  furtherScopes: 'furtherScopes',
  attributes: 'attributes',
  description: 'purpose',
  name: 'keyName',
  hourlyLimit: 'requestsInHour',
  expiresAt: 'expires',
  madeBy: 'madeBy',
} as const;
const isLabelled = (name: string): name is keyof typeof memberLabels => Object.hasOwn(memberLabels, name);

const AccessDetail = ({ change }: { readonly change: AccessChange }) => {
  const say = useMessages(auditMessages);
  const sayMember = useMessages(administrationMessages);
  const { dateTime } = useFormats();
  const { changedAt, subject, subjectTeam, action, target, requestId, before, after } = change;
  const facts: readonly Fact[] = [
    { name: say('what'), value: say(action) },
    { name: say('target'), value: <ForeignText text={target} /> },
    { name: say('when'), value: dateTime(changedAt) },
    { name: say('who'), value: <ForeignText text={subject} /> },
    { name: say('team'), value: <ForeignText text={subjectTeam} /> },
    { name: say('request'), value: <RequestId requestId={requestId} /> },
    ...differencesOf(before, after).map((difference) => ({
      name: isLabelled(difference.name) ? sayMember(memberLabels[difference.name]) : difference.name,
      value: <Difference difference={difference} />,
    })),
  ];
  return <Facts facts={facts} />;
};

export const RequestId = ({ requestId }: { readonly requestId: string }) => {
  const say = useMessages(auditMessages);
  return (
    <>
      <code>
        <bdi>{requestId}</bdi>
      </code>{' '}
      <CopyButton text={requestId} what={say('request')} />
    </>
  );
};

const Difference = ({ difference: { removed, added } }: { readonly difference: MemberDifference }) => {
  const say = useMessages(auditMessages);
  return (
    <ul className={styles['section']}>
      {removed.map((text) => (
        <li key={`removed ${text}`}>
          <Badge tone="danger">{say('wasSo')}</Badge> <ForeignText text={text} />
        </li>
      ))}
      {added.map((text) => (
        <li key={`added ${text}`}>
          <Badge tone="success">{say('isSo')}</Badge> <ForeignText text={text} />
        </li>
      ))}
    </ul>
  );
};
