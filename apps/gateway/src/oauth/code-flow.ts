/**
 * Clients that act for people: authorization codes and refresh tokens by oidc-provider, registration, revocation, and what clients may
 * know of the person. Who is refused with a code or token of a team leaves a line in its log.
 */
import { Inject, Injectable } from '@nestjs/common';
import { waitForEventLoopTurn } from '@tessera/fair-queue';
import { toLoggableReason } from '@tessera/failures';
import type { Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  findMember,
  findCodeOrRefreshToken,
  markOAuthClientUsed,
  type FoundOAuthToken,
} from '@tessera/persistence/gateway';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { Authenticator } from '../auth/authenticator.js';
import { SourceWindows, clientNetworkOf } from '../auth/failed-credentials.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { VerifiedCredential } from '../auth/verification.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { publicUrlOf } from '../http/exchange.js';
import { sendPage } from '../http/html-page.js';
import { getFormValue, findRepeatedName, parseForm } from '../http/read-form.js';
import { correlationIdsOf } from '../http/request-recorder.js';
import { AccessTokenService } from './access-tokens.js';
import { accountIdOf, holderOf } from './account-id.js';
import { authenticateClient } from './client-authentication.js';
import { clientLifeSeconds, readClientMetadata } from './client-metadata.js';
import { Grants } from './grants.js';
import { faultPage, toOAuthFault, OAuthFault } from './oauth-fault.js';
import { askProvider, sendAnswer, type ProviderExchange } from './provider-exchange.js';
import { OAuthProviders } from './providers.js';

/** Of one address. Each leaves a row for a while, and who asks is not known. */
const bounds = {
  authorizations: { most: 120, windowMs: 300_000 },
  registrations: { most: 20, windowMs: 3_600_000 },
  exchanges: { most: 600, windowMs: 300_000 },
  loggedRefusals: { most: 30, windowMs: 300_000 },
};

const loggedClientLengthMax = 200;

const grantTypes: readonly string[] = ['authorization_code', 'refresh_token'];
export const isCodeGrant = (form: URLSearchParams): boolean => grantTypes.includes(form.get('grant_type') ?? '');

@Injectable()
export class CodeFlow {
  readonly #authorizations = new SourceWindows({ ...bounds.authorizations, clock: Date.now });
  readonly #registrations = new SourceWindows({ ...bounds.registrations, clock: Date.now });
  readonly #exchanges = new SourceWindows({ ...bounds.exchanges, clock: Date.now });
  readonly #loggedRefusals = new SourceWindows({ ...bounds.loggedRefusals, clock: Date.now });

