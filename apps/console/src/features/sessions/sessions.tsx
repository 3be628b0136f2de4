/** Where one is signed in, and how to end that. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { sessionsMessages } from '../../messages/sessions/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import { useFaultToast } from '../faults/fault-toast.js';
import { useSignOut } from '../session/sign-out.js';
import { browserName } from '../session/browser-name.js';
import { ClientGrants } from './client-grants.js';
import { useEndSessions } from './end-sessions.js';
import styles from './sessions.module.css';

type Session = AnswerFor<'listSessions'>['sessions'][number];

export const Sessions = () => {
  const say = useMessages(sessionsMessages);
  const list = useQuery(operationQuery('listSessions', {}));
  const sessions = list.data?.sessions ?? [];
  const others = sessions.filter(({ current }) => !current);
  return (
    <>
      <PageHead title={say('title')} actions={others.length > 0 ? <EndOthers others={others} /> : undefined}>
        {say('lead')}
      </PageHead>
      {list.isPending && <Skeleton shape="box" />}
      {list.isError && <CallFault error={list.error} onRetry={() => void list.refetch()} />}
      <ul className={styles['sessions']} aria-label={say('title')}>
        {sessions.map((session) => (
          <li key={session.sessionId} className={styles['session']}>
            <OneSession session={session} />
          </li>
        ))}
      </ul>
      {list.isSuccess && others.length === 0 && <p className={styles['note']}>{say('noOthers')}</p>}
      <ClientGrants />
    </>
  );
};

const EndOthers = ({ others }: { readonly others: readonly Session[] }) => {
  const say = useMessages(sessionsMessages);
  const [isAsked, setAsked] = useState(false);
  const showFault = useFaultToast();
  const end = useEndSessions();
  const endAll = (): void =>
    end.mutate(
      others.map(({ sessionId }) => sessionId),
      {
        onSuccess: (count) => showToast('success', say('ended', { count })),
        onError: showFault,
        onSettled: () => setAsked(false),
      },
    );
  return (
    <>
      <Button variant="danger" onPress={() => setAsked(true)}>
        {say('endOthers')}
      </Button>
      <ConfirmDialog
        title={say('endOthers')}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        confirm={say('endOthers')}
        onConfirm={endAll}
        isDangerous
        isPending={end.isPending}
      >
        <p>{say('endOthersText', { count: others.length })}</p>
      </ConfirmDialog>
    </>
  );
};

const OneSession = ({ session }: { readonly session: Session }) => {
  const say = useMessages(sessionsMessages);
  const { dateTime, relative } = useFormats();
  const { createdAt, lastSeenAt, endsAt, userAgent, current } = session;
  return (
    <>
      <h2 className={styles['name']}>
        <span title={userAgent}>
          <ForeignText text={browserName(userAgent) ?? say('unknown')} />
        </span>
        {current && <Badge tone="accent">{say('current')}</Badge>}
      </h2>
      <Facts
        facts={[
          { name: say('lastSeen'), value: `${relative(lastSeenAt)} (${dateTime(lastSeenAt)})` },
          { name: say('created'), value: dateTime(createdAt) },
          { name: say('ends'), value: dateTime(endsAt) },
        ]}
      />
      {current ? <SignOut /> : <EndOne session={session} />}
    </>
  );
};

const SignOut = () => {
  const say = useMessages(sessionsMessages);
  const signOut = useSignOut();
  return (
    <Button onPress={() => signOut.mutate()} isPending={signOut.isPending}>
      {say('signOut')}
    </Button>
  );
};

const EndOne = ({ session: { sessionId } }: { readonly session: Session }) => {
  const say = useMessages(sessionsMessages);
  const end = useEndSessions();
  return (
    <>
      {end.isError && <CallFault error={end.error} />}
      <Button
        onPress={() => end.mutate([sessionId], { onSuccess: (count) => showToast('success', say('ended', { count })) })}
        isPending={end.isPending}
      >
        {say('end')}
      </Button>
    </>
  );
};
