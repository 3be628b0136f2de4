/** The members that the operator's issuer knows by a subject, with what each may do at this moment. */
import { succeed } from '@tessera/failures';
import { toOutageFailure, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  findMember,
  findMemberships,
  findTeamInTransaction,
  listRoles,
  type Membership,
} from '@tessera/persistence/gateway';
import type { DataSource } from 'typeorm';
import type { FindMembersOf } from './token-caller.js';
import { refuseCredential, type VerificationResult } from './verification.js';
import { resolveMemberCaller } from './verify-member.js';

type Finding = { readonly issuer: string; readonly standardLimit: number };

/** Fails when the database is away. */
export const membersFinder =
  (pool: Pool, source: DataSource, { issuer, standardLimit }: Finding): FindMembersOf =>
  async (subject) => {
    try {
      const memberships = await findMemberships(pool, { issuer, subject });
      const enabled = memberships.filter(({ disabledAt }) => disabledAt === null);
      const isOnly = enabled.length === 1;
      const members = enabled.map(async (each) => ({
        ...{ team: each.team, memberId: each.memberId },
        // Of several none is chosen, so it does not matter what they are worth.
        worth: isOnly ? await worthOf(source, each, standardLimit) : severalTeams,
      }));
      return succeed(await Promise.all(members));
    } catch (error) {
      const failure = toOutageFailure(error);
      if (!failure) throw error;
      return { ok: false, failure: { ...failure, detail: 'The credential cannot be checked at the moment.' } };
    }
  };

const severalTeams = refuseCredential('its subject is a member of several teams');

const worthOf = (
  source: DataSource,
  { team, memberId }: Membership,
  standardLimit: number,
): Promise<VerificationResult> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    const member = await findMember(manager, team, memberId);
    const found = await findTeamInTransaction(manager, team);
    if (!member || !found) return refuseCredential(`the member ${memberId} was removed`);
    const definedRoles = await listRoles(manager, team);
    return resolveMemberCaller({ team, member, definedRoles, granted: found.grants }, standardLimit, Date.now());
  });
