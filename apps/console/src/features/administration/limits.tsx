/** What the team used of its limits in the last 24 hours, by hour and by who called. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card, CardGrid } from '../../ui/card.js';
import { ColumnChart } from '../../ui/column-chart.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Figure } from '../../ui/figure.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column, type Sort } from '../../ui/table.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { allKeysQuery } from './all-keys.js';
import { nameCredentials, type CredentialUse, type NamedUse, type Usage } from './credential-uses.js';
import { sortRows } from './sorting.js';
import { useTeam } from './team.js';

export type LimitsProps = { readonly sort: Sort | undefined; readonly onSort: (sort: Sort) => void };

export const usageColumns = ['name', 'thisHour', 'share', 'last24Hours', 'limit'] as const;

export const Limits = ({ sort, onSort }: LimitsProps) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const usage = useQuery(operationQuery('readUsage', { team }));
  return (
    <>
      <PageHead title={say('limits')} actions={<Button onPress={() => void usage.refetch()}>{say('askAgain')}</Button>}>
        {say('limitsText')}
      </PageHead>
      {usage.isPending && <Skeleton shape="box" />}
      {usage.isError && <CallFault error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isSuccess && (
        <div className={styles['parts']}>
          <UseFigures usage={usage.data} />
          <UseByHour usage={usage.data} />
          <UseByCredential uses={usage.data.credentials} {...{ sort, onSort }} />
        </div>
      )}
    </>
  );
};

const UseFigures = ({ usage: { hours } }: { readonly usage: Usage }) => {
  const say = useMessages(administrationMessages);
  const { number } = useFormats();
  const { grants } = useTeam();
  const sum = hours.reduce((total, { requests }) => total + requests, 0);
  const most = Math.max(...hours.map(({ requests }) => requests));
  const unit = say('requestsUnit');
  return (
    <CardGrid>
      <Card>
        <Figure label={say('thisHour')} value={hours.at(-1)?.requests} unit={unit} scope={say('ofTeamSinceHour')} />
      </Card>
      <Card>
        <Figure label={say('last24Hours')} value={sum} unit={unit} scope={say('mostInHour', { most: number(most) })} />
      </Card>
      <Card>
        <Figure label={say('keyLimitMost')} value={grants.hourlyLimit} unit={unit} scope={say('grantedByOperators')} />
      </Card>
    </CardGrid>
  );
};

const UseByHour = ({ usage: { hours } }: { readonly usage: Usage }) => {
  const say = useMessages(administrationMessages);
  const { time, dateTime } = useFormats();
  return (
    <Card title={say('byHour')}>
      <ColumnChart
        label={say('byHourLabel')}
        columns={hours.map(({ startsAt, requests }) => ({
          ...{ id: startsAt, label: time(startsAt), title: dateTime(startsAt), value: requests },
        }))}
        format={(value) => say('requests', { count: value })}
        tableLabel={say('asTable')}
      />
    </Card>
  );
};

type UseByCredentialProps = LimitsProps & { readonly uses: readonly CredentialUse[] };

const valueOf = (use: NamedUse, column: string): string | number =>
  ({ thisHour: use.thisHour, share: use.share, last24Hours: use.last24Hours, limit: use.hourlyLimit })[column] ??
  use.name;

const UseByCredential = ({ uses, sort, onSort }: UseByCredentialProps) => {
  const say = useMessages(administrationMessages);
  // Names are a help: without them the ids say who it is.
  const keys = useQuery(allKeysQuery(useTeam().team));
  const columns = useCredentialColumns();
  const rows = useMemo(() => sortRows(nameCredentials(uses, keys.data ?? []), sort, valueOf), [uses, keys.data, sort]);
  return (
    <section className={styles['section']} aria-label={say('byCredential')}>
      <h2>{say('byCredential')}</h2>
      <p className={styles['note']}>{say('byCredentialText')}</p>
      <Table
        label={say('byCredential')}
        {...{ columns, rows, sort, onSort }}
        idOf={({ credential }) => credential}
        empty={<EmptyState title={say('noUse')}>{say('noUseText')}</EmptyState>}
      />
    </section>
  );
};

const useCredentialColumns = (): readonly Column<NamedUse>[] => {
  const say = useMessages(administrationMessages);
  const { number, percent } = useFormats();
  return useMemo(
    () => [
      {
        ...{ id: 'name', title: say('credential'), isSortable: true, width: '3fr' },
        render: ({ name, credential }) => <bdi title={`${name} (${credential})`}>{name}</bdi>,
      },
      {
        ...{ id: 'kind', title: say('kind'), width: 176 },
        render: ({ isKey }) => say(isKey ? 'key' : 'person'),
      },
      {
        ...{ id: 'thisHour', title: say('thisHour'), isSortable: true, align: 'end', width: 112 },
        render: ({ thisHour }) => number(thisHour),
      },
      {
        ...{ id: 'share', title: say('shareOfLimit'), isSortable: true, align: 'end', width: 112 },
        render: ({ share }) => percent(share, 1),
      },
      {
        ...{ id: 'last24Hours', title: say('last24Hours'), isSortable: true, align: 'end', width: 144 },
        render: ({ last24Hours }) => number(last24Hours),
      },
      {
        ...{ id: 'limit', title: say('requestsInHour'), isSortable: true, align: 'end', width: 144 },
        render: ({ hourlyLimit }) => number(hourlyLimit),
      },
    ],
    [say, number, percent],
  );
};
