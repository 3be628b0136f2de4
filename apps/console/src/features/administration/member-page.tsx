/** One member: who it is, what it may do, its password, and its end. */
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { call, callWithHead } from '../../api/call.js';
import { operationQuery, useChange } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import { useMe } from '../session/me.js';
import styles from './administration.module.css';
import { describeAttributes } from './attribute-lines.js';
import { draftOfMember, faultsOfMember, isFaultless, propertiesOfMember, type Member } from './member-draft.js';
import { MemberAccess } from './member-access.js';
import { MemberFields } from './member-fields.js';
import { PasswordCard } from './password-card.js';
import { ScopeBadges } from './scope-badges.js';
import { useTeam } from './team.js';
import { useCarefulSave } from './use-careful-save.js';

export type MemberPageProps = { readonly memberId: string; readonly onRemoved: () => void };

const staleAfterChange = ['listMembers', 'readMember', 'listAccessChanges'] as const;

export const MemberPage = ({ memberId, onRemoved }: MemberPageProps) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const member = useQuery(operationQuery('readMember', { team, memberId }));
  const trail = [
    <TextLink key="members" to="/administration/members">
      {say('members')}
    </TextLink>,
  ];
  if (member.isPending) return <Skeleton lines={8} />;
  if (member.isError)
    return (
      <>
        <PageHead title={memberId} trail={trail} />
        <CallFault error={member.error} onRetry={() => void member.refetch()} />
      </>
    );
  return (
    <>
      <PageHead title={member.data.displayName} trail={trail} actions={<RemoveMember {...{ memberId, onRemoved }} />} />
      <div className={styles['parts']}>
        <OneselfNotice memberId={memberId} />
        <MemberForm member={member.data} />
        <GrantsCard member={member.data} />
        {member.data.identity === undefined && <PasswordCard memberId={memberId} />}
        <MemberAccess memberId={memberId} />
      </div>
    </>
  );
};

/** Who takes the role from themselves cannot give it back. */
const OneselfNotice = ({ memberId }: { readonly memberId: string }) => {
  const say = useMessages(administrationMessages);
  const { subject } = useMe();
  return subject === `member:${memberId}` && <Notice tone="warning">{say('oneself')}</Notice>;
};

const MemberForm = ({ member }: { readonly member: Member }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const { memberId } = member;
  const form = useCarefulSave({
    initial: draftOfMember(member),
    read: async () => {
      const { value, head } = await callWithHead('readMember', { team, memberId });
      return { form: draftOfMember(value), etag: head.etag };
    },
    write: async (wanted, ifMatch) =>
      draftOfMember(await call('writeMember', { team, memberId, ifMatch, properties: propertiesOfMember(wanted) })),
    invalidates: staleAfterChange,
  });
  const { draft, setDraft } = form;
  const faults = faultsOfMember(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isFaultless(faults)) form.save();
  };
  return (
    <Card title={say('memberCard')}>
      <form className={styles['form']} onSubmit={submit} noValidate>
        <MemberFields
          {...{ draft, faults, isNew: false, error: form.error }}
          onChange={(changed) => setDraft({ ...draft, ...changed })}
        />
        {form.isRebased && <Notice tone="warning">{say('changedMeanwhile')}</Notice>}
        {form.error !== null && <CallFault error={form.error} />}
        <div className={styles['actions']}>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {say('save')}
          </Button>
        </div>
      </form>
    </Card>
  );
};

const GrantsCard = ({ member: { memberId, createdAt, disabledAt, grants } }: { readonly member: Member }) => {
  const say = useMessages(administrationMessages);
  const { dateTime } = useFormats();
  const further = grants.furtherScopes.join(', ');
  const attributes = describeAttributes(grants.attributes);
  return (
    <Card title={say('mayNow')}>
      <Facts
        facts={[
          { name: say('memberId'), value: <ForeignText text={memberId} /> },
          { name: say('scopes'), value: <ScopeBadges scopes={grants.scopes} /> },
          ...(further === '' ? [] : [{ name: say('furtherScopes'), value: <ForeignText text={further} /> }]),
          ...(attributes === '' ? [] : [{ name: say('attributes'), value: <ForeignText text={attributes} /> }]),
          { name: say('added'), value: dateTime(createdAt) },
          ...(disabledAt === undefined ? [] : [{ name: say('disabledSince'), value: dateTime(disabledAt) }]),
        ]}
      />
    </Card>
  );
};

const RemoveMember = ({ memberId, onRemoved }: MemberPageProps) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const [isAsking, setAsking] = useState(false);
  // What was read of the member is not asked for again: it is not there any more.
  const remove = useChange('deleteMember', { invalidates: ['listMembers', 'listAccessChanges'] });
  const confirm = (): void =>
    remove.mutate(
      { team, memberId },
      {
        onSuccess: () => {
          showToast('success', say('memberRemoved', { member: memberId }));
          onRemoved();
        },
      },
    );
  return (
    <>
      <Button variant="danger" onPress={() => setAsking(true)}>
        {say('removeMember')}
      </Button>
      <ConfirmDialog
        title={say('removeMemberTitle', { member: memberId })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={say('removeMember')}
        onConfirm={confirm}
        isDangerous
        isPending={remove.isPending}
      >
        <p>{say('removeMemberText')}</p>
        {remove.isError && <CallFault error={remove.error} />}
      </ConfirmDialog>
    </>
  );
};
