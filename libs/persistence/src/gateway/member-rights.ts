/** What the functions that find sessions and grants tell of their members: the rights as they are stored, and what the team was granted. */
import type { StoredGrants } from './api-keys.repository.js';
import type { KeyAttributes } from './entities/api-key.entity.js';
import type { Team } from './entities/team.entity.js';
import type { StoredRole } from './members.repository.js';

export type StoredMemberRights = {
  readonly memberId: string;
  readonly roles: readonly string[];
  readonly furtherScopes: readonly string[];
  readonly attributes: KeyAttributes;
  readonly disabledAt?: Date;
};

type GrantsRow = Pick<Team, 'grantedScopes' | 'grantedFurtherScopes' | 'grantedAttributes' | 'grantedHourlyLimit'>;

/** Of a session that belongs to a key, the member's columns are empty. */
export type MemberRightsRow = GrantsRow & {
  readonly memberId: string | null;
  readonly roles: string[];
  readonly furtherScopes: string[];
  readonly attributes: KeyAttributes;
  readonly disabledAt: Date | null;
  readonly definedRoles: readonly StoredRole[];
};

export const memberRightsColumns = [
  ...(['memberId', 'roles', 'furtherScopes', 'attributes', 'disabledAt', 'definedRoles'] as const),
  ...(['grantedScopes', 'grantedFurtherScopes', 'grantedAttributes', 'grantedHourlyLimit'] as const),
] as const;

export const storedGrantsOf = (row: GrantsRow): StoredGrants => ({
  ...(row.grantedScopes && { scopes: row.grantedScopes }),
  furtherScopes: row.grantedFurtherScopes,
  attributes: row.grantedAttributes,
  ...(row.grantedHourlyLimit !== null && { hourlyLimit: row.grantedHourlyLimit }),
});

export const memberOf = (row: MemberRightsRow & { readonly memberId: string }): StoredMemberRights => ({
  memberId: row.memberId,
  roles: row.roles,
  furtherScopes: row.furtherScopes,
  attributes: row.attributes,
  ...(row.disabledAt && { disabledAt: row.disabledAt }),
});
