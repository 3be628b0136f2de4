/** Sessions of people in browsers: begun, listed, ended. Each begin and end is a line in the log of the team. */
import { Inject, Injectable } from '@nestjs/common';
import type { ByteReply, ReplyOf, RequestOf } from '@tessera/contracts';
import type { endOwnSession, listSessions, startSession } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  addAccessChange,
  deleteSession,
  findSessionOrigin,
  findSessions,
  insertSession,
  isEnabledAs,
  listSessions as readSessions,
  lockMember,
  lockPassword,
  pruneSessions,
  digestSessionSecret,
  type IssuerSession,
  type ListedSession,
  type SessionHolder,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import { DataSource, type EntityManager } from 'typeorm';
import { RevocationBroadcaster } from '../auth/revocations.js';
import { cookieOf, readSessionSecrets } from '../auth/session-cookie.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { publicUrlOf } from '../http/exchange.js';
import { createJsonByteReply } from '../http/send-reply.js';
import { notValid, SignInService, type SignInResult } from './sign-ins.js';

/** Of one member or key; the oldest end when there are more. */
const sessionsMax = 50;
const userAgentLengthMax = 200;
const noSession = fail('GENERAL_NOTFOUND', 'You have no such session.');
const notBySession = fail('GENERAL_NOTFOUND', 'The request belongs to no session: it carries a key or a token.');

type SignIn = RequestOf<typeof startSession>['signIn'];
type BegunSession = {
  /** `Set-Cookie`. */
  readonly cookie: string;
  readonly session: ListedSession;
};
export type SessionOrigin = NonNullable<Awaited<ReturnType<typeof findSessionOrigin>>>;

/** Who asks, as the owner of sessions. */
type Owner = { readonly team: string; readonly subject: string; readonly holder: SessionHolder };

