/** One role: what who has it may do. Those of the team can be changed and deleted. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callWithHead } from '../../api/call.js';
import { operationQuery, useChange } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge, Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import { draftOfRole, propertiesOfRole, type Role } from './role-draft.js';
import { RoleForm } from './role-form.js';
import { ScopeBadges } from './scope-badges.js';
import { useTeam } from './team.js';
import { useCarefulSave } from './use-careful-save.js';
import { useRolePurpose } from './use-role-purpose.js';

export type RolePageProps = { readonly name: string; readonly onDeleted: () => void };

/** Members may do something else from then on. */
const staleAfterChange = ['listRoles', 'listMembers', 'readMember', 'listAccessChanges'] as const;

export const RolePage = ({ name, onDeleted }: RolePageProps) => {
  const say = useMessages(administrationMessages);
  const roles = useQuery(operationQuery('listRoles', { team: useTeam().team }));
  const role = roles.data?.roles.find((each) => each.name === name);
  const back = (
    <TextLink key="roles" to="/administration/roles">
      {say('roles')}
    </TextLink>
  );
  return (
    <>
      <PageHead
        title={name}
        trail={[back]}
        actions={role?.builtIn === false ? <DeleteRole {...{ name, onDeleted }} /> : undefined}
      />
      {roles.isPending && <Skeleton lines={6} />}
      {roles.isError && <CallFault error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.isSuccess && role === undefined && <EmptyState title={say('noRole')} action={back} />}
      {role?.builtIn === true && <BuiltInRole role={role} />}
      {role?.builtIn === false && <OwnRole role={role} />}
    </>
  );
};

const BuiltInRole = ({ role }: { readonly role: Role }) => {
  const say = useMessages(administrationMessages);
  const purposeOf = useRolePurpose();
  return (
    <Card title={say('roleCard')} actions={<Badge>{say('builtIn')}</Badge>}>
      <Facts
        facts={[
          { name: say('purpose'), value: <ForeignText text={purposeOf(role)} /> },
          { name: say('scopes'), value: <ScopeBadges scopes={role.scopes} /> },
        ]}
      />
      <p>{say('builtInText')}</p>
    </Card>
  );
};

const OwnRole = ({ role }: { readonly role: Role }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const form = useCarefulSave({
    initial: draftOfRole(role),
    read: async () => {
      const { value, head } = await callWithHead('readRole', { team, role: role.name });
      return { form: draftOfRole(value), etag: head.etag };
    },
    write: async (wanted, ifMatch) =>
      draftOfRole(await call('writeRole', { team, role: role.name, ifMatch, properties: propertiesOfRole(wanted) })),
    invalidates: staleAfterChange,
  });
  return (
    <Card title={say('roleCard')}>
      <RoleForm
        draft={form.draft}
        onChange={form.setDraft}
        submit={{ label: say('save'), isPending: form.isPending, onSubmit: form.save }}
      >
        {form.isRebased && <Notice tone="warning">{say('changedMeanwhile')}</Notice>}
        {form.error !== null && <CallFault error={form.error} />}
      </RoleForm>
    </Card>
  );
};

const DeleteRole = ({ name, onDeleted }: RolePageProps) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const remove = useChange('deleteRole', { invalidates: ['listAccessChanges'] });
  const confirm = (): void =>
    remove.mutate(
      { team, role: name },
      {
        onSuccess: () => {
          showToast('success', say('roleDeleted', { role: name }));
          onDeleted();
          // Not asked for again here, where the role would be missing.
          void client.invalidateQueries({ queryKey: ['listRoles'], refetchType: 'none' });
        },
      },
    );
  return (
    <>
      <Button variant="danger" onPress={() => setAsking(true)}>
        {say('deleteRole')}
      </Button>
      <ConfirmDialog
        title={say('deleteRoleTitle', { role: name })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={say('deleteRole')}
        onConfirm={confirm}
        isDangerous
        isPending={remove.isPending}
      >
        <p>{say('deleteRoleText')}</p>
        {remove.isError && <CallFault error={remove.error} />}
      </ConfirmDialog>
    </>
  );
};
