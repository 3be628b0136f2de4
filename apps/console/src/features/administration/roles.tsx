/** The roles that members of the team can have: the built-in ones and those that the team defined. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column } from '../../ui/table.js';
import { ButtonLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import type { Role } from './role-draft.js';
import { useTeam } from './team.js';
import { useRolePurpose } from './use-role-purpose.js';

export const Roles = ({ onOpen }: { readonly onOpen: (role: string) => void }) => {
  const say = useMessages(administrationMessages);
  const roles = useQuery(operationQuery('listRoles', { team: useTeam().team }));
  const columns = useRoleColumns();
  return (
    <>
      <PageHead title={say('roles')} actions={<ButtonLink to="/administration/add-role">{say('addRole')}</ButtonLink>}>
        {say('rolesText')}
      </PageHead>
      {roles.isError && <CallFault error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.isPending && <Skeleton shape="box" />}
      {roles.isSuccess && (
        <Table
          label={say('roles')}
          columns={columns}
          rows={roles.data.roles}
          idOf={({ name }) => name}
          onOpen={onOpen}
        />
      )}
    </>
  );
};

const useRoleColumns = (): readonly Column<Role>[] => {
  const say = useMessages(administrationMessages);
  const purposeOf = useRolePurpose();
  return useMemo(
    () => [
      { id: 'name', title: say('role'), render: ({ name }) => <bdi title={name}>{name}</bdi> },
      {
        ...{ id: 'description', title: say('purpose'), width: '2fr' },
        render: (role) => <bdi title={purposeOf(role)}>{purposeOf(role)}</bdi>,
      },
      {
        ...{ id: 'scopes', title: say('scopes'), width: '2fr' },
        render: ({ scopes, furtherScopes }) => {
          const all = [...scopes, ...furtherScopes].join(', ');
          return <bdi title={all}>{all}</bdi>;
        },
      },
      {
        ...{ id: 'origin', title: say('origin') },
        render: ({ builtIn }) => (
          <Badge tone={builtIn ? 'plain' : 'accent'}>{say(builtIn ? 'builtIn' : 'ofTeam')}</Badge>
        ),
      },
    ],
    [say, purposeOf],
  );
};