@Injectable()
export class SessionService {
  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    private readonly signIns: SignInService,
    private readonly revocations: RevocationBroadcaster,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  start({ signIn }: RequestOf<typeof startSession>, request: FastifyRequest): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const begun = await this.signIn(signIn, request);
      if (!begun.ok) return begun;
      const { cookie, session } = begun.value;
      const reply = createJsonByteReply(shownSession(session, session.sessionId));
      return succeed({ ...reply, headers: { 'set-cookie': cookie } });
    });
  }

  /** With a password or a key. Rejects with the error of the database. */
  async signIn(signIn: SignIn, request: FastifyRequest): Promise<Result<BegunSession>> {
    const attempt = { address: request.ip, requestId: request.exchange.requestId };
    const signedIn = await this.signIns.verify(signIn, attempt);
    if (!signedIn.ok) return signedIn;
    const begun = await this.begin(signedIn.value, request);
    return begun ? succeed(begun) : { ok: false, failure: notValid };
  }

  /**
   * A new session of somebody who is known; what the browser had before ends. Undefined when the person may not sign in any more.
   * Rejects with the error of the database.
   */
  async begin(signedIn: SignInResult, request: FastifyRequest): Promise<BegunSession | undefined> {
    await this.endOfBrowser(request);
    const begun = await this.#insert(signedIn, request);
    if (!begun) return undefined;
    const { pruned, session } = begun;
    for (const sessionId of pruned) this.revocations.announceSessions({ sessionId });
    const { secret, ...listed } = session;
    const { SESSION_LIFETIME_SECONDS: maxAgeSeconds } = this.configuration;
    return { cookie: cookieOf(publicUrlOf(request), 'session', secret, { maxAgeSeconds }), session: listed };
  }

  list({ exchange }: FastifyRequest): Promise<Result<ReplyOf<typeof listSessions>>> {
    return mapDatabaseErrors(async () => {
      const owner = ownerOf(exchange);
      if (!owner) return succeed({ sessions: [] });
      const found = await runInTenantEntityTransaction(this.source, owner.team, (manager) =>
        readSessions(manager, owner.team, owner.holder),
      );
      const nowMs = Date.now();
      const idleSinceMs = nowMs - this.configuration.SESSION_IDLE_SECONDS * 1_000;
      const open = found.filter(
        ({ endsAt, lastSeenAt }) => endsAt.getTime() > nowMs && lastSeenAt.getTime() > idleSinceMs,
      );
      return succeed({ sessions: open.map((each) => shownSession(each, exchange.verified?.session?.sessionId)) });
    });
  }

  /** That of the request, and answers where it began when that was at the issuer. Rejects with the error of the database. */
  async end(
    request: FastifyRequest,
  ): Promise<Result<{ readonly sessionId: string; readonly origin: SessionOrigin | undefined }>> {
    const { sessionId } = request.exchange.verified?.session ?? {};
    const owner = ownerOf(request.exchange);
    if (sessionId === undefined || !owner) return notBySession;
    const origin = await this.#originOf(owner.team, sessionId);
    return (await this.#end(owner, sessionId, request)) ? succeed({ sessionId, origin }) : noSession;
  }

  endOwn(
    { sessionId }: Pick<RequestOf<typeof endOwnSession>, 'sessionId'>,
    request: FastifyRequest,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const owner = ownerOf(request.exchange);
      if (!owner || !(await this.#end(owner, sessionId, request))) return noSession;
      const isCurrent = request.exchange.verified?.session?.sessionId === sessionId;
      const reply = createJsonByteReply({ ended: sessionId } satisfies ReplyOf<typeof endOwnSession>);
      if (!isCurrent) return succeed(reply);
      return succeed({ ...reply, headers: { 'set-cookie': endedCookieOf(request) } });
    });
  }

  /** Undefined when the member was disabled, or its password or identity changed, meanwhile: that ended the sessions that there were. */
  #insert({ team, holder, subject, password, origin }: SignInResult, { headers, exchange }: FastifyRequest) {
    const { SESSION_LIFETIME_SECONDS, SESSION_IDLE_SECONDS } = this.configuration;
    const userAgent = (headers['user-agent'] ?? '').slice(0, userAgentLengthMax);
    const idleSince = new Date(Date.now() - SESSION_IDLE_SECONDS * 1_000);
    return runInTenantEntityTransaction(this.source, team, async (manager) => {
      const { memberId } = holder;
      if (memberId !== undefined) {
        if (!isEnabledAs(await lockMember(manager, team, memberId), origin)) return undefined;
        if (!origin && (await lockPassword(manager, team, memberId)) !== password) return undefined;
      }
      const pruned = await pruneSessions(manager, team, holder, { idleSince, sessionsMax: sessionsMax - 1 });
      const session = await insertSession(manager, team, {
        ...{ holder, userAgent, ...(origin && { origin }) },
        lifetimeSeconds: SESSION_LIFETIME_SECONDS,
      });
      const after = { sessionId: session.sessionId, userAgent };
      await addLine(manager, { team, holder, subject }, exchange.requestId, 'session.started', { after });
      return { pruned, session };
    });
  }

  /** Ends what the browser has, and answers where it began when that was at the issuer. Rejects with the error of the database. */
  async endOfBrowser(request: FastifyRequest): Promise<readonly SessionOrigin[]> {
    const origins: SessionOrigin[] = [];
    for (const secret of readSessionSecrets(request).slice(0, 2)) {
      const digest = digestSessionSecret(secret);
      const [found] = digest === undefined ? [] : await findSessions(this.pool, [digest]);
      if (!found) continue;
      const { team, sessionId, member, keyId } = found;
      const holder = member ? { memberId: member.memberId } : { keyId: keyId ?? '' };
      const origin = await this.#originOf(team, sessionId);
      await this.#end({ team, holder, subject: targetOf(holder) }, sessionId, request);
      if (origin) origins.push(origin);
    }
    return origins;
  }

  #originOf(team: string, sessionId: string): Promise<SessionOrigin | undefined> {
    return runInTenantEntityTransaction(this.source, team, (manager) => findSessionOrigin(manager, team, sessionId));
  }

  /** Ends a session because its issuer says so. Rejects with the error of the database. */
  async endByIssuer({ team, sessionId, memberId }: IssuerSession, issuer: string, request: FastifyRequest) {
    await this.#end({ team, holder: { memberId }, subject: issuer }, sessionId, request);
  }

  async #end(owner: Owner, sessionId: string, { exchange }: FastifyRequest): Promise<boolean> {
    const { team, holder } = owner;
    const isEnded = await runInTenantEntityTransaction(this.source, team, async (manager) => {
      if (!(await deleteSession(manager, team, holder, sessionId))) return false;
      await addLine(manager, owner, exchange.requestId, 'session.ended', { before: { sessionId } });
      return true;
    });
    if (isEnded) this.revocations.announceSessions({ sessionId });
    return isEnded;
  }
}

/** Takes the cookie of a session back. */
export const endedCookieOf = (request: FastifyRequest): string =>
  cookieOf(publicUrlOf(request), 'session', '', { maxAgeSeconds: 0 });

const addLine = (
  manager: EntityManager,
  { team, subject, holder }: Owner,
  requestId: string,
  action: 'session.started' | 'session.ended',
  detail: object,
): Promise<void> =>
  addAccessChange(manager, team, {
    ...{ subject, subjectTeam: team, requestId, action, detail },
    target: holder.memberId ?? targetOf(holder),
  });

const targetOf = ({ memberId, keyId }: SessionHolder): string =>
  memberId === undefined ? `key:${keyId}` : `member:${memberId}`;

/** Bearers of tokens have no sessions. */
const ownerOf = ({ verified }: FastifyRequest['exchange']): Owner | undefined => {
  if (!verified) return undefined;
  const { caller, keyId, tokenId, session } = verified;
  const { team, subject } = caller;
  if (session?.memberId !== undefined) return { team, subject, holder: { memberId: session.memberId } };
  return keyId === undefined || tokenId !== undefined ? undefined : { team, subject, holder: { keyId } };
};

const shownSession = (
  session: ListedSession,
  currentId: string | undefined,
): ReplyOf<typeof listSessions>['sessions'][number] => ({
  sessionId: session.sessionId,
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
  endsAt: session.endsAt.toISOString(),
  userAgent: session.userAgent,
  current: session.sessionId === currentId,
});
