/**
 * Sessions of people in browsers, and the passwords of members whom no issuer knows. Everything runs as a team, but finding sessions
 * by what browsers send. Never stores what a browser keeps: only its digest.
 */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LessThan, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { selectColumns } from '../data-source.js';
import type { StoredGrants } from './api-keys.repository.js';
import { LocalUser } from './entities/local-user.entity.js';
import { Session } from './entities/session.entity.js';
import {
  memberOf,
  memberRightsColumns,
  storedGrantsOf,
  type MemberRightsRow,
  type StoredMemberRights,
} from './member-rights.js';
import type { StoredRole } from './members.repository.js';
import type { NamedPerson } from './single-sign-on.repository.js';

/** Whose session it is: one of both. */
export type SessionHolder =
  | { readonly memberId: string; readonly keyId?: undefined }
  | { readonly keyId: string; readonly memberId?: undefined };

export type NewSession = {
  readonly holder: SessionHolder;
  readonly userAgent: string;
  readonly lifetimeSeconds: number;
  /** Of one that began at the issuer of the operator. */
  readonly origin?: Pick<NamedPerson, 'issuer' | 'subject' | 'issuerSession' | 'idToken'>;
};

export type ListedSession = Pick<Session, 'sessionId' | 'createdAt' | 'lastSeenAt' | 'endsAt' | 'userAgent'>;

/** A session with what its member may do now; of a key, whose rights are found by its id, there is no member. */
export type ResolvedSession = Pick<Session, 'sessionId' | 'createdAt' | 'lastSeenAt' | 'endsAt' | 'keyId'> & {
  readonly team: string;
  readonly digest: string;
  readonly member?: StoredMemberRights;
  readonly definedRoles: readonly StoredRole[];
  readonly granted: StoredGrants;
};

const secretBytes = 32;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** What the browser keeps -> what is stored; undefined when it is none that was ever given. */
export const digestSessionSecret = (secret: string): string | undefined =>
  secretPattern.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined;

/** What the browser keeps is returned only here. */
export const insertSession = async (
  manager: EntityManager,
  team: string,
  { holder, userAgent, lifetimeSeconds, origin }: NewSession,
): Promise<ListedSession & { readonly secret: string }> => {
  const secret = randomBytes(secretBytes).toString('base64url');
  const inserted = await manager.insert(Session, {
    ...{ tenant: team, userAgent, ...holderColumns(holder), ...originColumns(origin) },
    digest: createHash('sha256').update(secret).digest(),
    endsAt: () => `now() + make_interval(secs => ${Number(lifetimeSeconds)})`,
  });
  const sessionId = String(inserted.identifiers[0]?.['sessionId']);
  return { ...listedOf(await manager.findOneByOrFail(Session, { tenant: team, sessionId })), secret };
};

/** The newest first. */
export const listSessions = async (
  manager: EntityManager,
  team: string,
  holder: SessionHolder,
): Promise<readonly ListedSession[]> => {
  const where = { tenant: team, ...ownedBy(holder) };
  return (await manager.find(Session, { where, order: { sessionId: 'desc' } })).map(listedOf);
};

type TeamSessionsPage = {
  readonly memberId?: string | undefined;
  /** The session that ends the page before. */
  readonly after?: string | undefined;
  /** Those without a request since then have ended. */
  readonly idleSince: Date;
  readonly sessionsMax: number;
};

/** Open sessions of the team, the newest first, with their holders. */
export const listTeamSessions = async (
  manager: EntityManager,
  team: string,
  { memberId, after, idleSince, sessionsMax }: TeamSessionsPage,
): Promise<readonly (ListedSession & SessionHolder)[]> => {
  const found = await manager.find(Session, {
    where: {
      ...{ tenant: team, endsAt: MoreThan(new Date()), lastSeenAt: MoreThan(idleSince) },
      ...(memberId !== undefined && { memberId }),
      ...(after !== undefined && { sessionId: LessThan(after) }),
    },
    ...{ order: { sessionId: 'desc' }, take: sessionsMax },
  });
  return found.map((each) => ({ ...listedOf(each), ...holderOf(each) }));
};

/** Whose session of the team it is; undefined when there is none. */
export const findSessionHolder = async (
  manager: EntityManager,
  team: string,
  sessionId: string,
): Promise<SessionHolder | undefined> => {
  const found = await manager.findOneBy(Session, { tenant: team, sessionId });
  return found ? holderOf(found) : undefined;
};

/** True when the holder had it. */
export const deleteSession = async (
  manager: EntityManager,
  team: string,
  holder: SessionHolder,
  sessionId: string,
): Promise<boolean> => {
  const { affected } = await manager.delete(Session, { tenant: team, sessionId, ...ownedBy(holder) });
  return affected === 1;
};

/** Whether the session is there; a transaction that is about to delete it is waited for. */
export const isSessionHeld = async (manager: EntityManager, team: string, sessionId: string): Promise<boolean> => {
  const lock = { mode: 'for_key_share' } as const;
  return (await manager.findOne(Session, { where: { tenant: team, sessionId }, lock })) !== null;
};

/** Ends all sessions of a member. */
export const deleteMemberSessions = async (manager: EntityManager, team: string, memberId: string): Promise<void> =>
  void (await manager.delete(Session, { tenant: team, memberId }));

