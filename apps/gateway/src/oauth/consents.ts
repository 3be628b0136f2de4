/**
 * Asking the person: who is signed in by the session of the platform allows a client something, in one of its teams, or nothing. Never
 * more than the person may do there at this moment, and only by a form of the page that was shown for this request and this session.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  findMember,
  findMemberships,
  findSessionOrigin,
  findTeamInTransaction,
  isEnabledAs,
  isSessionHeld,
  keepGrantOrigin,
  listRoles,
  lockMember,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { Authenticator } from '../auth/authenticator.js';
import { SourceWindows } from '../auth/failed-credentials.js';
import { readSessionSecrets } from '../auth/session-cookie.js';
import { toCanonicalScope } from '../auth/token-caller.js';
import type { VerifiedCredential } from '../auth/verification.js';
import { resolveMemberCaller } from '../auth/verify-member.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { publicUrlOf } from '../http/exchange.js';
import { forwardPage, sendPage } from '../http/html-page.js';
import { getFormValue, readForm } from '../http/read-form.js';
import { teamsInIdToken } from '../sessions/sign-on-issuer.js';
import { offeredTo } from '../sessions/single-sign-on.js';
import { accountIdOf } from './account-id.js';
import { checkBound } from './code-flow.js';
import { assetIn, consentPageOf, isGivable, type AskingClient, type ConsentChoice } from './consent-page.js';
import { Grants, type GrantHolder } from './grants.js';
import { toOAuthFault, OAuthFault } from './oauth-fault.js';
import { OAuthProviders, type SigningIssuer } from './providers.js';
import { codeFlowPaths, openIdScopes } from './server-metadata.js';

/** What the client asks for. */
type Asked = {
  readonly issuer: SigningIssuer;
  readonly interaction: Interaction;
  readonly path: string;
  readonly clientId: string;
  readonly redirect: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly openId: readonly string[];
  /** The session has to be younger, in epoch milliseconds. */
  readonly signedInSinceMs: number;
};

type Person = VerifiedCredential & { readonly session: NonNullable<VerifiedCredential['session']> };
type Choice = ConsentChoice & { readonly holder: GrantHolder };
type SessionOrigin = Awaited<ReturnType<typeof findSessionOrigin>>;

const teamsMax = 20;
/** Forms of one address: each leaves a line in the log of a team, from which nothing is ever deleted. */
const formsBound = { most: 120, windowMs: 300_000 };

@Injectable()
export class Consents {
  readonly #forms = new SourceWindows({ ...formsBound, clock: Date.now });

