/** What a member of a team may do: the scopes of all roles and what the member has besides, never more than the team was granted. */
import { builtInRoles } from '@tessera/contracts/gateway';
import type { NewMember, StoredRole } from '@tessera/persistence/gateway';
import { limitToGrants, type Grants, type KeyRights } from './grants.js';

type Role = Pick<StoredRole, 'scopes' | 'furtherScopes'>;
type MemberRights = Pick<NewMember, 'roles' | 'furtherScopes' | 'attributes' | 'disabledAt'>;

/** By their names: the built-in roles, and those that the team defined. */
export const indexRolesByName = (defined: readonly StoredRole[]): ReadonlyMap<string, Role> =>
  new Map<string, Role>([
    ...defined.map((role) => [role.name, role] as const),
    // A built-in role stays what it is, also when a team has defined one of its name before there was one.
    ...Object.entries(builtInRoles).map(([name, { scopes }]) => [name, { scopes, furtherScopes: [] }] as const),
  ]);

/** Somebody who is disabled has no rights; neither does a role that is not there any more. */
export const resolveMemberRights = (
  member: MemberRights,
  roles: ReadonlyMap<string, Role>,
  grants: Grants,
  standardLimit: number,
): KeyRights => {
  if (member.disabledAt !== undefined) return { scopes: [], furtherScopes: [], attributes: {}, hourlyLimit: 0 };
  const held = member.roles.flatMap((name) => roles.get(name) ?? []);
  return limitToGrants(grants, {
    scopes: [...new Set(held.flatMap(({ scopes }) => scopes))],
    furtherScopes: [...new Set([...held.flatMap(({ furtherScopes }) => furtherScopes), ...member.furtherScopes])],
    attributes: member.attributes,
    hourlyLimit: standardLimit,
  });
};
