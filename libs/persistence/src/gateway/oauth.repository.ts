/**
 * What the authorization server keeps. Never stores what a client or a browser keeps: only its SHA-256, and payloads without it. What takes a
 * manager runs as the team; what is found by such a secret, or by the id in a token, is found before the team is known.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { selectColumns } from '../data-source.js';
import type { StoredGrants } from './api-keys.repository.js';
import type { OAuthClient } from './entities/oauth-client.entity.js';
import { OAuthGrant } from './entities/oauth-grant.entity.js';
import { OAuthToken, type OAuthTokenKind } from './entities/oauth-token.entity.js';
import {
  memberOf,
  memberRightsColumns,
  storedGrantsOf,
  type MemberRightsRow,
  type StoredMemberRights,
} from './member-rights.js';
import type { StoredRole } from './members.repository.js';
import type { NewLogout } from './single-sign-on.repository.js';

export type { OAuthTokenKind };
type Queries = Pick<pg.Pool, 'query'>;
/** JSON as the authorization server has it. */
export type OAuthPayload = Readonly<Record<string, unknown>>;

export type NewOAuthGrant = {
  readonly grantId: string;
  readonly memberId: string;
  readonly clientId: string;
  readonly payload: OAuthPayload;
  readonly lifetimeSeconds: number;
};

export type IssuerGrant = Pick<OAuthGrant, 'grantId' | 'memberId' | 'clientId'> & { readonly team: string };

/** With what its member may do now. */
export type FoundOAuthGrant = Pick<OAuthGrant, 'grantId' | 'clientId' | 'expiresAt'> & {
  readonly team: string;
  readonly payload: OAuthPayload;
  readonly member: StoredMemberRights;
  readonly definedRoles: readonly StoredRole[];
  readonly granted: StoredGrants;
};

export type ListedOAuthGrant = Pick<OAuthGrant, 'grantId' | 'memberId' | 'clientId' | 'createdAt' | 'expiresAt'> & {
  readonly payload: OAuthPayload;
};

export type FoundOAuthToken = Pick<OAuthToken, 'grantId' | 'consumedAt'> & {
  readonly team: string;
  readonly payload: OAuthPayload;
};

export type NewOAuthToken = {
  readonly kind: OAuthTokenKind;
  readonly id: string;
  readonly grantId: string;
  readonly payload: OAuthPayload;
  readonly lifetimeSeconds: number;
};

/** A client that registered itself; `secretDigest` in hex when it keeps a secret. */
export type StoredOAuthClient = { readonly metadata: OAuthPayload; readonly secretDigest?: string };

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** JSON has this character only as an escape, so the text tells where the id was. */
const idPlaceholder = '\u0001';
const withoutId = (payload: OAuthPayload, id: string): string =>
  JSON.stringify(payload).replaceAll(id, () => idPlaceholder);
const Payload = z.record(z.string(), z.unknown());
const payloadOf = (text: string): OAuthPayload => Payload.parse(JSON.parse(text));
const withId = (text: string, id: string): OAuthPayload => payloadOf(text.replaceAll(idPlaceholder, () => id));

