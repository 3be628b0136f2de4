/**
 * Members of teams and the log of changes to them, as an administrator may see and change them. Never gives a member more than the
 * team was granted.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  canAdminister,
  isMatch,
  type ByteReply,
  type CallFrame,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import {
  AccessChange,
  Member,
  type deleteMember,
  type listAccessChanges,
  type listMembers,
  type readMember,
  type setPassword,
  type writeMember,
} from '@tessera/contracts/gateway';
import { fail, findNearestName, succeed, type Fault, type Result } from '@tessera/failures';
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import {
  countMembers,
  deleteMember as removeMember,
  deleteOAuthGrantsOf,
  deleteMemberSessions,
  deletePassword,
  findMember,
  findMemberByIdentity,
  findRemovedMember,
  hashPassword,
  listAccessChanges as readAccessChanges,
  listMembers as readMembers,
  listRoles,
  saveMember,
  savePassword,
  type MemberIdentity,
  type NewMember,
  type StoredAccessChange,
  type StoredMember,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { findGrantViolations, resolveGrants, type Grants } from '../auth/grants.js';
import { resolveMemberRights, indexRolesByName } from '../auth/member-grants.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { createTaggedReply, etagOf } from '../http/send-reply.js';
import { changedMeanwhile, runTeamAccessChange, runTeamAccessRead, thereAlready } from './access-log.js';
import { failTeamNotFound } from './key-administration.js';

type Answer<O extends typeof listMembers | typeof deleteMember> = Promise<Result<ReplyOf<O>>>;
type Roles = ReturnType<typeof indexRolesByName>;

const membersMax = 10_000;
const noMember = (memberId: string) => fail('GENERAL_NOTFOUND', `There is no member ${memberId}.`);
const hashWaitMs = 5_000;
const tooManyPasswords = fail('SERVICE_UNAVAILABLE', 'Too many passwords are set at the moment.', {
  retryAfterSeconds: 2,
});
/** Conversations, calls and evidence are kept by the id. */
const belongsToAnother = (memberId: string, { identity }: Pick<StoredMember, 'identity'>) => {
  const owner = identity ? `${identity.subject} of ${identity.issuer}` : 'a member without identity';
  const message = 'expected true when it is the same person, and another id otherwise';
  return fail(
    'GENERAL_CONFLICT',
    `The id ${memberId} belongs to ${owner}, with conversations, calls and evidence. Use another id, or say samePerson when it is the same person.`,
    { faults: [{ in: 'body', path: 'samePerson', message, rule: 'samePerson' }] },
  );
};
const tooManyMembers = fail('GENERAL_CONFLICT', `A team has at most ${membersMax} members.`);

@Injectable()
export class MemberAdministration {
  readonly #standardLimit: number;
  /** Each takes a thread and 19 MiB for a moment. Keys are teams. */
  readonly #hashing = new KeyedQueue({ limit: 1, waitingPerKeyMax: 10 });

  constructor(
    private readonly source: DataSource,
    private readonly revocations: RevocationBroadcaster,
    @Inject(settingsToken) { RATE_LIMIT_PER_HOUR }: GatewayConfiguration,
  ) {
    this.#standardLimit = RATE_LIMIT_PER_HOUR;
  }

  list(request: RequestOf<typeof listMembers>, { caller }: CallFrame): Answer<typeof listMembers> {
    const { team, after = '', pageSize } = request;
    return runTeamAccessRead(this.source, caller, team, async ({ manager, granted }) => {
      const found = await readMembers(manager, team, after, pageSize + 1);
      const members = found.slice(0, pageSize);
      const next = found.length > pageSize ? members.at(-1)?.memberId : undefined;
      const show = this.#showing(await rolesOf(manager, team), resolveGrants(granted, this.#standardLimit));
      return succeed({ members: members.map(show), ...(next !== undefined && { next }) });
    });
  }

  read({ team, memberId }: RequestOf<typeof readMember>, { caller }: CallFrame): Promise<Result<ByteReply>> {
    return runTeamAccessRead(this.source, caller, team, async ({ manager, granted }) => {
      const found = await findMember(manager, team, memberId);
      if (!found) return noMember(memberId);
      const show = this.#showing(await rolesOf(manager, team), resolveGrants(granted, this.#standardLimit));
      return succeed(createTaggedReply(show(found)));
    });
  }

