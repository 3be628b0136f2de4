/**
 * The members of teams, the roles that teams defined, and the log of changes to both. What takes a manager runs in a transaction of
 * the team; who writes holds the lock of the team, so that what was checked still holds when it is written.
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { LessThan, MoreThan, Raw, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { selectColumns } from '../data-source.js';
import { findTeamInTransaction, type StoredTeam } from './api-keys.repository.js';
import { AccessChange } from './entities/access-change.entity.js';
import { AccessRole } from './entities/access-role.entity.js';
import type { KeyAttributes } from './entities/api-key.entity.js';
import { Member } from './entities/member.entity.js';
import { RefusedNameKey } from './entities/refused-name-key.entity.js';
import { Team } from './entities/team.entity.js';

/** Who somebody is to an issuer of tokens. */
export type MemberIdentity = { readonly issuer: string; readonly subject: string };

export type NewMember = {
  readonly memberId: string;
  readonly displayName: string;
  /** Absent for somebody whom no issuer knows. */
  readonly identity?: MemberIdentity;
  readonly roles: readonly string[];
  readonly furtherScopes: readonly string[];
  readonly attributes: KeyAttributes;
  /** Absent for somebody who may act. */
  readonly disabledAt?: Date;
};

export type StoredMember = NewMember & { readonly createdAt: Date };

export type StoredRole = {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly furtherScopes: readonly string[];
};

export type NewAccessChange = Pick<AccessChange, 'subject' | 'subjectTeam' | 'requestId' | 'action' | 'target'> & {
  readonly detail: object;
};
export type StoredAccessChange = NewAccessChange & Pick<AccessChange, 'changeId' | 'changedAt'>;

/** A team in which a person is a member. */
export type Membership = {
  readonly team: string;
  readonly teamName: string;
  readonly memberId: string;
  readonly displayName: string;
  readonly disabledAt: Date | null;
};

/** Until the end of the transaction nobody else changes members and roles of the team. Undefined when there is no such team. */
export const lockTeam = async (manager: EntityManager, team: string): Promise<StoredTeam | undefined> => {
  await manager.findOne(Team, { where: { tenant: team }, lock: { mode: 'for_no_key_update' } });
  return findTeamInTransaction(manager, team);
};

export const findMember = async (
  manager: EntityManager,
  team: string,
  memberId: string,
): Promise<StoredMember | undefined> => {
  const found = await manager.findOneBy(Member, { tenant: team, memberId });
  return found ? memberOf(found) : undefined;
};

/** As `findMember`; nobody changes the member before the transaction ends. */
export const lockMember = async (
  manager: EntityManager,
  team: string,
  memberId: string,
): Promise<StoredMember | undefined> => {
  const lock = { mode: 'pessimistic_read' } as const;
  const found = await manager.findOne(Member, { where: { tenant: team, memberId }, lock });
  return found ? memberOf(found) : undefined;
};

/** Whether the member is enabled and is the one whom the issuer has named, or, without `named`, one whom no issuer knows. */
export const isEnabledAs = (member: StoredMember | undefined, named: MemberIdentity | undefined): boolean =>
  member !== undefined &&
  member.disabledAt === undefined &&
  member.identity?.issuer === named?.issuer &&
  member.identity?.subject === named?.subject;

/** The member of the team whom the issuer knows by this subject. */
export const findMemberByIdentity = async (
  manager: EntityManager,
  team: string,
  { issuer, subject }: MemberIdentity,
): Promise<StoredMember | undefined> => {
  const found = await manager.findOneBy(Member, { tenant: team, issuer, subject });
  return found ? memberOf(found) : undefined;
};

/** The member that had the id and was removed last. Undefined when there never was one. */
export const findRemovedMember = async (
  manager: EntityManager,
  team: string,
  memberId: string,
): Promise<Pick<StoredMember, 'identity'> | undefined> => {
  const [removal] = await manager.find(AccessChange, {
    where: { tenant: team, action: 'member.removed', target: memberId },
    order: { changeId: 'desc' },
    take: 1,
  });
  return removal && Removal.parse(removal.detail).before;
};

const Removal = z.object({
  before: z.object({ identity: z.object({ issuer: z.string(), subject: z.string() }).exactOptional() }),
});

/** In the order of their ids, starting after `after`. */
export const listMembers = async (
  manager: EntityManager,
  team: string,
  after: string,
  membersMax: number,
): Promise<readonly StoredMember[]> => {
  const where = { tenant: team, memberId: MoreThan(after) };
  return (await manager.find(Member, { where, order: { memberId: 'asc' }, take: membersMax })).map(memberOf);
};

