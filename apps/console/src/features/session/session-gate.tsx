/**
 * Who is not signed in sees the sign-in at the address where they are, and the page after it. When the session ends, the sign-in comes
 * over the page, which keeps what was typed, and calls that were refused go on.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { refusalOf } from '../../api/failures.js';
import { sessionEnd } from '../../api/session-end.js';
import { useMessages } from '../../language/language-provider.js';
import { sessionMessages } from '../../messages/session/catalogue.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import logo from '../../ui/tessera.svg';
import { CallFault } from '../faults/call-fault.js';
import { isSamePerson, MeContext, meQuery, type Me } from './me.js';
import styles from './session.module.css';
import type { SignInFormProps } from './sign-in-form.js';
import { draftFor, emptyDraft } from './sign-in-request.js';

const loadSignInForm = async () => ({ default: (await import('./sign-in-form.js')).SignInForm });
const LazySignInForm = lazy(loadSignInForm);

const SignInForm = (props: SignInFormProps) => (
  <Suspense fallback={<Skeleton lines={4} />}>
    <LazySignInForm {...props} />
  </Suspense>
);

const isSignedOut = (error: unknown): boolean => refusalOf(error)?.status === 401;

export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const me = useQuery(meQuery);
  const hasEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.isEnded);
  // The whole page comes with it: drawn in slices, since what a query brings is drawn at once.
  const isPageThere = useDeferredValue(me.data !== undefined);
  if (me.data === undefined || !isPageThere)
    return <BeforeSession error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <OnePerson me={me.data}>
      {children}
      {(hasEnded || isSignedOut(me.error)) && <SignInAgain me={me.data} />}
    </OnePerson>
  );
};

/** What was read as one person is not shown to another, who signed in meanwhile in another window: the page begins anew. */
const OnePerson = ({ me, children }: { readonly me: Me; readonly children: ReactNode }) => {
  const [first] = useState(me);
  const isSame = isSamePerson(first, me);
  useEffect(() => {
    if (!isSame) window.location.reload();
  }, [isSame]);
  // It is there before the session ends, when an update may have taken its file away.
  useEffect(() => void loadSignInForm(), []);
  return isSame && <MeContext value={me}>{children}</MeContext>;
};

const BeforeSession = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const say = useMessages(sessionMessages);
  const hasFailed = error !== null && !isSignedOut(error);
  return (
    <main className={styles['page']}>
      <div className={styles['brand']}>
        <img src={logo} alt="" />
        Tessera
      </div>
      {error === null && <Skeleton lines={4} />}
      {hasFailed && <CallFault error={error} onRetry={onRetry} />}
      {isSignedOut(error) && (
        <div>
          <PageHead title={say('signIn')} />
          <SignInForm initial={emptyDraft} onSignedIn={onRetry} />
        </div>
      )}
    </main>
  );
};

const SignInAgain = ({ me }: { readonly me: Me }) => {
  const say = useMessages(sessionMessages);
  const client = useQueryClient();
  const goOn = async (): Promise<void> => {
    const now = await client.fetchQuery({ ...meQuery, staleTime: 0 });
    // Calls of one person are never sent as another.
    if (isSamePerson(now, me)) sessionEnd.goOn();
  };
  // Somebody may have signed in beside this page meanwhile.
  useEffect(() => {
    const look = (): void => void goOn().catch(() => undefined);
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  });
  return (
    <Dialog title={say('signInAgain')} isOpen>
      <div className={styles['again']}>
        <p>{say('signInAgainDetail')}</p>
        <SignInForm initial={draftFor(me.subject, me.team)} onSignedIn={() => void goOn()} isOverPage />
        <Button variant="quiet" onPress={() => window.location.reload()}>
          {say('otherPerson')}
        </Button>
      </div>
    </Dialog>
  );
};