  write(request: RequestOf<typeof writeMember>, frame: CallFrame): Promise<Result<ByteReply>> {
    return this.#announced(request, this.#write(request, frame));
  }

  #write(
    { team, memberId, ifMatch, ifNoneMatch, properties }: RequestOf<typeof writeMember>,
    frame: CallFrame,
  ): Promise<Result<ByteReply>> {
    return runTeamAccessChange(this.source, frame, team, async ({ manager, granted, log }) => {
      const roles = await rolesOf(manager, team);
      const grants = resolveGrants(granted, this.#standardLimit);
      const { furtherScopes, attributes } = properties;
      const faults = [
        ...faultsOfRoles(properties.roles, roles),
        ...findGrantViolations(grants, { furtherScopes, attributes }),
      ];
      if (faults.length > 0)
        return fail('GENERAL_CONSTRAINT_VIOLATION', 'The member cannot have all of this.', { faults });
      const before = await findMember(manager, team, memberId);
      const show = this.#showing(roles, grants);
      if (!isMatch(ifMatch, before && etagOf(show(before)))) return changedMeanwhile(memberId);
      if (ifNoneMatch !== undefined && before) return thereAlready(memberId);
      const wanted = memberOf(memberId, properties, before?.disabledAt);
      const holder = wanted.identity && (await findMemberByIdentity(manager, team, wanted.identity));
      if (holder && holder.memberId !== memberId)
        return fail('GENERAL_CONFLICT', `The person is the member ${holder.memberId} of the team already.`);
      const owner = before ?? (await findRemovedMember(manager, team, memberId));
      const isForSamePerson = owner === undefined || isSamePerson(owner, wanted, before !== undefined);
      if (!isForSamePerson && properties.samePerson !== true) return belongsToAnother(memberId, owner);
      if (!before && (await countMembers(manager, team)) >= membersMax) return tooManyMembers;
      const saved = await saveMember(manager, team, wanted);
      if (before && isSomebodyElse(before, saved)) await endMemberAccess(manager, team, memberId);
      if (saved.identity) await deletePassword(manager, team, memberId);
      const said = { ...loggedMember(saved), ...(!isForSamePerson && { samePerson: true }) };
      await log('member', memberId, before && loggedMember(before), said);
      return succeed(createTaggedReply(show(saved)));
    });
  }

  delete({ team, memberId, ifMatch }: RequestOf<typeof deleteMember>, frame: CallFrame): Answer<typeof deleteMember> {
    const deleting = runTeamAccessChange(this.source, frame, team, async ({ manager, granted, log }) => {
      const before = await findMember(manager, team, memberId);
      if (!before) return noMember(memberId);
      const show = this.#showing(await rolesOf(manager, team), resolveGrants(granted, this.#standardLimit));
      if (!isMatch(ifMatch, etagOf(show(before)))) return changedMeanwhile(memberId);
      await removeMember(manager, team, memberId);
      await log('member', memberId, loggedMember(before));
      return succeed({ deleted: memberId });
    });
    return this.#announced({ team, memberId }, deleting);
  }

  async setPassword(
    { team, memberId, password: { password } }: RequestOf<typeof setPassword>,
    frame: CallFrame,
  ): Promise<Result<ReplyOf<typeof setPassword>>> {
    if (!canAdminister(frame.caller, team)) return failTeamNotFound(team);
    const hashed = await this.#hash(team, password);
    if (hashed === undefined) return tooManyPasswords;
    const setting = runTeamAccessChange(this.source, frame, team, async ({ manager, record }) => {
      const member = await findMember(manager, team, memberId);
      if (!member) return noMember(memberId);
      if (member.identity) return fail('GENERAL_CONFLICT', `The member ${memberId} signs in at its issuer.`);
      await savePassword(manager, team, memberId, hashed);
      await endMemberAccess(manager, team, memberId);
      await record('password.changed', memberId, {});
      return succeed({ memberId });
    });
    return this.#announced({ team, memberId }, setting);
  }

  /** Undefined when too many of the team wait. */
  async #hash(team: string, password: string): Promise<string | undefined> {
    try {
      const release = await this.#hashing.acquire(team, { timeoutMs: hashWaitMs });
      return await hashPassword(password).finally(release);
    } catch (error) {
      if (error instanceof QueueRefusal) return undefined;
      throw error;
    }
  }

  /** What the member may do in its sessions has changed, perhaps to nothing. */
  async #announced<T>(
    { team, memberId }: { readonly team: string; readonly memberId: string },
    changing: Promise<Result<T>>,
  ): Promise<Result<T>> {
    const changed = await changing;
    if (changed.ok) this.revocations.announceSessions({ team, memberId });
    return changed;
  }

  changes(
    { team, after, pageSize }: RequestOf<typeof listAccessChanges>,
    { caller }: CallFrame,
  ): Promise<Result<ReplyOf<typeof listAccessChanges>>> {
    return runTeamAccessRead(this.source, caller, team, async ({ manager }) => {
      const found = await readAccessChanges(manager, team, after, pageSize + 1);
      const changes = found.slice(0, pageSize);
      const next = found.length > pageSize ? changes.at(-1)?.changeId : undefined;
      return succeed({ changes: changes.map(toAccessChange), ...(next !== undefined && { next }) });
    });
  }

  #showing(roles: Roles, grants: Grants): (member: StoredMember) => ReplyOf<typeof readMember> {
    return (member) => {
      const { scopes, furtherScopes, attributes } = resolveMemberRights(member, roles, grants, this.#standardLimit);
      return Member.parse({ ...shownMember(member), grants: { scopes, furtherScopes, attributes } });
    };
  }
}

