/**
 * Makes a key and shows it once. The key is never in the cache of queries or changes, in an address, or in the history: only in the
 * dialog, until it is closed.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { PageHead } from '../../ui/page-head.js';
import { Select } from '../../ui/select.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { emptyKey, faultsOfKey, lifetimes, newKeyOf, type KeyDraft, type KeyFaults } from './key-draft.js';
import { isFaultless } from './member-draft.js';
import { AttributesField, FurtherScopeField, ScopeField } from './rights-fields.js';
import { useTeam } from './team.js';

type MadeKey = { readonly keyId: string; readonly key: string };

/** Sent again unchanged, when no answer came, it makes no second key. */
type Attempt = { readonly idempotencyKey: string; readonly begunAtMs: number };
const newAttempt = (): Attempt => ({ idempotencyKey: crypto.randomUUID(), begunAtMs: Date.now() });

export const AddKey = ({ onMade }: { readonly onMade: (keyId: string) => void }) => {
  const say = useMessages(administrationMessages);
  const { team, grants } = useTeam();
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyKey);
  const [attempt, setAttempt] = useState(newAttempt);
  const [isSent, setSent] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  const make = useMutation({
    // Answers nothing: what a change answers stays in the cache of changes.
    mutationFn: async (wanted: KeyDraft): Promise<void> => {
      const { idempotencyKey, begunAtMs } = attempt;
      setMade(await call('createKey', { key: newKeyOf(wanted, team, begunAtMs), idempotencyKey }));
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['listKeys'] });
      await client.invalidateQueries({ queryKey: ['listAccessChanges'] });
    },
  });
  const faults = faultsOfKey(draft, grants.hourlyLimit);
  const change = (changed: Partial<KeyDraft>): void => {
    setDraft({ ...draft, ...changed });
    setAttempt(newAttempt());
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSent(true);
    if (isFaultless(faults)) make.mutate(draft);
  };
  const close = (): void => {
    if (made === undefined) return;
    setMade(undefined);
    onMade(made.keyId);
  };
  return (
    <>
      <PageHead
        title={say('addKey')}
        trail={[
          <TextLink key="keys" to="/administration/keys">
            {say('keys')}
          </TextLink>,
        ]}
      >
        {say('addKeyText')}
      </PageHead>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <KeyFields draft={draft} faults={isSent ? faults : undefined} onChange={change} />
        {make.isError && <CallFault error={make.error} />}
        <div className={styles['actions']}>
          <Button type="submit" variant="primary" isPending={make.isPending}>
            {say('makeKey')}
          </Button>
        </div>
      </form>
      {made !== undefined && <MadeKeyDialog secret={made.key} onClose={close} />}
    </>
  );
};

type MadeKeyDialogProps = { readonly secret: string; readonly onClose: () => void };

/** Only its button closes it: a key that was not copied is lost. */
const MadeKeyDialog = ({ secret, onClose }: MadeKeyDialogProps) => {
  const say = useMessages(administrationMessages);
  const kept = (
    <Button variant="primary" onPress={onClose}>
      {say('keptKey')}
    </Button>
  );
  return (
    <Dialog title={say('madeTitle')} isOpen actions={kept}>
      <div className={styles['section']}>
        <Notice tone="warning">{say('madeText')}</Notice>
        <code className={styles['secret']}>{secret}</code>
        <div className={styles['actions']}>
          <CopyButton text={secret} what={say('key')} isLabelled />
        </div>
      </div>
    </Dialog>
  );
};

type KeyFieldsProps = {
  readonly draft: KeyDraft;
  readonly faults: KeyFaults | undefined;
  readonly onChange: (changed: Partial<KeyDraft>) => void;
};

const KeyFields = ({ draft, faults, onChange }: KeyFieldsProps) => {
  const say = useMessages(administrationMessages);
  const { number } = useFormats();
  const { hourlyLimit: limitMax } = useTeam().grants;
  return (
    <>
      <TextField
        label={say('keyName')}
        description={say('keyNameText')}
        isRequired
        autoComplete="off"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        error={faults?.name && say(faults.name)}
      />
      <ScopeField
        selected={draft.scopes}
        onChange={(scopes) => onChange({ scopes })}
        error={faults?.scopes && say(faults.scopes)}
      />
      <FurtherScopeField selected={draft.furtherScopes} onChange={(furtherScopes) => onChange({ furtherScopes })} />
      <AttributesField lines={draft.attributes} onChange={(attributes) => onChange({ attributes })} />
      <Select
        label={say('lifetime')}
        options={lifetimes.map((id) => ({
          ...{ id, label: id === 'never' ? say('noEnd') : say('days', { count: Number(id) }) },
        }))}
        selected={draft.lifetime}
        onSelect={(lifetime) => onChange({ lifetime })}
      />
      <TextField
        label={say('limit')}
        description={say('limitText', { most: number(limitMax) })}
        autoComplete="off"
        value={draft.hourlyLimit}
        onChange={(hourlyLimit) => onChange({ hourlyLimit })}
        error={faults?.hourlyLimit && say(faults.hourlyLimit, { most: number(limitMax) })}
      />
    </>
  );
};