/** Those that ended by themselves, and the oldest beyond `sessionsMax`. Answers the ids of the latter. */
export const pruneSessions = async (
  manager: EntityManager,
  team: string,
  holder: SessionHolder,
  { idleSince, sessionsMax }: { readonly idleSince: Date; readonly sessionsMax: number },
): Promise<readonly string[]> => {
  const own = { tenant: team, ...ownedBy(holder) };
  await manager.delete(Session, { ...own, lastSeenAt: LessThan(idleSince) });
  await manager.delete(Session, { ...own, endsAt: LessThan(new Date()) });
  const beyond = await manager.find(Session, { where: own, order: { sessionId: 'desc' }, skip: sessionsMax });
  if (beyond.length > 0)
    await manager.remove(
      Session,
      beyond.map((each) => ({ ...each })),
    );
  return beyond.map(({ sessionId }) => sessionId);
};

/** The instant only ever rises. */
export const markSessionSeen = async (
  manager: EntityManager,
  team: string,
  sessionId: string,
  seenAt: Date,
): Promise<void> =>
  void (await manager.update(
    Session,
    { tenant: team, sessionId, lastSeenAt: LessThan(seenAt) },
    { lastSeenAt: seenAt },
  ));

const sessionColumns = ['tenant', 'sessionId', 'digest', 'keyId', 'createdAt', 'lastSeenAt', 'endsAt'] as const;
type FoundRow = Pick<Session, (typeof sessionColumns)[number]> & MemberRightsRow;

const foundColumns = selectColumns<FoundRow>(...sessionColumns, ...memberRightsColumns);

/** The sessions of these digests, whoever holds them, ended ones as well; unknown digests are left out. */
export const findSessions = async (
  pool: Pick<pg.Pool, 'query'>,
  digests: readonly string[],
): Promise<readonly ResolvedSession[]> => {
  const { rows } = await pool.query<FoundRow>({
    name: 'find_sessions',
    text: `select ${foundColumns} from gateway.find_sessions($1)`,
    values: [digests.map((digest) => Buffer.from(digest, 'hex'))],
  });
  return rows.map(foundOf);
};

/** The password as it is stored, and the networks from which the member signed in with one, the last one first. */
export const findPassword = async (
  manager: EntityManager,
  team: string,
  memberId: string,
): Promise<Pick<LocalUser, 'password' | 'networks'> | undefined> =>
  (await manager.findOneBy(LocalUser, { tenant: team, memberId })) ?? undefined;

const networksMax = 8;

/** The member signed in from there. */
export const addNetwork = async (
  manager: EntityManager,
  team: string,
  memberId: string,
  network: string,
): Promise<void> =>
  void (await manager.query(
    `update gateway.local_user set networks = (array_prepend($3::text, array_remove(networks, $3)))[1:${networksMax}]
     where tenant = $1 and member_id = $2`,
    [team, memberId, network],
  ));

/** The password as it is stored; nobody changes it before the transaction ends. */
export const lockPassword = async (
  manager: EntityManager,
  team: string,
  memberId: string,
): Promise<string | undefined> => {
  const lock = { mode: 'pessimistic_read' } as const;
  return (await manager.findOne(LocalUser, { where: { tenant: team, memberId }, lock }))?.password;
};

/** Of an existing member; `password` as `hashPassword` makes it. */
export const savePassword = async (
  manager: EntityManager,
  team: string,
  memberId: string,
  password: string,
): Promise<void> =>
  void (await manager.upsert(LocalUser, { tenant: team, memberId, password, changedAt: () => 'now()' }, [
    ...(['tenant', 'memberId'] as const),
  ]));

/** For good: the member signs in at its issuer. */
export const deletePassword = async (manager: EntityManager, team: string, memberId: string): Promise<void> =>
  void (await manager.delete(LocalUser, { tenant: team, memberId }));

const holderColumns = ({ memberId, keyId }: SessionHolder) => ({ memberId: memberId ?? null, keyId: keyId ?? null });

const originColumns = (origin: NewSession['origin']) =>
  origin && {
    ...{ issuer: origin.issuer, subject: origin.subject, idToken: origin.idToken },
    issuerSession: origin.issuerSession || null,
  };

const holderOf = ({ memberId, keyId }: Session): SessionHolder =>
  memberId === null ? { keyId: keyId ?? '' } : { memberId };

const ownedBy = ({ memberId, keyId }: SessionHolder): FindOptionsWhere<Session> =>
  memberId === undefined ? { keyId } : { memberId };

const listedOf = ({ sessionId, createdAt, lastSeenAt, endsAt, userAgent }: Session): ListedSession => ({
  ...{ sessionId, createdAt, lastSeenAt, endsAt, userAgent },
});

const foundOf = (row: FoundRow): ResolvedSession => {
  const { tenant, digest, memberId, sessionId, createdAt, lastSeenAt, endsAt, keyId, definedRoles } = row;
  return {
    ...{ team: tenant, sessionId, createdAt, lastSeenAt, endsAt, keyId, definedRoles },
    digest: digest.toString('hex'),
    ...(memberId !== null && { member: memberOf({ ...row, memberId }) }),
    granted: storedGrantsOf(row),
  };
};