export const saveOAuthInteraction = async (
  pool: Queries,
  id: string,
  payload: OAuthPayload,
  lifetimeSeconds: number,
): Promise<void> =>
  void (await pool.query(
    `insert into gateway.oauth_interaction (digest, payload, expires_at)
     values ($1, $2, now() + make_interval(secs => $3))
     on conflict (digest) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [digestOf(id), withoutId(payload, id), lifetimeSeconds],
  ));

/** Undefined when there is none, or none any more. */
export const findOAuthInteraction = async (pool: Queries, id: string): Promise<OAuthPayload | undefined> => {
  const { rows } = await pool.query<{ readonly payload: string }>(
    'select payload from gateway.oauth_interaction where digest = $1 and expires_at > now()',
    [digestOf(id)],
  );
  return rows[0] && withId(rows[0].payload, id);
};

export const deleteOAuthInteraction = async (pool: Queries, id: string): Promise<void> =>
  void (await pool.query('delete from gateway.oauth_interaction where digest = $1', [digestOf(id)]));

/** Of a member of the team; saved again, it has another payload and end. */
export const saveOAuthGrant = async (
  manager: EntityManager,
  team: string,
  { payload, lifetimeSeconds, ...grant }: NewOAuthGrant,
): Promise<void> =>
  void (await manager.upsert(
    OAuthGrant,
    {
      ...{ tenant: team, ...grant, payload: JSON.stringify(payload) },
      expiresAt: () => `now() + make_interval(secs => ${Number(lifetimeSeconds)})`,
    },
    ['tenant', 'grantId'],
  ));

type GrantRow = Omit<OAuthGrant, 'memberId' | 'createdAt' | 'issuerSession' | 'member'> &
  MemberRightsRow & { readonly memberId: string };

const grantColumns = selectColumns<GrantRow>(
  ...(['tenant', 'grantId', 'clientId', 'payload', 'expiresAt'] as const),
  ...memberRightsColumns,
);

/** The grants of these ids, whoever's they are, ended ones as well; unknown ids are left out. */
export const findOAuthGrants = async (
  pool: Queries,
  grantIds: readonly string[],
): Promise<readonly FoundOAuthGrant[]> => {
  const { rows } = await pool.query<GrantRow>({
    name: 'find_oauth_grants',
    text: `select ${grantColumns} from gateway.find_oauth_grants($1)`,
    values: [grantIds],
  });
  return rows.map((row) => ({
    ...{ team: row.tenant, grantId: row.grantId, clientId: row.clientId, expiresAt: row.expiresAt },
    ...{ payload: payloadOf(row.payload), definedRoles: row.definedRoles },
    member: memberOf(row),
    granted: storedGrantsOf(row),
  }));
};

/** The grant ends with this session of the issuer. */
export const keepGrantOrigin = async (
  manager: EntityManager,
  team: string,
  grantId: string,
  issuerSession: string,
): Promise<void> => void (await manager.update(OAuthGrant, { tenant: team, grantId }, { issuerSession }));

/**
 * Grants of members whom the issuer knows by the subject, or that were given in its session, in all teams; with both, what fits both. One of
 * which nobody knows the session fits every session of its person. Of neither there are none.
 */
export const findGrantsFromIssuer = async (
  pool: Queries,
  { issuer, subject, issuerSession }: Pick<NewLogout, 'issuer' | 'subject' | 'issuerSession'>,
): Promise<readonly IssuerGrant[]> => {
  const { rows } = await pool.query<IssuerGrant>({
    name: 'find_issuer_grants',
    text: `select tenant as team, ${selectColumns<IssuerGrant>('grantId', 'memberId', 'clientId')}
           from gateway.find_issuer_grants($1, $2, $3)`,
    values: [issuer, subject, issuerSession],
  });
  return rows;
};

/** With all of its tokens. True when it was there. */
export const deleteOAuthGrant = async (manager: EntityManager, team: string, grantId: string): Promise<boolean> =>
  (await manager.delete(OAuthGrant, { tenant: team, grantId })).affected === 1;

type OAuthGrantsPage = {
  readonly grantId?: string | undefined;
  readonly memberId?: string | undefined;
  /** The grant that ends the page before. */
  readonly after?: string | undefined;
  readonly grantsMax?: number;
};

/** Those of the team that have not ended, the newest first. */
export const listOAuthGrants = async (
  manager: EntityManager,
  team: string,
  { grantId, memberId, after, grantsMax }: OAuthGrantsPage,
): Promise<readonly ListedOAuthGrant[]> => {
  const grants = manager
    .createQueryBuilder(OAuthGrant, 'held')
    .where('held.tenant = :team and held.expiresAt > now()', { team })
    .orderBy({ 'held.createdAt': 'DESC', 'held.grantId': 'DESC' })
    .limit(grantsMax);
  if (grantId !== undefined) grants.andWhere('held.grantId = :grantId', { grantId });
  if (memberId !== undefined) grants.andWhere('held.memberId = :memberId', { memberId });
  if (after !== undefined)
    grants.andWhere(
      `(held.createdAt, held.grantId) <
         (select created_at, grant_id from gateway.oauth_grant where tenant = :team and grant_id = :after)`,
      { after },
    );
  return (await grants.getMany()).map(({ payload, ...grant }) => ({ ...grant, payload: payloadOf(payload) }));
};

/** All of a member. */
export const deleteOAuthGrantsOf = async (manager: EntityManager, team: string, memberId: string): Promise<void> =>
  void (await manager.delete(OAuthGrant, { tenant: team, memberId }));

/** Of a grant of the team. False when the grant has ended. */
export const insertOAuthToken = async (
  manager: EntityManager,
  team: string,
  { kind, id, grantId, payload, lifetimeSeconds }: NewOAuthToken,
): Promise<boolean> => {
  const lock = { mode: 'for_key_share' } as const;
  if (!(await manager.findOne(OAuthGrant, { where: { tenant: team, grantId }, lock }))) return false;
  await manager.insert(OAuthToken, {
    ...{ tenant: team, kind, grantId, digest: digestOf(id), payload: withoutId(payload, id) },
    expiresAt: () => `now() + make_interval(secs => ${Number(lifetimeSeconds)})`,
  });
  return true;
};

/** Used ones and expired ones as well, until they are deleted. */
export const findCodeOrRefreshToken = async (
  pool: Queries,
  kind: OAuthTokenKind,
  id: string,
): Promise<FoundOAuthToken | undefined> => {
  const { rows } = await pool.query<Pick<OAuthToken, 'tenant' | 'grantId' | 'kind' | 'payload' | 'consumedAt'>>({
    name: 'find_oauth_token',
    text: `select ${selectColumns<OAuthToken>('tenant', 'grantId', 'kind', 'payload', 'consumedAt')}
           from gateway.find_oauth_token($1)`,
    values: [digestOf(id)],
  });
  const [row] = rows;
  if (row?.kind !== kind) return undefined;
  return { team: row.tenant, grantId: row.grantId, consumedAt: row.consumedAt, payload: withId(row.payload, id) };
};

/** True for the first of all who use it. */
export const consumeOAuthToken = async (manager: EntityManager, team: string, id: string): Promise<boolean> => {
  const { affected } = await manager
    .createQueryBuilder()
    .update(OAuthToken)
    .set({ consumedAt: () => 'now()' })
    .where('tenant = :team and digest = :digest and consumed_at is null', { team, digest: digestOf(id) })
    .execute();
  return affected === 1;
};

export const deleteOAuthToken = async (manager: EntityManager, team: string, id: string): Promise<void> =>
  void (await manager.delete(OAuthToken, { tenant: team, digest: digestOf(id) }));

type NewOAuthClient = {
  readonly clientId: string;
  readonly metadata: OAuthPayload;
  readonly secret?: string | undefined;
  /** Until it is used for the first time. */
  readonly lifetimeSeconds: number;
  /** Beyond it those that were registered first and never used make way. */
  readonly clientsMax: number;
};

/** False when there are too many clients that are used. */
export const registerOAuthClient = async (
  pool: Queries,
  { clientId, metadata, secret, lifetimeSeconds, clientsMax }: NewOAuthClient,
): Promise<boolean> => {
  await pool.query(
    `delete from gateway.oauth_client where client_id in (
       select client_id from gateway.oauth_client where used_at is null order by registered_at
       limit greatest(0, (select count(*) from gateway.oauth_client) + 1 - $1) for update skip locked)`,
    [clientsMax],
  );
  const { rowCount } = await pool.query(
    `insert into gateway.oauth_client (client_id, metadata, secret_digest, expires_at)
     select $1, $2, $3, now() + make_interval(secs => $4)
     where (select count(*) from gateway.oauth_client) < $5`,
    [clientId, JSON.stringify(metadata), secret === undefined ? null : digestOf(secret), lifetimeSeconds, clientsMax],
  );
  return rowCount === 1;
};

/** What no client has as its id is not asked for. */
const clientIdPattern = /^[\x21-\x7e]{1,2048}$/;

/** Undefined when there is none, or none any more. */
export const findOAuthClient = async (pool: Queries, clientId: string): Promise<StoredOAuthClient | undefined> => {
  if (!clientIdPattern.test(clientId)) return undefined;
  const { rows } = await pool.query<{ readonly metadata: OAuthPayload } & Pick<OAuthClient, 'secretDigest'>>(
    `select ${selectColumns<OAuthClient>('metadata', 'secretDigest')} from gateway.oauth_client
     where client_id = $1 and expires_at > now()`,
    [clientId],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { metadata, secretDigest } = row;
  return { metadata, ...(secretDigest && { secretDigest: secretDigest.toString('hex') }) };
};

/** Whether the secret is the one with this digest (hex), in the same time for every other one. */
export const oauthSecretMatches = (secret: string, digest: string): boolean =>
  timingSafeEqual(digestOf(secret), Buffer.from(digest, 'hex'));

/** It lives on for so long; written at most once a day. A client that never registered has no row. */
export const markOAuthClientUsed = async (pool: Queries, clientId: string, lifetimeSeconds: number): Promise<void> =>
  void (await pool.query(
    `update gateway.oauth_client set used_at = now(), expires_at = now() + make_interval(secs => $2)
     where client_id = $1 and (used_at is null or used_at < now() - interval '1 day')`,
    [clientId, lifetimeSeconds],
  ));

/** What has expired of all kinds, at most so many of each. Answers how many rows went. */
export const deleteExpiredOAuth = async (pool: Queries, rowsMax: number): Promise<number> => {
  const counts = await Promise.all([
    deleteExpired(pool, 'oauth_interaction', 'digest', rowsMax),
    deleteExpired(pool, 'oauth_client', 'client_id', rowsMax),
    pool
      .query<{ readonly deleted: number }>('select gateway.delete_expired_oauth($1) as deleted', [rowsMax])
      .then(({ rows }) => rows[0]?.deleted ?? 0),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
};

const deleteExpired = async (
  pool: Queries,
  table: 'oauth_interaction' | 'oauth_client',
  key: 'digest' | 'client_id',
  rowsMax: number,
): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from gateway.${table} where ${key} in (
       select ${key} from gateway.${table} where expires_at < now() limit $1 for update skip locked)`,
    [rowsMax],
  );
  return rowCount ?? 0;
};
