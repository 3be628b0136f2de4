/** The members of the team. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { pagedQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { EmptyState } from '../../ui/empty-state.js';
import { SearchField } from '../../ui/field.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column, type Sort } from '../../ui/table.js';
import { ButtonLink } from '../../ui/text-link.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import type { Member } from './member-draft.js';
import { hasText, sortRows } from './sorting.js';
import { useTeam } from './team.js';

export type MembersProps = {
  readonly search: string;
  readonly sort: Sort | undefined;
  readonly onSearch: (search: string) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onOpen: (memberId: string) => void;
};

export const memberColumns = ['name', 'memberId', 'roles', 'added'] as const;

const pageSize = 1_000;

/** All of them: a team has at most ten thousand. */
const useMembers = (team: string) => {
  const members = useInfiniteQuery(
    pagedQuery('listMembers', { team, pageSize }, ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, after: next },
    ),
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = members;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return members;
};

const valueOf = (member: Member, column: string): string =>
  ({ name: member.displayName, memberId: member.memberId, roles: member.roles.join(' ') })[column] ?? member.createdAt;

const textsOf = ({ memberId, displayName, roles, identity }: Member): readonly string[] => [
  ...[memberId, displayName, ...roles],
  ...(identity === undefined ? [] : [identity.issuer, identity.subject]),
];

export const Members = ({ search, sort, onSearch, onSort, onOpen }: MembersProps) => {
  const say = useMessages(administrationMessages);
  const [typed, type] = useTypedText(search, onSearch);
  const { team } = useTeam();
  const members = useMembers(team);
  const columns = useMemberColumns();
  const all = useMemo(() => members.data?.pages.flatMap((page) => page.members) ?? [], [members.data]);
  const rows = useMemo(
    () =>
      sortRows(
        all.filter((member) => hasText(search, textsOf(member))),
        sort,
        valueOf,
      ),
    [all, search, sort],
  );
  const add = <ButtonLink to="/administration/add-member">{say('addMember')}</ButtonLink>;
  return (
    <>
      <PageHead title={say('members')} actions={add}>
        {say('membersText')}
      </PageHead>
      <div className={styles['parts']}>
        <div className={styles['bar']}>
          <SearchField label={say('searchMembers')} value={typed} onChange={type} />
        </div>
        {members.isError && <CallFault error={members.error} onRetry={() => void members.refetch()} />}
        {members.isPending && <Skeleton shape="box" />}
        {members.isSuccess && (
          <>
            <p className={styles['note']} role="status">
              {say('membersShown', { shown: rows.length, count: all.length })}
            </p>
            <Table
              label={say('members')}
              {...{ columns, rows, sort, onSort, onOpen }}
              idOf={({ memberId }) => memberId}
              empty={
                all.length === 0 ? (
                  <EmptyState title={say('noMembers')} action={add}>
                    {say('noMembersText')}
                  </EmptyState>
                ) : (
                  <EmptyState title={say('noneFound')}>{say('noneFoundText')}</EmptyState>
                )
              }
            />
          </>
        )}
      </div>
    </>
  );
};

const useMemberColumns = (): readonly Column<Member>[] => {
  const say = useMessages(administrationMessages);
  const { date } = useFormats();
  return useMemo(
    () => [
      {
        ...{ id: 'name', title: say('displayName'), isSortable: true, width: '2fr' },
        render: ({ displayName }) => <bdi title={displayName}>{displayName}</bdi>,
      },
      {
        ...{ id: 'memberId', title: say('memberId'), isSortable: true, width: '2fr' },
        render: ({ memberId }) => <bdi title={memberId}>{memberId}</bdi>,
      },
      {
        ...{ id: 'roles', title: say('roles'), isSortable: true, width: '2fr' },
        render: ({ roles }) => <bdi title={roles.join(', ')}>{roles.join(', ')}</bdi>,
      },
      {
        ...{ id: 'signIn', title: say('signsIn'), width: 132 },
        render: ({ identity }) => say(identity === undefined ? 'byPassword' : 'byIssuer'),
      },
      {
        ...{ id: 'state', title: say('state'), width: 112 },
        render: ({ disabledAt }) => (
          <Badge tone={disabledAt === undefined ? 'success' : 'warning'}>
            {say(disabledAt === undefined ? 'active' : 'disabled')}
          </Badge>
        ),
      },
      { id: 'added', title: say('added'), isSortable: true, width: 132, render: ({ createdAt }) => date(createdAt) },
    ],
    [say, date],
  );
};
