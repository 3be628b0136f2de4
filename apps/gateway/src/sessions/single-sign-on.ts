/**
 * Signing in at the issuer of the operator: the code flow with PKCE, the choice of a team, and the issuer's word that somebody has signed
 * out. The browser comes back from another site, which keeps the cookie of its session back: the session begins one request later.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { ByteReply, ReplyOf } from '@tessera/contracts';
import type { endSession } from '@tessera/contracts/gateway';
import { succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, toOutageFailure, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  findSessionsFromIssuer,
  findMemberships,
  findNamedPerson,
  forgetLogout,
  isSignedOut,
  keepLogout,
  keepNamedPerson,
  takeNamedPerson,
  type Membership,
  type NamedPerson,
  type NewLogout,
} from '@tessera/persistence/gateway';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { DataSource } from 'typeorm';
import { clientNetworkOf, maxFailedSignIns, signInWindowMs, SourceWindows } from '../auth/failed-credentials.js';
import { cookieOf, cookieValuesIn } from '../auth/session-cookie.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { publicUrlOf } from '../http/exchange.js';
import { forwardPage, sendPage } from '../http/html-page.js';
import { getFormValue, readForm } from '../http/read-form.js';
import { correlationIdsOf } from '../http/request-recorder.js';
import { createJsonByteReply } from '../http/send-reply.js';
import { Grants } from '../oauth/grants.js';
import { LogoutTokenFault } from './logout-token.js';
import {
  addCookie,
  addPage,
  formOf,
  formTokenFor,
  nextOf,
  PageFault,
  queryOf,
  seeOther,
  signInPath,
  signOutPath,
} from './page-route.js';
import { endedCookieOf, SessionService, type SessionOrigin } from './sessions.js';
import { noTeamPage, teamPage } from './sign-in-views.js';
import { addRefusal, refusedMember } from './sign-ins.js';
import {
  attemptCookieOf,
  attemptIn,
  attemptSeconds,
  endedAttemptCookieOf,
  type SignOnAttempt,
} from './sign-on-attempt.js';
import { SignOnFault } from './sign-on-fault.js';
import { SignOnIssuer } from './sign-on-issuer.js';

const paths = {
  start: `${signInPath}/sso`,
  callback: `${signInPath}/callback`,
  team: `${signInPath}/team`,
  logout: `${signInPath}/back-channel-logout`,
};

const logoutKeptSeconds = 86_400;

@Injectable()
export class SingleSignOn {
  readonly #issuer: SignOnIssuer | undefined;
  readonly #askings = new SourceWindows({
    most: maxFailedSignIns.ofNetwork,
    windowMs: signInWindowMs,
    clock: Date.now,
  });

  constructor(
    private readonly sessions: SessionService,
    private readonly grants: Grants,
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) configuration: GatewayConfiguration,
  ) {
    this.#issuer = issuerOf(configuration, log);
  }

  /** None without an issuer. */
  addRoutes(fastify: FastifyInstance): void {
    const issuer = this.#issuer;
    if (!issuer) return;
    const { log } = this;
    addPage(fastify, 'GET', paths.start, (request, reply) => this.#start(issuer, request, reply), log);
    addPage(fastify, 'GET', paths.callback, (request, reply) => this.#comeBack(issuer, request, reply), log);
    addPage(fastify, 'GET', paths.team, (request, reply) => this.#showTeams(request, reply), log);
    addPage(fastify, 'POST', paths.team, (request, reply) => this.#chooseTeam(request, reply), log);
    addPage(fastify, 'POST', paths.logout, (request, reply) => this.#takeLogout(issuer, request, reply), log);
  }

  /**
   * Ends what clients may do by a session that has ended here. Answers where the issuer signs the person out and sends the browser back from;
   * undefined when it cannot be asked. Rejects with the error of the database.
   */
  async signOut(origin: SessionOrigin, request: FastifyRequest, next: string): Promise<string | undefined> {
    await this.grants.endByIssuer(origin, request.exchange.requestId);
    return this.#issuer?.logoutUrl(origin, `${publicUrlOf(request)}${signOutPath}`, next);
  }

  /** The session of the request, and tells where the issuer ends its own. */
  end(request: FastifyRequest): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const ended = await this.sessions.end(request);
      if (!ended.ok) return ended;
      const { sessionId, origin } = ended.value;
      const continueAt = origin && (await this.signOut(origin, request, '/'));
      const answer: ReplyOf<typeof endSession> = { ended: sessionId, ...(continueAt !== undefined && { continueAt }) };
      return succeed({ ...createJsonByteReply(answer), headers: { 'set-cookie': endedCookieOf(request) } });
    });
  }

  async #start(issuer: SignOnIssuer, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const attempt: SignOnAttempt = {
      ...{ state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() },
      ...{ next: nextOf(request), startedAtMs: Date.now() },
    };
    const mustAsk = queryOf(request).get('switch') === '1';
    const address = await issuer.authorizationUrl(attempt, `${publicUrlOf(request)}${paths.callback}`, mustAsk);
    addCookie(reply, attemptCookieOf(request, attempt));
    return seeOther(reply, address);
  }

  async #comeBack(issuer: SignOnIssuer, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const attempt = attemptIn(request);
    addCookie(reply, endedAttemptCookieOf(request));
    if (!attempt) throw noAttempt;
    const answer = new URL(`${publicUrlOf(request)}${paths.callback}`);
    answer.search = queryOf(request).toString();
    if (answer.searchParams.getAll('state').join('\n') !== attempt.state) throw wrongState;
    const person = await this.#bounded(request.ip, () => issuer.personOf(answer, attempt));
    const secret = await keepNamedPerson(this.pool, { ...person, nextPath: attempt.next }, attemptSeconds);
    addCookie(reply, personCookieOf(request, secret));
    return sendPage(reply, forwardPage(paths.team));
  }

  /** Whoever makes up answers of the issuer cannot make this ask it more often than passwords are tried. */
  async #bounded<T>(address: string, work: () => Promise<T>): Promise<T> {
    const network = clientNetworkOf(address);
    const { retryAfterSeconds } = this.#askings.count(network);
    if (retryAfterSeconds !== undefined) {
      this.log.info({ address }, 'too many attempts to sign in');
      const text = 'There were too many attempts to sign in from here.';
      throw new PageFault(429, 'Too many attempts', text, retryAfterSeconds);
    }
    try {
      const value = await work();
      this.#askings.takeBack(network);
      return value;
    } catch (error) {
      if (error instanceof SignOnFault && error.status === 502) this.#askings.takeBack(network);
      throw error;
    }
  }

  async #showTeams(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const secret = personSecretIn(request);
    const person = await findNamedPerson(this.pool, secret);
    if (!person) throw noAttempt;
    const memberships = await findMemberships(this.pool, person);
    const offered = offeredTo(person, memberships);
    const [first, ...others] = offered;
    if (!first) return this.#refuse(person, memberships, request, reply);
    if (others.length > 0) return sendPage(reply, teamPage(offered, formTokenFor(request, reply)));
    return this.#begin(secret, first.team, request, reply);
  }

  async #chooseTeam(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { form, isOurs } = await formOf(request);
    if (!isOurs) return seeOther(reply, paths.team);
    return this.#begin(personSecretIn(request), getFormValue(form, 'team') ?? '', request, reply);
  }

  /** Once for each time that the issuer names the person. */
  async #begin(secret: string, team: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const person = await takeNamedPerson(this.pool, secret);
    if (!person) throw noAttempt;
    addCookie(reply, personCookieOf(request));
    const memberships = await findMemberships(this.pool, person);
    const chosen = offeredTo(person, memberships).find((each) => each.team === team);
    if (!chosen) return this.#refuse(person, memberships, request, reply);
    const { memberId } = chosen;
    const holder = { memberId };
    const begun = await this.sessions.begin({ team, holder, subject: `member:${memberId}`, origin: person }, request);
    if (!begun) return this.#refuse(person, memberships, request, reply);
    if (await isSignedOut(this.pool, person)) {
      const { sessionId } = begun.session;
      await this.sessions.endByIssuer({ team, sessionId, memberId }, person.issuer, request);
      addCookie(reply, endedCookieOf(request));
      throw signedOutMeanwhile;
    }
    addCookie(reply, begun.cookie);
    return seeOther(reply, person.nextPath);
  }

  /** In the log of each team in which the person is disabled. */
  async #refuse(
    person: NamedPerson,
    memberships: readonly Membership[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { issuer, subject } = person;
    const { exchange, ip } = request;
    this.log.info(
      { ...correlationIdsOf(exchange), issuer, subject },
      'somebody signed in at the issuer who may choose no team',
    );
    const attempt = { address: ip, requestId: exchange.requestId };
    const disabled = memberships.filter(({ disabledAt }) => disabledAt !== null);
    for (const { team, memberId } of disabled)
      await runInTenantEntityTransaction(this.source, team, (manager) =>
        addRefusal(manager, team, refusedMember(memberId), 'the member is disabled', attempt),
      );
    addCookie(reply, personCookieOf(request));
    return sendPage(reply, noTeamPage(person, disabled.length > 0), 403);
  }

  /** For the issuer, not for people: what is wrong is told as JSON. */
  async #takeLogout(issuer: SignOnIssuer, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    void reply.header('cache-control', 'no-store');
    const { log } = this;
    const refuse = (status: number, error: string, description: string, reason: string): FastifyReply => {
      log.warn({ ...correlationIdsOf(request.exchange), reason }, 'a sign-out of the issuer was refused');
      return reply.code(status).send({ error, error_description: description });
    };
    try {
      const form = await readForm(request);
      const tokens = form?.getAll('logout_token') ?? [];
      const [token] = tokens;
      if (token === undefined || tokens.length > 1)
        throw new LogoutTokenFault('there is not one logout_token in a form');
      const logout = await issuer.logoutOf(token);
      if (!(await keepLogout(this.pool, logout, logoutKeptSeconds))) throw new LogoutTokenFault('it was taken already');
      await this.#endSessions(logout, request);
      return reply.code(200).send();
    } catch (error) {
      if (error instanceof LogoutTokenFault)
        return refuse(400, 'invalid_request', 'The logout token is not valid.', error.message);
      const isAway = error instanceof SignOnFault || toOutageFailure(error) !== undefined;
      if (!isAway) throw error;
      void reply.header('retry-after', '5');
      return refuse(503, 'temporarily_unavailable', 'The sign-out cannot be taken at the moment.', 'something is away');
    }
  }

  /** With what clients may do, on all replicas. What cannot be ended may be told again. */
  async #endSessions(logout: NewLogout, request: FastifyRequest): Promise<void> {
    try {
      const found = await findSessionsFromIssuer(this.pool, logout);
      for (const session of found) await this.sessions.endByIssuer(session, logout.issuer, request);
      await this.grants.endByIssuer(logout, request.exchange.requestId);
      this.log.info(
        { ...correlationIdsOf(request.exchange), sessions: found.length },
        'the issuer signed somebody out',
      );
    } catch (error) {
      await forgetLogout(this.pool, logout);
      throw error;
    }
  }
}

