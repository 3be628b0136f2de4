/**
 * The authorization server for clients, where the operator has no issuer: its routes, all of them public, and access tokens for API keys
 * by the client credentials grant (RFC 6749, 4.4), for which the key comes by Basic alone. Clients that act for people are those of
 * `CodeFlow`.
 */
import { Inject, Injectable } from '@nestjs/common';
import { toOutageFailure, looksLikeApiKey } from '@tessera/persistence';
import { RateLimiter } from '@tessera/rate-limit';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { countRefusedCredential } from '../auth/count-refusal.js';
import { readCredential } from '../auth/credential.guard.js';
import { FailedCredentials } from '../auth/failed-credentials.js';
import { KeyUsageRecorder } from '../auth/key-uses.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { VerifiedCredential } from '../auth/verification.js';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/exchange.js';
import { nothing, sendPage } from '../http/html-page.js';
import { getFormValue, readForm, findRepeatedName } from '../http/read-form.js';
import { correlationIdsOf } from '../http/request-recorder.js';
import { AccessTokenService } from './access-tokens.js';
import { CodeFlow, isCodeGrant } from './code-flow.js';
import { Consents } from './consents.js';
import { faultPage, OAuthFault, sendOAuthFault, toOAuthFault } from './oauth-fault.js';
import { codeFlowPaths, metadataOf, serverPaths } from './server-metadata.js';
import { SigningKeys, tokenLifetimeSeconds } from './signing-keys.js';
import { readClientCredentialsRequest } from './token-request.js';

const bodyLimit = 16 * 1024;

type Client = VerifiedCredential & { readonly keyId: string };
type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type SendFault = (reply: FastifyReply, fault: OAuthFault) => FastifyReply;

@Injectable()
export class AuthorizationServer {
  readonly #keyHeaders: readonly string[];
  /** Whether it is used at all: not beside an issuer of the operator. */
  readonly isUsed: boolean;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly failedCredentials: FailedCredentials,
    private readonly limiter: RateLimiter,
    private readonly keyUses: KeyUsageRecorder,
    private readonly revocations: RevocationBroadcaster,
    private readonly signingKeys: SigningKeys,
    private readonly accessTokens: AccessTokenService,
    private readonly codeFlow: CodeFlow,
    private readonly consents: Consents,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {
    const { APP_KEY_HEADERS, JWT_JWKS_URL, JWT_SECRET } = configuration;
    this.#keyHeaders = APP_KEY_HEADERS.map((name) => name.toLowerCase());
    this.isUsed = (JWT_JWKS_URL ?? JWT_SECRET) === undefined;
  }

  addRoutes(fastify: FastifyInstance): void {
    if (!this.isUsed) return;
    for (const path of serverPaths.metadata)
      fastify.get(path, (request, reply) =>
        reply.header('cache-control', 'no-cache').send(metadataOf(publicUrlOf(request), this.configuration)),
      );
    const add = (method: 'GET' | 'POST', url: string, handle: Handle, send: SendFault = sendOAuthFault): void =>
      void fastify.route({
        ...{ url, method, bodyLimit },
        handler: async (request, reply) => {
          // A look at a page without its text goes no step on.
          if (request.method === 'HEAD' && send === sendFaultPage)
            sendPage(reply, { title: 'Tessera', content: nothing });
          else await handle(request, reply);
          return reply;
        },
        errorHandler: (error, request, reply) => void send(reply, this.#faultOf(error, request)),
      });
    add('GET', serverPaths.jwks, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(await this.signingKeys.published()),
    );
    add('POST', serverPaths.token, (request, reply) => this.#token(request, reply));
    add('POST', serverPaths.revocation, (request, reply) => this.#revoke(request, reply));
    for (const method of ['GET', 'POST'] as const)
      add(method, serverPaths.userinfo, (request, reply) => this.#describePerson(request, reply));
    if (this.configuration.OAUTH_REGISTRATION)
      add('POST', codeFlowPaths.registration, (request, reply) => this.codeFlow.register(request, reply));
    for (const url of [codeFlowPaths.authorization, `${codeFlowPaths.authorization}/:uid`])
      add('GET', url, (request, reply) => this.codeFlow.authorize(request, reply), sendFaultPage);
    const consent = `${codeFlowPaths.consent}/:uid`;
    add('GET', consent, (request, reply) => this.consents.show(request, reply), sendFaultPage);
    add('POST', consent, (request, reply) => this.consents.decide(request, reply), sendFaultPage);
  }

  async #token(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const form = await formOf(request);
    await (isCodeGrant(form) ? this.codeFlow.issue(request, reply, form) : this.#issue(request, reply, form));
  }

  async #issue(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<void> {
    const client = await this.#authenticate(request, form);
    await this.#admit(client);
    const issuer = publicUrlOf(request);
    const requested = readClientCredentialsRequest(form, client.caller, issuer);
    const token = await this.accessTokens.sign({ ...client, ...requested, issuer });
    const scope = requested.scopes.join(' ');
    const { team, subject } = client.caller;
    this.log.info({ ...correlationIdsOf(request.exchange), team, subject, scope }, 'an access token was issued');
    void reply
      .header('cache-control', 'no-store')
      .send({ access_token: token, token_type: 'Bearer', expires_in: tokenLifetimeSeconds, scope });
  }

  /** What is no token, or none any more, is revoked already. */
  async #revoke(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const form = await formOf(request);
    void reply.header('cache-control', 'no-store');
    if (isOfClient(request, form)) {
      await this.codeFlow.revoke(request, form);
      return void reply.send();
    }
    const client = await this.#authenticate(request, form);
    await this.#admit(client);
    if (findRepeatedName(form) !== undefined)
      throw new OAuthFault('invalid_request', 'A parameter is there more than once.');
    const text = getFormValue(form, 'token');
    if (text === undefined) throw new OAuthFault('invalid_request', 'The parameter token is missing.');
    const verified = await this.authenticator.authenticate({ kind: 'token', text });
    if (!verified.ok && verified.reason === undefined) throw toOAuthFault(verified.failure);
    if (verified.ok && verified.value.tokenId !== undefined) await this.#revokeToken(request, client, verified.value);
    void reply.send();
  }

  /** By a token for everything, of a member who allowed the client to know who it is. */
  async #describePerson(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const credential = readCredential(request.headers, { keyHeaders: [], takesBasic: false });
    const isToken = credential.ok && credential.value.kind === 'token';
    const verified = isToken ? await this.authenticator.authenticate(credential.value) : undefined;
    if (verified && !verified.ok) {
      if (verified.reason === undefined) throw toOAuthFault(verified.failure);
      countRefusedCredential(request, verified.reason, this.failedCredentials, this.log);
    }
    const value = verified?.ok && verified.value.issuer === publicUrlOf(request) ? verified.value : undefined;
    if (!value?.grant || value.resources) throw new OAuthFault('invalid_token', 'A token of a person is needed.');
    if (!value.grant.openIdScopes.includes('openid'))
      throw new OAuthFault('insufficient_scope', 'The token was not asked for with the scope openid.', { status: 403 });
    await this.#admit(value);
    void reply.header('cache-control', 'no-store').send(await this.codeFlow.describePerson(value));
  }

  async #revokeToken(
    { exchange }: FastifyRequest,
    client: Client,
    { caller: { team, subject }, keyId, tokenId = '' }: VerifiedCredential,
  ): Promise<void> {
    if (keyId !== client.keyId) throw new OAuthFault('unauthorized_client', 'The token was issued to another client.');
    await this.accessTokens.revoke(team, tokenId);
    this.revocations.announce('token', tokenId);
    this.log.info({ ...correlationIdsOf(exchange), team, subject, token: tokenId }, 'an access token was revoked');
  }

