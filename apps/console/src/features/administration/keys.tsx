/** The API keys of the team: what programs call the platform with. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { SearchField } from '../../ui/field.js';
import { PageHead } from '../../ui/page-head.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column, type Sort } from '../../ui/table.js';
import { ButtonLink } from '../../ui/text-link.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { allKeysQuery } from './all-keys.js';
import { keyStates, stateOfKey, type ApiKey, type KeyState } from './key-draft.js';
import { KeyStateBadge } from './key-state-badge.js';
import { hasText, sortRows } from './sorting.js';
import { useTeam } from './team.js';

export type KeysProps = {
  readonly search: string;
  /** Undefined: keys in any state. */
  readonly state: KeyState | undefined;
  readonly sort: Sort | undefined;
  readonly onSearch: (search: string) => void;
  readonly onState: (state: KeyState | undefined) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onOpen: (keyId: string) => void;
};

export const keyColumns = ['name', 'lastUsed', 'expires', 'limit'] as const;

const valueOf = (key: ApiKey, column: string): string | number | undefined => {
  if (column === 'limit') return key.hourlyLimit;
  return { name: key.name, lastUsed: key.lastUsedAt, expires: key.expiresAt }[column];
};

export const Keys = ({ search, state, sort, onSearch, onState, onSort, onOpen }: KeysProps) => {
  const say = useMessages(administrationMessages);
  const [typed, type] = useTypedText(search, onSearch);
  const keys = useQuery(allKeysQuery(useTeam().team));
  const columns = useKeyColumns();
  const [nowMs] = useState(() => Date.now());
  const rows = useMemo(() => {
    const found = (keys.data ?? []).filter(
      (key) =>
        hasText(search, [key.name, key.keyId, ...key.scopes]) &&
        (state === undefined || stateOfKey(key, nowMs) === state),
    );
    return sortRows(found, sort, valueOf);
  }, [keys.data, search, state, sort, nowMs]);
  const add = <ButtonLink to="/administration/add-key">{say('addKey')}</ButtonLink>;
  return (
    <>
      <PageHead title={say('keys')} actions={add}>
        {say('keysText')}
      </PageHead>
      <div className={styles['parts']}>
        <div className={styles['bar']}>
          <SearchField label={say('searchKeys')} value={typed} onChange={type} />
          <Select
            label={say('state')}
            options={[{ id: 'any', label: say('anyState') }, ...keyStates.map((id) => ({ id, label: say(id) }))]}
            selected={state ?? 'any'}
            onSelect={(id) => onState(id === 'any' ? undefined : id)}
          />
        </div>
        {keys.isError && <CallFault error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.isPending && <Skeleton shape="box" />}
        {keys.isSuccess && (
          <>
            <p className={styles['note']} role="status">
              {say('keysShown', { shown: rows.length, count: keys.data.length })}
            </p>
            <Table
              label={say('keys')}
              {...{ columns, rows, sort, onSort, onOpen }}
              idOf={({ keyId }) => keyId}
              empty={
                keys.data.length === 0 ? (
                  <EmptyState title={say('noKeys')} action={add}>
                    {say('noKeysText')}
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

const useKeyColumns = (): readonly Column<ApiKey>[] => {
  const say = useMessages(administrationMessages);
  const { date, number, relative } = useFormats();
  return useMemo(
    () => [
      {
        ...{ id: 'name', title: say('keyName'), isSortable: true, width: '2fr' },
        render: ({ name }) => <bdi title={name}>{name}</bdi>,
      },
      { id: 'state', title: say('state'), width: 112, render: (key) => <KeyStateBadge apiKey={key} /> },
      {
        ...{ id: 'scopes', title: say('scopes'), width: '2fr' },
        render: ({ scopes }) => <bdi title={scopes.join(', ')}>{scopes.join(', ')}</bdi>,
      },
      {
        ...{ id: 'lastUsed', title: say('lastUsed'), isSortable: true, width: 144 },
        render: ({ lastUsedAt }) => (lastUsedAt === undefined ? say('never') : relative(lastUsedAt)),
      },
      {
        ...{ id: 'expires', title: say('expires'), isSortable: true, width: 132 },
        render: ({ expiresAt }) => (expiresAt === undefined ? say('never') : date(expiresAt)),
      },
      {
        ...{ id: 'limit', title: say('requestsInHour'), isSortable: true, align: 'end', width: 144 },
        render: ({ hourlyLimit }) => number(hourlyLimit),
      },
    ],
    [say, date, number, relative],
  );
};
