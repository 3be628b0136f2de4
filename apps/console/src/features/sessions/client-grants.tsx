/** Clients that act for the person: what was allowed to them, and how to take it back. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery, useChange } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { sessionsMessages } from '../../messages/sessions/catalogue.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useFaultToast } from '../faults/fault-toast.js';
import { useMay } from '../session/me.js';
import styles from './sessions.module.css';

type Grant = AnswerFor<'listClientGrants'>['grants'][number];

export const ClientGrants = () => {
  const say = useMessages(sessionsMessages);
  const may = useMay();
  const list = useQuery(operationQuery('listClientGrants', {}));
  return (
    <section className={styles['part']} aria-label={say('clients')}>
      <h2>{say('clients')}</h2>
      <p className={styles['note']}>{say('clientsText')}</p>
      {list.isPending && <Skeleton shape="box" />}
      {list.isError && <CallFault error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.grants.length === 0 && (
        <EmptyState title={say('noClients')}>{may('tools:execute') ? say('noClientsText') : undefined}</EmptyState>
      )}
      <ul className={styles['sessions']} aria-label={say('clients')}>
        {list.data?.grants.map((grant) => (
          <li key={grant.grantId} className={styles['session']}>
            <OneGrant grant={grant} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const OneGrant = ({ grant }: { readonly grant: Grant }) => {
  const say = useMessages(sessionsMessages);
  const { dateTime } = useFormats();
  const { clientName, resource, scopes, createdAt, endsAt } = grant;
  return (
    <>
      <h3 className={styles['name']}>
        <ForeignText text={clientName} />
      </h3>
      <Facts
        facts={[
          ...(resource === undefined ? [] : [{ name: say('resource'), value: <ForeignText text={resource} /> }]),
          { name: say('scopes'), value: <ForeignText text={scopes.join(', ')} /> },
          { name: say('allowed'), value: dateTime(createdAt) },
          { name: say('ends'), value: dateTime(endsAt) },
        ]}
      />
      <TakeBack grant={grant} />
    </>
  );
};

const TakeBack = ({ grant: { grantId, clientName } }: { readonly grant: Grant }) => {
  const say = useMessages(sessionsMessages);
  const [isAsked, setAsked] = useState(false);
  const showFault = useFaultToast();
  const end = useChange('endOwnClientGrant', { invalidates: ['listClientGrants'] });
  const takeBack = (): void => end.mutate({ grantId }, { onError: showFault, onSettled: () => setAsked(false) });
  return (
    <>
      <Button onPress={() => setAsked(true)}>{say('takeBack')}</Button>
      <ConfirmDialog
        title={say('takeBack')}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={say('takeBack')}
        onConfirm={takeBack}
        isDangerous
        isPending={end.isPending}
      >
        <p>{say('takeBackText', { name: clientName })}</p>
      </ConfirmDialog>
    </>
  );
};