  constructor(
    private readonly providers: OAuthProviders,
    private readonly authenticator: Authenticator,
    private readonly grants: Grants,
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  /** The page, once somebody is signed in. Throws an OAuthFault. */
  async show(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asked = await this.#read(request, reply);
    // Browsers keep the session back from what another site has begun; from a page of ours they send it.
    if (isFromElsewhere(request)) return void sendPage(reply, forwardPage(asked.path));
    const person = await this.#person(request);
    if (!person) return void sendToSignIn(reply, asked.path);
    if (person.session.startedAtMs < asked.signedInSinceMs) return void sendToSignIn(reply, asked.path, true);
    const [client, choices] = await Promise.all([this.#client(asked), this.#choices(person, asked)]);
    const page = consentPageOf({
      ...{ client, choices, path: asked.path },
      asset: assetIn(asked.resource),
      asksForName: asked.openId.includes('profile'),
      formToken: formTokenOf(asked, person, asked.issuer.formSecrets[0] ?? ''),
      otherPersonPath: signInPath(asked.path, true),
    });
    sendPage(reply, page);
  }

  /** What the person decided. Throws an OAuthFault. */
  async decide(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkBound(this.#forms, request);
    const form = await readForm(request);
    const asked = await this.#read(request, reply);
    const person = await this.#person(request);
    if (!person) return void sendToSignIn(reply, asked.path);
    if (!form || !isOfOwnPage(request) || !isOfThisForm(form, asked, person)) {
      await this.#refuse(request, asked, person, 'the form came from elsewhere');
      throw new OAuthFault('invalid_request', 'The form is not the one that was shown here for this request.', {
        status: 403,
      });
    }
    const choices = await this.#choices(person, asked);
    const choice = choices.find(({ team }) => team === getFormValue(form, 'team'));
    if (getFormValue(form, 'decision') === 'allow' && choice && isGivable(choice))
      await this.#allow(request, reply, asked, person, choice);
    else await this.#deny(request, reply, asked, person);
    // A redirect after a form would be held to the addresses to which forms may go.
    sendPage(reply, forwardPage(new URL(asked.interaction.returnTo).pathname));
  }

  async #allow(
    request: FastifyRequest,
    reply: FastifyReply,
    { issuer: { provider }, clientId, resource, openId }: Asked,
    person: Person,
    { holder, allowed }: Choice,
  ): Promise<void> {
    const accountId = accountIdOf(holder);
    const grantId = randomUUID();
    const grant = new provider.Grant({ accountId, clientId });
    grant.jti = grantId;
    if (allowed.length > 0) grant.addResourceScope(resource, allowed.join(' '));
    if (openId.length > 0) grant.addOIDCScope(openId.join(' '));
    await grant.save();
    const origin = await this.#origin(person);
    if (origin?.issuerSession) await this.#keepOrigin(holder, grantId, origin.issuerSession);
    const { requestId } = request.exchange;
    if (!(await this.#mayStillAllow(person, holder))) {
      await this.grants.end({
        holder,
        grantId,
        clientId,
        requestId,
        reason: 'the session, or the membership, had ended',
      });
      throw unknownRequest;
    }
    await this.grants.log({
      ...{ action: 'client.allowed', holder, requestId },
      by: { subject: person.caller.subject, team: person.caller.team },
      detail: { after: { client: clientId, grantId, resource, scopes: [...allowed, ...openId] } },
    });
    const ts = Math.floor(person.session.startedAtMs / 1_000);
    const login = { accountId, ts, remember: false };
    await provider.interactionResult(request.raw, reply.raw, { login, select_account: {}, consent: { grantId } });
  }

  /** Where the session of the person began; undefined for one that began here. */
  #origin({ caller: { team }, session: { sessionId } }: Person): Promise<SessionOrigin> {
    return runInTenantEntityTransaction(this.source, team, (manager) => findSessionOrigin(manager, team, sessionId));
  }

  #keepOrigin({ team }: GrantHolder, grantId: string, issuerSession: string): Promise<void> {
    return runInTenantEntityTransaction(this.source, team, (manager) =>
      keepGrantOrigin(manager, team, grantId, issuerSession),
    );
  }

  /**
   * What ends the session of a person, or changes its membership in another team, ends its grants as well; one that was just given must
   * not be left behind.
   */
  async #mayStillAllow({ caller, session: { sessionId } }: Person, { team, memberId }: GrantHolder): Promise<boolean> {
    const named = await runInTenantEntityTransaction(this.source, caller.team, async (manager) =>
      (await isSessionHeld(manager, caller.team, sessionId))
        ? findSessionOrigin(manager, caller.team, sessionId)
        : null,
    );
    if (named === null) return false;
    if (team === caller.team) return true;
    return runInTenantEntityTransaction(this.source, team, async (manager) =>
      isEnabledAs(await lockMember(manager, team, memberId), named),
    );
  }

  async #deny(request: FastifyRequest, reply: FastifyReply, asked: Asked, person: Person): Promise<void> {
    const { team, subject } = person.caller;
    await this.grants.log({
      ...{ action: 'client.denied', requestId: request.exchange.requestId },
      holder: { team, memberId: person.session.memberId ?? subject },
      by: { subject, team },
      detail: { after: { client: asked.clientId, resource: asked.resource } },
    });
    const denied = { error: 'access_denied', error_description: 'the person did not allow it' };
    await asked.issuer.provider.interactionResult(request.raw, reply.raw, denied);
  }