/** Adds the member, or replaces all that was known of it but the instant at which it was added. */
export const saveMember = async (
  manager: EntityManager,
  team: string,
  { identity, disabledAt, roles, furtherScopes, ...member }: NewMember,
): Promise<StoredMember> => {
  const place = { tenant: team, memberId: member.memberId };
  const row = {
    ...{ ...place, ...member },
    issuer: identity?.issuer ?? '',
    subject: identity?.subject ?? member.memberId,
    roles: [...roles],
    furtherScopes: [...furtherScopes],
    disabledAt: disabledAt ?? null,
  };
  await manager.upsert(Member, row, ['tenant', 'memberId']);
  return memberOf(await manager.findOneByOrFail(Member, place));
};

export const deleteMember = async (manager: EntityManager, team: string, memberId: string): Promise<void> =>
  void (await manager.delete(Member, { tenant: team, memberId }));

export const countMembers = (manager: EntityManager, team: string): Promise<number> =>
  manager.countBy(Member, { tenant: team });

/** How many members have the role. */
export const countRoleHolders = (manager: EntityManager, team: string, role: string): Promise<number> =>
  manager.countBy(Member, { tenant: team, roles: Raw((column) => `:role = any(${column})`, { role }) });

/** The roles that the team defined, by their names. */
export const listRoles = async (manager: EntityManager, team: string): Promise<readonly StoredRole[]> =>
  (await manager.find(AccessRole, { where: { tenant: team }, order: { name: 'asc' } })).map(roleOf);

/** Adds or replaces the role. */
export const saveRole = async (
  manager: EntityManager,
  team: string,
  { scopes, furtherScopes, ...role }: StoredRole,
): Promise<void> =>
  void (await manager.upsert(
    AccessRole,
    { tenant: team, ...role, scopes: [...scopes], furtherScopes: [...furtherScopes] },
    ['tenant', 'name'],
  ));

export const deleteRole = async (manager: EntityManager, team: string, name: string): Promise<void> =>
  void (await manager.delete(AccessRole, { tenant: team, name }));

export const addAccessChange = async (manager: EntityManager, team: string, change: NewAccessChange): Promise<void> =>
  void (await manager.insert(AccessChange, { tenant: team, ...change }));

const digestLength = 16;

/** A typed name that is no member's, as the log of the team may have it. */
export const digestRefusedName = async (manager: EntityManager, team: string, name: string): Promise<string> => {
  const { key } = await manager.findOneByOrFail(RefusedNameKey, { isOnly: true });
  return `name:${createHmac('sha256', key).update(`${team}\n${name}`).digest('hex').slice(0, digestLength)}`;
};

/** Of all teams, after 30 days and at most so many. Answers how many went. */
export const deleteOldRefusals = async (pool: Pick<pg.Pool, 'query'>, rowsMax: number): Promise<number> => {
  const { rows } = await pool.query<{ readonly deleted: number }>('select gateway.delete_old_refusals($1) as deleted', [
    rowsMax,
  ]);
  return rows[0]?.deleted ?? 0;
};

/** The newest first, those before `before`. */
export const listAccessChanges = (
  manager: EntityManager,
  team: string,
  before: string | undefined,
  changesMax: number,
): Promise<readonly StoredAccessChange[]> =>
  manager.find(AccessChange, {
    where: { tenant: team, ...(before !== undefined && { changeId: LessThan(before) }) },
    order: { changeId: 'desc' },
    take: changesMax,
  });

const membershipColumns = selectColumns<Membership>('teamName', 'memberId', 'displayName', 'disabledAt');

/** The teams in which the person is a member, by their ids; also those in which the person is disabled. */
export const findMemberships = async (
  pool: Pick<pg.Pool, 'query'>,
  { issuer, subject }: MemberIdentity,
): Promise<readonly Membership[]> => {
  const { rows } = await pool.query<Membership>({
    name: 'find_memberships',
    text: `select tenant as team, ${membershipColumns} from gateway.find_memberships($1, $2)`,
    values: [issuer, subject],
  });
  return rows;
};

const memberOf = ({ issuer, subject, disabledAt, ...member }: Member): StoredMember => ({
  memberId: member.memberId,
  displayName: member.displayName,
  ...(issuer !== '' && { identity: { issuer, subject } }),
  roles: member.roles,
  furtherScopes: member.furtherScopes,
  attributes: member.attributes,
  createdAt: member.createdAt,
  ...(disabledAt && { disabledAt }),
});

const roleOf = ({ name, description, scopes, furtherScopes }: AccessRole): StoredRole => ({
  ...{ name, description, scopes, furtherScopes },
});
