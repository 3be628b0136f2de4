/** Whether the services answer at this moment, as the gateway that answered sees it. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge, Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card, CardGrid } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';

type States = Readonly<Record<string, 'up' | 'down'>>;

export const Services = () => {
  const say = useMessages(administrationMessages);
  const { dateTime } = useFormats();
  const status = useQuery(operationQuery('readPlatformStatus', {}));
  const again = <Button onPress={() => void status.refetch()}>{say('askAgain')}</Button>;
  return (
    <>
      <PageHead title={say('services')} actions={again}>
        {say('servicesText')}
      </PageHead>
      <div className={styles['parts']}>
        {status.isPending && <Skeleton shape="box" />}
        {status.isError && <CallFault error={status.error} onRetry={() => void status.refetch()} />}
        {status.isSuccess && (
          <>
            <Whole states={{ ...status.data.services, ...status.data.dependencies }} />
            <CardGrid>
              <StateCard title={say('services')} states={status.data.services} />
              <StateCard title={say('dependencies')} states={status.data.dependencies} />
              <Card title={say('gateway')}>
                <Facts
                  facts={[
                    { name: say('version'), value: <code>{status.data.version}</code> },
                    { name: say('runsFor'), value: <Uptime seconds={status.data.uptimeSeconds} /> },
                  ]}
                />
              </Card>
            </CardGrid>
            <p className={styles['note']}>{say('asOf', { time: dateTime(status.dataUpdatedAt) })}</p>
          </>
        )}
      </div>
    </>
  );
};

const Whole = ({ states }: { readonly states: States }) => {
  const say = useMessages(administrationMessages);
  const down = Object.entries(states).filter(([, state]) => state === 'down');
  if (down.length === 0) return <Notice tone="success">{say('allUp')}</Notice>;
  return <Notice tone="danger">{say('someDown', { names: down.map(([name]) => name).join(', ') })}</Notice>;
};

const StateCard = ({ title, states }: { readonly title: string; readonly states: States }) => {
  const say = useMessages(administrationMessages);
  return (
    <Card title={title}>
      <Facts
        facts={Object.entries(states).map(([name, state]) => ({
          ...{ name, value: <Badge tone={state === 'up' ? 'success' : 'danger'}>{say(state)}</Badge> },
        }))}
      />
    </Card>
  );
};

const hourSeconds = 3_600;

const Uptime = ({ seconds }: { readonly seconds: number }) => {
  const { number } = useFormats();
  const [amount, unit] =
    seconds >= hourSeconds ? ([seconds / hourSeconds, 'hour'] as const) : ([seconds / 60, 'minute'] as const);
  return number(amount, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 });
};