  constructor(
    private readonly providers: OAuthProviders,
    private readonly authenticator: Authenticator,
    private readonly accessTokens: AccessTokenService,
    private readonly revocations: RevocationBroadcaster,
    private readonly grants: Grants,
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  /** A request for authorization, and its end after the person has decided. */
  async authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkBound(this.#authorizations, request);
    checkQuery(request);
    const exchange = await this.#ask(request, reply);
    const { refusal, unaskedClientId } = exchange;
    const address = reply.getHeader('location');
    const isSent = unaskedClientId !== undefined && !isVouchedFor(unaskedClientId, this.configuration);
    if (!refusal || typeof address !== 'string' || !isSent) return void sendAnswer(reply, exchange);
    // Whoever registers a client would have a redirect of ours to any address (RFC 9700, 4.11.2).
    void reply.removeHeader('location');
    sendPage(reply, faultPage(refusal.error_description ?? '', refusal.error, address), 400);
  }

  async register(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    checkBound(this.#registrations, request);
    const text = JSON.stringify(readClientMetadata(request.body, { otherwise: 'client_secret_basic' }));
    const exchange = await this.#ask(request, reply, { type: 'application/json', text });
    this.log.info(
      { ...correlationIdsOf(request.exchange), status: exchange.answer?.status },
      'a client has registered itself',
    );
    sendAnswer(reply, exchange);
  }

  /** Tokens for a code or a refresh token. */
  async issue(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<void> {
    checkBound(this.#exchanges, request);
    const body = { type: 'application/x-www-form-urlencoded', text: form.toString() };
    const exchange = await this.#ask(request, reply, body);
    await this.#record(exchange).catch((error: unknown) =>
      this.log.warn(
        { ...correlationIdsOf(request.exchange), reason: toLoggableReason(error) },
        'the use of a grant was not recorded',
      ),
    );
    sendAnswer(reply, exchange);
  }

  /** An access token, or a refresh token with all that came of its grant. What is none any more is revoked already. */
  async revoke(request: FastifyRequest, form: URLSearchParams): Promise<void> {
    checkBound(this.#exchanges, request);
    if (findRepeatedName(form) !== undefined)
      throw new OAuthFault('invalid_request', 'A parameter is there more than once.');
    const clientId = await authenticateClient(this.pool, form, request.headers.authorization);
    const token = getFormValue(form, 'token');
    if (token === undefined) throw new OAuthFault('invalid_request', 'The parameter token is missing.');
    if (token.includes('.')) return this.#revokeAccessToken(clientId, token);
    const found = await findCodeOrRefreshToken(this.pool, 'RefreshToken', token);
    if (!found) return;
    if (found.payload['clientId'] !== clientId) {
      await this.#logRefusal(request, found, clientId, 'another client revoked its refresh token');
      throw ofAnother;
    }
    const { grantId } = found;
    const { requestId } = request.exchange;
    const holder = holderIn(found);
    await this.grants.end({ holder, grantId, clientId, requestId, reason: 'its client revoked it' });
  }

  /** What a client was allowed to know: the name, and by what else the person is called. Throws an OAuthFault. */
  async describePerson({ caller: { team }, grant }: VerifiedCredential): Promise<Readonly<Record<string, string>>> {
    const memberId = grant?.memberId ?? '';
    const member = await runInTenantEntityTransaction(this.source, team, (manager) =>
      findMember(manager, team, memberId),
    );
    const mayKnowName = grant?.openIdScopes.includes('profile') === true;
    return { sub: accountIdOf({ team, memberId }), ...(mayKnowName && member && { name: member.displayName }) };
  }

  async #revokeAccessToken(clientId: string, text: string): Promise<void> {
    const verified = await this.authenticator.authenticate({ kind: 'token', text });
    if (!verified.ok && verified.reason === undefined) throw toOAuthFault(verified.failure);
    if (!verified.ok) return;
    const { caller, grant, tokenId = '' } = verified.value;
    if (grant?.clientId !== clientId) throw ofAnother;
    await this.accessTokens.revoke(caller.team, tokenId);
    this.revocations.announce('token', tokenId);
  }

  async #ask(
    request: FastifyRequest,
    reply: FastifyReply,
    body?: Parameters<typeof askProvider>[3],
  ): Promise<ProviderExchange> {
    const { handle } = await this.providers.for(publicUrlOf(request));
    // oidc-provider works for some milliseconds without a pause, and many may ask at once.
    await waitForEventLoopTurn(clientNetworkOf(request.ip));
    return askProvider(handle, request, reply, body);
  }

  async #record({ edge, token, refusal }: ProviderExchange): Promise<void> {
    if (!token) return;
    const clientId = String(token.payload['clientId']);
    if (!refusal) return markOAuthClientUsed(this.pool, clientId, clientLifeSeconds.used);
    await this.#logRefusal(edge, token, clientId, refusal.error_detail ?? refusal.error_description ?? refusal.error);
  }

  /** In the log of the process; nothing is ever deleted from that of a team, so that an address has so many lines there. */
  async #logRefusal(
    { exchange, ip }: FastifyRequest,
    token: FoundOAuthToken,
    client: string,
    reason: string,
  ): Promise<void> {
    this.log.info({ ...correlationIdsOf(exchange), reason }, 'a client was refused');
    if (this.#loggedRefusals.count(clientNetworkOf(ip)).retryAfterSeconds !== undefined) return;
    await this.grants.log({
      ...{ action: 'client.refused', holder: holderIn(token), requestId: exchange.requestId },
      detail: { after: { client: client.slice(0, loggedClientLengthMax), grantId: token.grantId, reason } },
    });
  }
}

/** True when the operator has listed the client, or the host of the document about it. */
const isVouchedFor = (clientId: string, { OAUTH_CLIENTS, OAUTH_DOCUMENT_HOSTS }: GatewayConfiguration): boolean =>
  Object.hasOwn(OAUTH_CLIENTS, clientId) ||
  (clientId.startsWith('https://') && Object.hasOwn(OAUTH_DOCUMENT_HOSTS, new URL(clientId).hostname));

const ofAnother = new OAuthFault('unauthorized_client', 'The token was issued to another client.');

const holderIn = ({ payload }: FoundOAuthToken) => holderOf(String(payload['accountId']));

/** oidc-provider takes 0.4 s for the 4,000 parameters that an address has room for. Throws a FailureException. */
const checkQuery = ({ raw: { url = '' } }: FastifyRequest): void => void parseForm(url.slice(url.indexOf('?') + 1));

/** Throws an OAuthFault for an address that has asked too often. */
export const checkBound = (windows: SourceWindows, { ip }: FastifyRequest): void => {
  const { retryAfterSeconds } = windows.count(clientNetworkOf(ip));
  if (retryAfterSeconds === undefined) return;
  const description = 'Too many requests of this kind came from this address; wait before the next one.';
  throw new OAuthFault('temporarily_unavailable', description, { status: 429, retryAfterSeconds });
};