  #refuse(request: FastifyRequest, asked: Asked, { caller, session }: Person, reason: string): Promise<void> {
    return this.grants.log({
      ...{ action: 'client.refused', requestId: request.exchange.requestId },
      holder: { team: caller.team, memberId: session.memberId ?? caller.subject },
      detail: { after: { client: asked.clientId, reason } },
    });
  }

  async #read(request: FastifyRequest, reply: FastifyReply): Promise<Asked> {
    const issuerUrl = publicUrlOf(request);
    const issuer = await this.providers.for(issuerUrl);
    const interaction = await issuer.findInteraction(request.raw, reply.raw);
    if (!interaction) throw unknownRequest;
    const path = `${codeFlowPaths.consent}/${interaction.uid}`;
    if (path !== request.exchange.path) throw unknownRequest;
    const text = (name: string): string => {
      const value = interaction.params[name];
      return typeof value === 'string' ? value : '';
    };
    const scopes = text('scope').split(' ').filter(Boolean);
    const prompts = text('prompt').split(' ');
    const startedMs = (interaction.iat ?? 0) * 1_000;
    const maxAgeMs = text('max_age') === '' ? Number.POSITIVE_INFINITY : Number(text('max_age')) * 1_000;
    return {
      ...{ issuer, interaction, path },
      clientId: text('client_id'),
      redirect: text('redirect_uri'),
      resource: text('resource') === '' ? issuerUrl : text('resource'),
      scopes: scopes.filter((scope) => !openIdScopes.includes(scope)),
      openId: scopes.filter((scope) => openIdScopes.includes(scope)),
      signedInSinceMs: prompts.includes('login') ? startedMs : startedMs - maxAgeMs,
    };
  }

  /** Whoever is signed in. Throws an OAuthFault when nobody can look. */
  async #person(request: FastifyRequest): Promise<Person | undefined> {
    const [text, ...others] = readSessionSecrets(request);
    if (text === undefined || others.length > 0) return undefined;
    const verified = await this.authenticator.authenticate({ kind: 'session', text });
    if (!verified.ok && verified.reason === undefined) throw toOAuthFault(verified.failure);
    if (!verified.ok || !verified.value.session) return undefined;
    if (verified.value.session.memberId === undefined)
      throw new OAuthFault(
        'invalid_request',
        'You are signed in with an API key. Sign out, sign in as a member of a team, and connect again',
        { status: 403 },
      );
    return { ...verified.value, session: verified.value.session };
  }

  async #client({ issuer: { provider }, clientId, redirect }: Asked): Promise<AskingClient> {
    const client = await provider.Client.find(clientId);
    if (!client) throw unknownRequest;
    const known: AskingClient['known'] = Object.hasOwn(this.configuration.OAUTH_CLIENTS, clientId)
      ? { by: 'operator' }
      : clientId.startsWith('https://')
        ? { by: 'document', host: new URL(clientId).host }
        : { by: 'itself' };
    return {
      ...{ known, redirect, name: client.clientName ?? (known.by === 'document' ? known.host : clientId) },
      hasRefreshTokens: client.grantTypeAllowed('refresh_token'),
    };
  }

  /**
   * The team of the session first, then others of which the person is a member whom the issuer has named, among those that it names where
   * it does. Never by the identity that the team writes of its member: it proves nothing to other teams.
   */
  async #choices(person: Person, asked: Asked): Promise<readonly Choice[]> {
    const own = { team: person.caller.team, memberId: person.session.memberId ?? '' };
    const named = await this.#origin(person);
    const memberships = named ? await findMemberships(this.pool, named) : [];
    const { SSO_TEAMS_CLAIM: claim } = this.configuration;
    const teams = claim === undefined || !named ? {} : { teams: teamsInIdToken(named.idToken, claim) };
    const others = offeredTo(teams, memberships).filter(({ team }) => team !== own.team);
    const holders = [own, ...others.map(({ team, memberId }) => ({ team, memberId }))].slice(0, teamsMax);
    return (await Promise.all(holders.map((holder) => this.#choice(holder, asked)))).flat();
  }

  async #choice(holder: GrantHolder, { scopes }: Asked): Promise<readonly Choice[]> {
    const { team, memberId } = holder;
    const found = await runInTenantEntityTransaction(this.source, team, async (manager) => ({
      member: await findMember(manager, team, memberId),
      definedRoles: await listRoles(manager, team),
      stored: await findTeamInTransaction(manager, team),
    }));
    const { member, definedRoles, stored } = found;
    if (!member || !stored) return [];
    const standardLimit = this.configuration.RATE_LIMIT_PER_HOUR;
    const verified = resolveMemberCaller(
      { team, member, definedRoles, granted: stored.grants },
      standardLimit,
      Date.now(),
    );
    if (!verified.ok) return [];
    const { caller } = verified.value;
    const held = new Set<string>([...caller.scopes, ...(caller.furtherScopes ?? [])]);
    const mayGive = (scope: string): boolean => held.has(toCanonicalScope(scope));
    return [
      {
        ...{ holder, team, teamName: stored.name, memberName: member.displayName },
        allowed: scopes.filter(mayGive),
        missing: scopes.filter((scope) => !mayGive(scope)),
      },
    ];
  }
}

const unknownRequest = new OAuthFault(
  'invalid_request',
  'The application has not asked here, not with this browser, or too long ago.',
);

const siteOf = ({ headers }: FastifyRequest): unknown => headers['sec-fetch-site'];

const isFromElsewhere = (request: FastifyRequest): boolean =>
  ['cross-site', 'same-site'].includes(String(siteOf(request)));

const isOfOwnPage = (request: FastifyRequest): boolean =>
  siteOf(request) === undefined ? request.headers.origin === publicUrlOf(request) : siteOf(request) === 'same-origin';

/** Of this request and this session: whoever signs in anew reads the page anew. */
const formTokenOf = ({ interaction: { uid } }: Asked, { session: { sessionId } }: Person, secret: string): string =>
  createHmac('sha256', secret).update(`${uid} ${sessionId}`).digest('base64url');

const isOfThisForm = (form: URLSearchParams, asked: Asked, person: Person): boolean => {
  const given = Buffer.from(getFormValue(form, 'form') ?? '');
  return asked.issuer.formSecrets.some((secret) => {
    const expected = Buffer.from(formTokenOf(asked, person, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

const signInPath = (next: string, isOther = false): string =>
  `/sign-in?${isOther ? 'switch=1&' : ''}next=${encodeURIComponent(next)}`;

const sendToSignIn = (reply: FastifyReply, next: string, isOther = false): FastifyReply =>
  reply.code(303).header('cache-control', 'no-store').header('location', signInPath(next, isOther)).send();
