import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { TextField } from '../../ui/field.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { faultOfPassword } from './member-draft.js';
import { useTeam } from './team.js';

/** Sets the password of a member whom no issuer knows. It is in the field until it was sent, and nowhere else. */
export const PasswordCard = ({ memberId }: { readonly memberId: string }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [isSent, setSent] = useState(false);
  const set = useMutation({
    // Takes it from the field: what a change is given stays in the cache of changes.
    mutationFn: () => call('setPassword', { team, memberId, password: { password } }),
    gcTime: 0,
    onSuccess: async () => {
      setPassword('');
      setSent(false);
      showToast('success', say('passwordSet', { member: memberId }));
      await client.invalidateQueries({ queryKey: ['listAccessChanges'] });
    },
  });
  const fault = faultOfPassword(password);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSent(true);
    if (fault === undefined) set.mutate();
  };
  return (
    <Card title={say('password')}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <TextField
          label={say('newPassword')}
          description={say('newPasswordText')}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={isSent && fault !== undefined ? say(fault) : undefined}
        />
        {set.isError && <CallFault error={set.error} />}
        <div className={styles['actions']}>
          <Button type="submit" isPending={set.isPending}>
            {say('setPassword')}
          </Button>
        </div>
      </form>
    </Card>
  );
};
