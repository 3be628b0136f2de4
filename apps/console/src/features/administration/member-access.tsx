/** Where a member is signed in and what it allowed clients: one is ended here, or all. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { operationQuery, useChange } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { sessionsMessages } from '../../messages/sessions/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useFaultToast } from '../faults/fault-toast.js';
import { browserName } from '../session/browser-name.js';
import styles from './administration.module.css';
import { useTeam } from './team.js';

const pageSize = 1_000;
const stale = { invalidates: ['listTeamSessions', 'listTeamClientGrants', 'listAccessChanges'] } as const;

export const MemberAccess = ({ memberId }: { readonly memberId: string }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const sessions = useQuery(operationQuery('listTeamSessions', { team, memberId, pageSize }));
  const grants = useQuery(operationQuery('listTeamClientGrants', { team, memberId, pageSize }));
  const fault = sessions.error ?? grants.error;
  const isAny = [...(sessions.data?.sessions ?? []), ...(grants.data?.grants ?? [])].length > 0;
  return (
    <Card title={say('access')} actions={isAny ? <EndAll memberId={memberId} /> : undefined}>
      {(sessions.isPending || grants.isPending) && <Skeleton lines={2} />}
      {fault !== null && <CallFault error={fault} />}
      {sessions.isSuccess && grants.isSuccess && !isAny && <p className={styles['note']}>{say('noAccess')}</p>}
      <ul className={styles['parts']} aria-label={say('access')}>
        {sessions.data?.sessions.map((session) => (
          <Item key={session.sessionId}>
            <OneSession session={session} />
          </Item>
        ))}
        {grants.data?.grants.map((grant) => (
          <Item key={grant.grantId}>
            <OneGrant grant={grant} />
          </Item>
        ))}
      </ul>
    </Card>
  );
};

const Item = ({ children }: { readonly children: ReactNode }) => <li className={styles['section']}>{children}</li>;

type SessionProps = { readonly session: { readonly sessionId: string; readonly userAgent: string } & Times };
type Times = { readonly createdAt: string; readonly lastSeenAt: string; readonly endsAt: string };

const OneSession = ({ session: { sessionId, userAgent, createdAt, lastSeenAt, endsAt } }: SessionProps) => {
  const say = useMessages(sessionsMessages);
  const { team } = useTeam();
  const { dateTime } = useFormats();
  const showFault = useFaultToast();
  const end = useChange('endTeamSession', stale);
  return (
    <>
      <h3>
        <ForeignText text={browserName(userAgent) ?? say('unknown')} />
      </h3>
      <Facts
        facts={[
          { name: say('lastSeen'), value: dateTime(lastSeenAt) },
          { name: say('created'), value: dateTime(createdAt) },
          { name: say('ends'), value: dateTime(endsAt) },
        ]}
      />
      <Button onPress={() => end.mutate({ team, sessionId }, { onError: showFault })} isPending={end.isPending}>
        {say('end')}
      </Button>
    </>
  );
};

type GrantProps = {
  readonly grant: {
    readonly grantId: string;
    readonly clientName: string;
    readonly scopes: readonly string[];
  } & Omit<Times, 'lastSeenAt'>;
};

const OneGrant = ({ grant: { grantId, clientName, scopes, createdAt, endsAt } }: GrantProps) => {
  const say = useMessages(sessionsMessages);
  const { team } = useTeam();
  const { dateTime } = useFormats();
  const showFault = useFaultToast();
  const end = useChange('endTeamClientGrant', stale);
  return (
    <>
      <h3>
        <ForeignText text={clientName} />
      </h3>
      <Facts
        facts={[
          { name: say('scopes'), value: <ForeignText text={scopes.join(', ')} /> },
          { name: say('allowed'), value: dateTime(createdAt) },
          { name: say('ends'), value: dateTime(endsAt) },
        ]}
      />
      <Button onPress={() => end.mutate({ team, grantId }, { onError: showFault })} isPending={end.isPending}>
        {say('takeBack')}
      </Button>
    </>
  );
};

const EndAll = ({ memberId }: { readonly memberId: string }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const [isAsked, setAsked] = useState(false);
  const showFault = useFaultToast();
  const end = useChange('endMemberAccess', stale);
  const confirm = (): void => end.mutate({ team, memberId }, { onError: showFault, onSettled: () => setAsked(false) });
  return (
    <>
      <Button variant="danger" onPress={() => setAsked(true)}>
        {say('endAccess')}
      </Button>
      <ConfirmDialog
        title={say('endAccess')}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={say('endAccess')}
        onConfirm={confirm}
        isDangerous
        isPending={end.isPending}
      >
        <p>{say('endAccessText')}</p>
      </ConfirmDialog>
    </>
  );
};