  /** The key of Basic, whatever the user name. Throws an OAuthFault. */
  async #authenticate(request: FastifyRequest, form: URLSearchParams): Promise<Client> {
    const { headers } = request;
    if (form.has('client_secret') || form.has('client_assertion'))
      throw new OAuthFault('invalid_request', 'Clients authenticate by HTTP Basic, not in the body.');
    if (this.#keyHeaders.some((name) => headers[name] !== undefined))
      throw new OAuthFault('invalid_request', 'Clients authenticate by HTTP Basic, not by another header.');
    const credential = readCredential(headers, { keyHeaders: [], takesBasic: true });
    if (!credential.ok || !basicPattern.test(headers.authorization ?? ''))
      throw new OAuthFault('invalid_client', 'Send an API key as the password of HTTP Basic.');
    const verified = await this.authenticator.authenticate(credential.value);
    if (verified.ok) {
      const { keyId } = verified.value;
      if (keyId === undefined) throw new OAuthFault('invalid_client', notValid);
      this.keyUses.mark(keyId);
      return { ...verified.value, keyId };
    }
    if (verified.reason === undefined) throw toOAuthFault(verified.failure);
    const retryAfterSeconds = countRefusedCredential(request, verified.reason, this.failedCredentials, this.log);
    if (retryAfterSeconds === undefined) throw new OAuthFault('invalid_client', notValid);
    throw new OAuthFault('temporarily_unavailable', 'Too many credentials of this address were not valid.', {
      status: 429,
      retryAfterSeconds,
    });
  }

  /** A request here counts like any other of the key or the member. */
  async #admit({ caller: { team }, credential, hourlyLimit }: VerifiedCredential): Promise<void> {
    const meter = this.limiter.meterOf({ team, subject: credential, limit: hourlyLimit });
    if ((await this.limiter.admit(meter)) >= 0) return;
    throw new OAuthFault('temporarily_unavailable', 'The hourly limit is used up.', {
      status: 429,
      retryAfterSeconds: meter.retryAfterSeconds(Date.now()),
    });
  }

  #faultOf(error: unknown, { exchange }: FastifyRequest): OAuthFault {
    if (error instanceof OAuthFault) return error;
    if (error instanceof FailureException) return toOAuthFault(error.failure);
    const outage = toOutageFailure(error);
    if (outage) return toOAuthFault(outage);
    this.log.error({ err: error, ...correlationIdsOf(exchange) }, 'a bug ended a request');
    return new OAuthFault('temporarily_unavailable', 'The request ended in an internal error.', { status: 500 });
  }
}

/** Clients that act for people name themselves; a key stands for itself. */
const isOfClient = ({ headers }: FastifyRequest, form: URLSearchParams): boolean => {
  if (headers.authorization === undefined) return form.has('client_id');
  const credential = readCredential({ authorization: headers.authorization }, { keyHeaders: [], takesBasic: true });
  return basicPattern.test(headers.authorization) && !(credential.ok && looksLikeApiKey(credential.value.text));
};

const sendFaultPage: SendFault = (reply, { error, description, status, retryAfterSeconds }) => {
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return sendPage(reply, faultPage(description, error), status);
};

const notValid = 'The credential is not valid.';
const basicPattern = /^\s*basic /i;

/** Throws an OAuthFault. */
const formOf = async (request: FastifyRequest): Promise<URLSearchParams> => {
  const form = await readForm(request);
  if (form) return form;
  throw new OAuthFault('invalid_request', 'The body is not application/x-www-form-urlencoded in UTF-8.');
};
