import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.js';
import { refusalOf } from '../../api/failures.js';
import type { InputFor } from '../../api/operations.js';
import { useMessages } from '../../language/language-provider.js';
import { sessionMessages } from '../../messages/session/catalogue.js';
import { Button } from '../../ui/button.js';
import { FaultView } from '../../ui/fault-view.js';
import { TextField } from '../../ui/field.js';
import { Tabs } from '../../ui/tabs.js';
import { CallFault } from '../faults/call-fault.js';
import { otherWaysAddress, signInOf, type SignInDraft } from './sign-in-request.js';
import styles from './session.module.css';

type FormPartProps = {
  readonly draft: SignInDraft;
  readonly onChange: (changed: Partial<SignInDraft>) => void;
  /** The error of a field that is empty. */
  readonly faultOf: (name: keyof SignInDraft) => string | undefined;
};

export type SignInFormProps = {
  /** What is filled in at first. */
  readonly initial: SignInDraft;
  /** The cookie is set. */
  readonly onSignedIn: () => void;
  /** Over a page that is to stay: other ways open beside it. */
  readonly isOverPage?: boolean;
};

/** Signs in with a password or a key; nothing of either is kept. */
export const SignInForm = ({ initial, onSignedIn, isOverPage = false }: SignInFormProps) => {
  const say = useMessages(sessionMessages);
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const signIn = useMutation({
    mutationFn: (input: InputFor<'startSession'>) => call('startSession', input, { withoutSession: 'fail' }),
    onSuccess: onSignedIn,
  });
  const change = (changed: Partial<SignInDraft>): void => setDraft({ ...draft, ...changed });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const outcome = signInOf(draft);
    setMissing('missing' in outcome ? outcome.missing : []);
    if ('input' in outcome) signIn.mutate(outcome.input);
  };
  const part: FormPartProps = {
    ...{ draft, onChange: change },
    faultOf: (name) => (missing.includes(name) ? say('required') : undefined),
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {signIn.isError && <SignInFault error={signIn.error} />}
      <Tabs
        label={say('ways')}
        selected={draft.way}
        onSelect={(way) => change({ way })}
        tabs={[
          { id: 'password', label: say('byPassword'), content: <PasswordPart {...part} /> },
          { id: 'key', label: say('byKey'), content: <KeyPart {...part} /> },
        ]}
      />
      <Button type="submit" variant="primary" isPending={signIn.isPending}>
        {say('signIn')}
      </Button>
      <a
        className={styles['other']}
        href={otherWaysAddress(window.location)}
        target={isOverPage ? '_blank' : undefined}
        rel="noopener"
      >
        {say(isOverPage ? 'otherWaysBeside' : 'otherWays')}
      </a>
    </form>
  );
};

/** What is not valid is said in the language of the page; the server says on purpose no more than that. */
const SignInFault = ({ error }: { readonly error: unknown }) => {
  const say = useMessages(sessionMessages);
  const refusal = refusalOf(error);
  if (refusal?.status !== 401) return <CallFault error={error} />;
  return <FaultView title={say('notValid')} detail={say('notValidDetail')} requestId={refusal.requestId} />;
};

const PasswordPart = ({ draft, onChange, faultOf }: FormPartProps) => {
  const say = useMessages(sessionMessages);
  return (
    <div className={styles['fields']}>
      <TextField
        label={say('team')}
        description={say('teamDescription')}
        name="organization"
        autoComplete="organization"
        value={draft.team}
        onChange={(team) => onChange({ team })}
        error={faultOf('team')}
      />
      <TextField
        label={say('user')}
        description={say('userDescription')}
        name="username"
        autoComplete="username"
        value={draft.user}
        onChange={(user) => onChange({ user })}
        error={faultOf('user')}
      />
      <TextField
        label={say('password')}
        type="password"
        name="password"
        autoComplete="current-password"
        value={draft.password}
        onChange={(password) => onChange({ password })}
        error={faultOf('password')}
      />
    </div>
  );
};

const KeyPart = ({ draft, onChange, faultOf }: FormPartProps) => {
  const say = useMessages(sessionMessages);
  return (
    <div className={styles['fields']}>
      <TextField
        label={say('key')}
        description={say('keyDescription')}
        type="password"
        autoComplete="off"
        value={draft.apiKey}
        onChange={(apiKey) => onChange({ apiKey })}
        error={faultOf('apiKey')}
      />
    </div>
  );
};
