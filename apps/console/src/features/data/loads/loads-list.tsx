/** The loads into a table of the last day, with how they end. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../api/queries.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Badge } from '../../../ui/badge.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import { ConfirmedChange } from '../confirmed-change.js';
import styles from '../data.module.css';
import { subjectOf, type TableName } from '../tables/find-tables.js';
import { lookAgainAfter, stateTones, type ListedLoad } from './load-state.js';
import { faultPlace } from './load-faults.js';
import { Orphans } from './orphans.js';
import ownStyles from './loads.module.css';

export const LoadsList = ({ table: { schema, id } }: { readonly table: TableName }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const loads = useQuery({
    ...operationQuery('listLoads', { team, schema, table: id }),
    refetchInterval: ({ state }) => lookAgainAfter(state.data?.loads ?? [], Date.now()),
  });
  if (loads.isPending) return <Skeleton lines={4} />;
  if (loads.isError) return <CallFault error={loads.error} onRetry={() => void loads.refetch()} />;
  if (loads.data.loads.length === 0) return <EmptyState title={say('noLoads')}>{say('noLoadsText')}</EmptyState>;
  return (
    <ul className={styles['stack']} aria-label={say('loads')}>
      {loads.data.loads.map((load) => (
        <li key={load.loadId} className={ownStyles['load']}>
          <OneLoad load={load} table={{ schema, id }} />
        </li>
      ))}
    </ul>
  );
};

const OneLoad = ({ load, table }: { readonly load: ListedLoad; readonly table: TableName }) => {
  const say = useMessages(dataMessages);
  const { dateTime } = useFormats();
  const { state, rows, mode, startedAt, startedBy, dataVersion, faults = [], orphans = [] } = load;
  return (
    <>
      <p className={ownStyles['head']}>
        <Badge tone={stateTones[state]}>{say(state)}</Badge>
        <span>{say(mode)}</span>
        <span>{say('rowsOf', { count: rows })}</span>
        {dataVersion !== undefined && <span>{say('generationNumber', { version: dataVersion })}</span>}
        <span className={styles['note']}>
          {say('startedBy', { time: dateTime(startedAt), who: subjectOf(startedBy) })}
        </span>
        {state === 'loading' && <CancelLoad loadId={load.loadId} table={table} />}
      </p>
      <Orphans orphans={orphans} />
      {faults.length > 0 && (
        <details>
          <summary>{say('faultsOf', { count: faults.length })}</summary>
          <ul className={ownStyles['faults']}>
            {faults.map((fault, at) => (
              <li key={at}>
                {faultPlace(fault, say)} <ForeignText text={fault.message} lang="en" />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

const CancelLoad = ({ loadId, table }: { readonly loadId: string; readonly table: TableName }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  return (
    <ConfirmedChange
      operation="cancelLoad"
      input={{ team, schema: table.schema, table: table.id, loadId }}
      invalidates={['listLoads']}
      act={say('cancelLoad')}
      title={say('cancelLoadTitle')}
      variant="quiet"
    >
      <p>{say('cancelLoadText')}</p>
    </ConfirmedChange>
  );
};
