/** What a session or a grant is worth at this moment: the rights of its member, as far as the team was granted them. */
import { readCallerAttributes, partitionScopes, type Caller } from '@tessera/contracts';
import type { StoredGrants, StoredMemberRights, StoredRole } from '@tessera/persistence/gateway';
import { resolveGrants } from './grants.js';
import { resolveMemberRights, indexRolesByName } from './member-grants.js';
import { refuseCredential, type VerificationResult } from './verification.js';

export type MemberOfTeam = {
  readonly team: string;
  readonly member: StoredMemberRights;
  readonly definedRoles: readonly StoredRole[];
  readonly granted: StoredGrants;
};

/** A message that something has changed may be lost. */
export const memberTrustMs = 5_000;

export const resolveMemberCaller = (
  { team, member, definedRoles, granted }: MemberOfTeam,
  standardLimit: number,
  nowMs: number,
): VerificationResult => {
  if (member.disabledAt) return refuseCredential(`the member ${member.memberId} is disabled`);
  const worth = resolveMemberRights(
    member,
    indexRolesByName(definedRoles),
    resolveGrants(granted, standardLimit),
    standardLimit,
  );
  const attributes = readCallerAttributes(worth.attributes);
  const subject = `member:${member.memberId}`;
  const caller: Caller = Object.freeze({
    team,
    subject,
    ...partitionScopes([...worth.scopes, ...worth.furtherScopes]),
    ...(attributes && { attributes }),
  });
  return {
    ok: true,
    value: { caller, credential: subject, hourlyLimit: worth.hourlyLimit, validUntilMs: nowMs + memberTrustMs },
  };
};