const issuerOf = (
  { SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET, SSO_SCOPES, SSO_TEAMS_CLAIM }: GatewayConfiguration,
  log: Log,
): SignOnIssuer | undefined =>
  SSO_ISSUER === undefined || SSO_CLIENT_ID === undefined || SSO_CLIENT_SECRET === undefined
    ? undefined
    : new SignOnIssuer(
        {
          ...{ issuer: SSO_ISSUER, clientId: SSO_CLIENT_ID, clientSecret: SSO_CLIENT_SECRET },
          ...{ scopes: SSO_SCOPES, teamsClaim: SSO_TEAMS_CLAIM },
        },
        { onError: (reason) => log.warn({ reason }, 'the issuer of single sign-on could not be read') },
      );

const noAttempt = new PageFault(
  400,
  'This sign-in is over',
  'It took longer than ten minutes, was used already, or began in another browser.',
);
const wrongState = new PageFault(
  400,
  'This sign-in is not the last one',
  'What the issuer answered belongs to another sign-in than the last one of this browser.',
);
const signedOutMeanwhile = new PageFault(403, 'You are signed out', 'The issuer has signed you out meanwhile.');

const personSecretIn = (request: FastifyRequest): string => {
  const secrets = cookieValuesIn(request, 'person');
  return secrets.length === 1 ? (secrets[0] ?? '') : '';
};

/** `Set-Cookie`, for the browser of somebody whom the issuer has named; without a secret it is taken back. */
const personCookieOf = (request: FastifyRequest, secret = ''): string =>
  cookieOf(publicUrlOf(request), 'person', secret, { maxAgeSeconds: secret === '' ? 0 : attemptSeconds });

/** The teams in which the person may act, as far as the issuer names teams. */
export const offeredTo = (
  { teams }: Pick<NamedPerson, 'teams'>,
  memberships: readonly Membership[],
): readonly Membership[] =>
  memberships.filter(({ team, disabledAt }) => disabledAt === null && (teams?.includes(team) ?? true));
