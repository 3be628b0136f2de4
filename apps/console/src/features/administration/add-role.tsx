import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, useChange } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import { emptyRole, faultOfRoleName, propertiesOfRole } from './role-draft.js';
import { RoleForm } from './role-form.js';
import { useTeam } from './team.js';

export const AddRole = ({ onAdded }: { readonly onAdded: (role: string) => void }) => {
  const say = useMessages(administrationMessages);
  const { team } = useTeam();
  const [draft, setDraft] = useState(emptyRole);
  const [isSent, setSent] = useState(false);
  const roles = useQuery(operationQuery('listRoles', { team }));
  const write = useChange('writeRole', { invalidates: ['listRoles', 'listAccessChanges'] });
  const taken = roles.data?.roles.map(({ name }) => name) ?? [];
  const fault = faultOfRoleName(draft.name, taken);
  const add = (): void => {
    setSent(true);
    if (fault !== undefined) return;
    write.mutate(
      { team, role: draft.name, properties: propertiesOfRole(draft) },
      {
        onSuccess: () => {
          showToast('success', say('roleAdded', { role: draft.name }));
          onAdded(draft.name);
        },
      },
    );
  };
  return (
    <>
      <PageHead
        title={say('addRole')}
        trail={[
          <TextLink key="roles" to="/administration/roles">
            {say('roles')}
          </TextLink>,
        ]}
      />
      {roles.isPending && <Skeleton lines={6} />}
      {roles.isError && <CallFault error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.isSuccess && (
        <RoleForm
          draft={draft}
          onChange={setDraft}
          name={{ fault: isSent ? fault : undefined }}
          submit={{ label: say('add'), isPending: write.isPending, onSubmit: add }}
        >
          {write.isError && <CallFault error={write.error} />}
        </RoleForm>
      )}
    </>
  );
};