/** True when the id stays with the person it belongs to. Nobody knows that of a member that is gone and had no identity. */
const isSamePerson = (
  owner: Pick<StoredMember, 'identity'>,
  wanted: Pick<NewMember, 'identity'>,
  isThere: boolean,
): boolean => (owner.identity ? isSameIdentity(owner.identity, wanted.identity) : isThere);

const isSameIdentity = (one: MemberIdentity | undefined, other: MemberIdentity | undefined): boolean =>
  one?.issuer === other?.issuer && one?.subject === other?.subject;

/** Who held the member before, or was disabled meanwhile, does not come back by what there is of then. */
const isSomebodyElse = (before: StoredMember, after: StoredMember): boolean =>
  !isSameIdentity(before.identity, after.identity) ||
  (before.disabledAt === undefined && after.disabledAt !== undefined);

/** All sessions, and whatever clients were allowed. */
const endMemberAccess = async (manager: EntityManager, team: string, memberId: string): Promise<void> => {
  await deleteMemberSessions(manager, team, memberId);
  await deleteOAuthGrantsOf(manager, team, memberId);
};

const rolesOf = async (manager: EntityManager, team: string): Promise<Roles> =>
  indexRolesByName(await listRoles(manager, team));

const faultsOfRoles = (wanted: readonly string[], roles: Roles): readonly Fault[] =>
  wanted.flatMap((role, index) => {
    if (roles.has(role)) return [];
    const nearest = findNearestName(role, [...roles.keys()]);
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
    return [
      { in: 'body' as const, path: `roles.${index}`, message: `the team has no role "${role}"${hint}`, rule: 'role' },
    ];
  });

const memberOf = (
  memberId: string,
  { displayName, identity, roles, furtherScopes, attributes, disabled }: RequestOf<typeof writeMember>['properties'],
  disabledAt: Date | undefined,
): NewMember => ({
  ...{ memberId, displayName, roles: [...new Set(roles)] },
  ...(identity && { identity }),
  furtherScopes: [...new Set(furtherScopes)],
  attributes: attributes ?? {},
  ...(disabled && { disabledAt: disabledAt ?? new Date() }),
});

const shownMember = ({ createdAt, disabledAt, ...member }: StoredMember) => ({
  ...member,
  createdAt: createdAt.toISOString(),
  ...(disabledAt && { disabledAt: disabledAt.toISOString() }),
});

/** What an administrator says of a member. */
const loggedMember = (member: StoredMember): object => {
  const { memberId: _, createdAt: _at, ...said } = shownMember(member);
  return said;
};

const toAccessChange = ({ changedAt, detail, ...change }: StoredAccessChange) =>
  AccessChange.parse({ ...change, ...detail, changedAt: changedAt.toISOString() });
