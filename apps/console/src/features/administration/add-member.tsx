import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.js';
import { refusalOf } from '../../api/failures.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { PageHead } from '../../ui/page-head.js';
import { showToast } from '../../ui/toast-queue.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { emptyMember, faultsOfMember, isFaultless, propertiesOfMember, type MemberDraft } from './member-draft.js';
import { MemberFields } from './member-fields.js';
import { useTeam } from './team.js';

/** To write a member that is there would replace it. */
const isThere = async (team: string, memberId: string): Promise<boolean> => {
  try {
    await call('readMember', { team, memberId });
    return true;
  } catch (error) {
    if (refusalOf(error)?.status === 404) return false;
    throw error;
  }
};

export const AddMember = ({ onAdded }: { readonly onAdded: (memberId: string) => void }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyMember);
  const [isSent, setSent] = useState(false);
  const add = useMutation({
    mutationFn: async (wanted: MemberDraft) => {
      const { memberId } = wanted;
      if (await isThere(team, memberId)) return { memberId, isAdded: false };
      await call('writeMember', { team, memberId, properties: propertiesOfMember(wanted) });
      return { memberId, isAdded: true };
    },
    onSuccess: async ({ memberId, isAdded }) => {
      if (!isAdded) return;
      await client.invalidateQueries({ queryKey: ['listMembers'] });
      await client.invalidateQueries({ queryKey: ['listAccessChanges'] });
      showToast('success', say('memberAdded', { member: memberId }));
      onAdded(memberId);
    },
  });
  const faults = faultsOfMember(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSent(true);
    if (isFaultless(faults)) add.mutate(draft);
  };
  return (
    <>
      <PageHead
        title={say('addMember')}
        trail={[
          <TextLink key="members" to="/administration/members">
            {say('members')}
          </TextLink>,
        ]}
      >
        {say('addMemberText')}
      </PageHead>
      <form className={styles['form']} onSubmit={submit} noValidate>
        {add.data?.isAdded === false && (
          <Notice tone="warning">{say('memberThere', { member: add.data.memberId })}</Notice>
        )}
        <MemberFields
          {...{ draft, isNew: true, faults: isSent ? faults : undefined, error: add.error }}
          onChange={(changed) => setDraft({ ...draft, ...changed })}
        />
        {add.isError && <CallFault error={add.error} />}
        <div className={styles['actions']}>
          <Button type="submit" variant="primary" isPending={add.isPending}>
            {say('add')}
          </Button>
        </div>
      </form>
    </>
  );
};
