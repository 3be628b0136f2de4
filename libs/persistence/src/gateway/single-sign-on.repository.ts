/**
 * What single sign-on keeps beside sessions: people whom the issuer has named until they have a session, and the sign-outs that it has
 * told. Neither belongs to a team. Rows have the SHA-256 of what a browser keeps.
 */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { selectColumns } from '../data-source.js';
import type { IssuerLogout } from './entities/issuer-logout.entity.js';
import type { NamedPerson as NamedPersonRow } from './entities/named-person.entity.js';
import { Session } from './entities/session.entity.js';

type Queries = Pick<pg.Pool, 'query'>;

/** What the issuer said of a person; the session of the issuer is empty when it names none. */
export type NamedPerson = Pick<NamedPersonRow, 'issuer' | 'subject' | 'issuerSession' | 'idToken' | 'namedAt'> & {
  /** Absent when the issuer says nothing of teams. */
  readonly teams?: readonly string[];
  readonly nextPath: string;
};

export type NewLogout = Pick<IssuerLogout, 'issuer' | 'tokenId' | 'subject' | 'issuerSession' | 'issuedAt'>;
export type IssuerSession = { readonly team: string; readonly sessionId: string; readonly memberId: string };

const secretBytes = 32;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What the browser keeps is returned only here. Those that have expired go. */
export const keepNamedPerson = async (
  pool: Queries,
  { teams, ...person }: NamedPerson,
  lifetimeSeconds: number,
): Promise<string> => {
  const secret = randomBytes(secretBytes).toString('base64url');
  const { issuer, subject, issuerSession, idToken, nextPath, namedAt } = person;
  await pool.query('delete from gateway.named_person where expires_at < now()');
  await pool.query(
    `insert into gateway.named_person
       (digest, issuer, subject, issuer_session, id_token, teams, next_path, named_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))`,
    [digestOf(secret), issuer, subject, issuerSession, idToken, teams ?? null, nextPath, namedAt, lifetimeSeconds],
  );
  return secret;
};

const personColumns = selectColumns<NamedPersonRow>(
  ...(['issuer', 'subject', 'issuerSession', 'idToken', 'teams', 'nextPath', 'namedAt'] as const),
);

/** Undefined when there is none, or none any more. */
export const findNamedPerson = (pool: Queries, secret: string): Promise<NamedPerson | undefined> =>
  personIn(pool, `select ${personColumns} from gateway.named_person where digest = $1 and expires_at > now()`, secret);

/** As `findNamedPerson`, for the first of all who ask: nobody finds the person again. */
export const takeNamedPerson = (pool: Queries, secret: string): Promise<NamedPerson | undefined> =>
  personIn(
    pool,
    `delete from gateway.named_person where digest = $1 and expires_at > now() returning ${personColumns}`,
    secret,
  );

const personIn = async (pool: Queries, text: string, secret: string): Promise<NamedPerson | undefined> => {
  if (!secretPattern.test(secret)) return undefined;
  const { rows } = await pool.query<Omit<NamedPersonRow, 'digest' | 'expiresAt'>>(text, [digestOf(secret)]);
  const [row] = rows;
  if (!row) return undefined;
  const { teams, ...person } = row;
  return { ...person, ...(teams && { teams }) };
};

/** True for the first of all who tell it; those that have expired go. */
export const keepLogout = async (pool: Queries, logout: NewLogout, lifetimeSeconds: number): Promise<boolean> => {
  const { issuer, tokenId, subject, issuerSession, issuedAt } = logout;
  await pool.query('delete from gateway.issuer_logout where expires_at < now()');
  const { rowCount } = await pool.query(
    `insert into gateway.issuer_logout (issuer, token_id, subject, issuer_session, issued_at, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) on conflict do nothing`,
    [issuer, tokenId, subject, issuerSession, issuedAt, lifetimeSeconds],
  );
  return rowCount === 1;
};

/** It counts as not told: nobody could end the sessions. */
export const forgetLogout = async (pool: Queries, { issuer, tokenId }: NewLogout): Promise<void> =>
  void (await pool.query('delete from gateway.issuer_logout where issuer = $1 and token_id = $2', [issuer, tokenId]));

/** Whether the issuer has signed the person out since it named the person. */
export const isSignedOut = async (
  pool: Queries,
  { issuer, subject, issuerSession, namedAt }: Pick<NamedPerson, 'issuer' | 'subject' | 'issuerSession' | 'namedAt'>,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select from gateway.issuer_logout where issuer = $1 and expires_at > now() and subject in ('', $2)
       and (issuer_session <> '' and issuer_session = $3 or issuer_session = '' and issued_at >= $4) limit 1`,
    [issuer, subject, issuerSession, namedAt],
  );
  return rowCount === 1;
};

/** Of the person, or of one session at the issuer, in all teams; with both, what fits both. Of neither there are none. */
export const findSessionsFromIssuer = async (
  pool: Queries,
  { issuer, subject, issuerSession }: Pick<NewLogout, 'issuer' | 'subject' | 'issuerSession'>,
): Promise<readonly IssuerSession[]> => {
  const { rows } = await pool.query<IssuerSession>({
    name: 'find_issuer_sessions',
    text: `select tenant as team, session_id as "sessionId", member_id as "memberId"
           from gateway.find_issuer_sessions($1, $2, $3)`,
    values: [issuer, subject, issuerSession],
  });
  return rows;
};

/** Where a session of the team began, with what tells the issuer whom to sign out; undefined for one that began here. */
export const findSessionOrigin = async (
  manager: EntityManager,
  team: string,
  sessionId: string,
): Promise<Pick<NamedPerson, 'issuer' | 'subject' | 'issuerSession' | 'idToken'> | undefined> => {
  const found = await manager.findOne(Session, {
    where: { tenant: team, sessionId },
    select: { sessionId: true, issuer: true, subject: true, issuerSession: true, idToken: true },
  });
  if (!found?.issuer || !found.subject) return undefined;
  const { issuer, subject, issuerSession, idToken } = found;
  return { issuer, subject, issuerSession: issuerSession ?? '', idToken: idToken ?? '' };
};
