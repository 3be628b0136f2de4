/** Who calls: a known credential costs a look-up, any other runs its strategy. Looks at the head of the request alone. */
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { HttpBinding } from '@tessera/contracts';
import { fail, type Failure, type Result, succeed } from '@tessera/failures';
import { looksLikeApiKey } from '@tessera/persistence';
import { type Log, logToken, settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/exchange.js';
import { resourceUrlOf } from '../mcp/protected-resource.js';
import { Authenticator } from './authenticator.js';
import { countRefusedCredential } from './count-refusal.js';
import { FailedCredentials } from './failed-credentials.js';
import { KeyUsageRecorder } from './key-uses.js';
import { csrfFault, readSessionSecrets, acceptsSessions } from './session-cookie.js';
import type { VerificationResult } from './verification.js';

@Injectable()
export class CredentialGuard implements CanActivate {
  readonly #keyHeaders: readonly string[];

  constructor(
    private readonly authenticator: Authenticator,
    private readonly keyUses: KeyUsageRecorder,
    private readonly failedCredentials: FailedCredentials,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {
    this.#keyHeaders = configuration.APP_KEY_HEADERS.map((name) => name.toLowerCase());
  }

  /** At once when the credential is known. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const takesBasic = acceptsBasicAuth(request.exchange.operation?.http);
    const sessions = acceptsSessions(request.exchange.operation?.http) ? readSessionSecrets(request) : [];
    const credential = readCredential(request.headers, { keyHeaders: this.#keyHeaders, takesBasic, sessions });
    if (!credential.ok) throw new FailureException(credential.failure);
    const fault = credential.value.kind === 'session' ? csrfFault(request) : undefined;
    if (fault) throw new FailureException(fault);
    const verified = this.authenticator.authenticate(credential.value);
    return verified instanceof Promise
      ? verified.then((result) => this.#enter(request, result))
      : this.#enter(request, verified);
  }

  #enter(request: FastifyRequest, verified: VerificationResult): true {
    if (!verified.ok)
      throw new FailureException(
        verified.reason === undefined ? verified.failure : this.#refuse(request, verified.failure, verified.reason),
      );
    const { exchange } = request;
    const { caller, keyId, resources, issuer } = verified.value;
    if (issuer !== undefined && issuer !== publicUrlOf(request))
      throw new FailureException(this.#refuse(request, notForResource, 'the token was issued at another address'));
    if (resources && !resources.includes(resourceOf(request)))
      throw new FailureException(this.#refuse(request, notForResource, 'the token is for another resource'));
    const { TURN_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = this.configuration;
    if (keyId !== undefined) this.keyUses.mark(keyId);
    exchange.verified = verified.value;
    exchange.frame = {
      caller,
      requestId: exchange.requestId,
      traceparent: exchange.traceparent,
      deadlineMs: exchange.startedAtMs + (exchange.operation?.http.isTurn ? TURN_TIMEOUT_MS : REQUEST_TIMEOUT_MS),
      publicUrl: publicUrlOf(request),
    };
    return true;
  }

  /** Who fails too often is answered so after the credential was looked at: a valid one behind the same address passes. */
  #refuse(request: FastifyRequest, failure: Failure, reason: string): Failure {
    const retryAfterSeconds = countRefusedCredential(request, reason, this.failedCredentials, this.log);
    return retryAfterSeconds === undefined ? failure : tooManyFailures(retryAfterSeconds);
  }
}

const { failure: notForResource } = fail('ACCESS_UNAUTHORIZED', 'The credential is not valid.');

/** What the request is for, as tokens for one MCP server name it; empty everywhere else. */
const resourceOf = (request: FastifyRequest): string => {
  const { operation } = request.exchange;
  return operation?.http.isMcp ? resourceUrlOf(request, operation.http) : '';
};

const tooManyFailures = (retryAfterSeconds: number): Failure =>
  fail('LIMIT_RATE_EXCEEDED', 'Too many credentials from this address were not valid; a valid one is taken as ever.', {
    retryAfterSeconds,
  }).failure;

export type Credential = { readonly kind: 'key' | 'token' | 'session'; readonly text: string };

type CredentialOptions = {
  /** Lower case names of the headers that carry a key. */
  readonly keyHeaders: readonly string[];
  /** Whether a key may be the password of `Basic`. */
  readonly takesBasic: boolean;
  /** What cookies carry where a session counts. */
  readonly sessions?: readonly string[];
};

/** Clients for reports and spreadsheets know `Basic` alone: it is taken where they read, and nowhere else. */
export const acceptsBasicAuth = (http: Pick<HttpBinding, 'group'> | undefined): boolean => http?.group === 'D';

const schemeShape = /^(bearer|appkey|basic) +([^ ]+) *$/i;

/** The credential by its form alone. Never chooses between several. */
export const readCredential = (
  headers: IncomingHttpHeaders,
  { keyHeaders, takesBasic, sessions = [] }: CredentialOptions,
): Result<Credential> => {
  let found: Credential | undefined;
  const { authorization } = headers;
  if (authorization !== undefined) {
    found = readAuthorization(authorization.trim(), takesBasic);
    if (found === undefined) return takesBasic ? missingWhereBasic : missingCredential;
  }
  for (const header of keyHeaders) {
    const text = headers[header];
    if (text === undefined) continue;
    if (found !== undefined || typeof text !== 'string') return severalCredentials;
    found = { kind: 'key', text };
  }
  for (const text of sessions) {
    if (found !== undefined) return severalCredentials;
    found = { kind: 'session', text };
  }
  return found === undefined ? (takesBasic ? missingWhereBasic : missingCredential) : succeed(found);
};

const readAuthorization = (authorization: string, takesBasic: boolean): Credential | undefined => {
  const [, scheme, text = ''] = schemeShape.exec(authorization) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'bearer':
      return { kind: looksLikeApiKey(text) ? 'key' : 'token', text };
    case 'appkey':
      return { kind: 'key', text };
    case 'basic':
      return takesBasic ? passwordOf(text) : undefined;
    default:
      return bareKeyShape.test(authorization) && looksLikeApiKey(authorization)
        ? { kind: 'key', text: authorization }
        : undefined;
  }
};

const bareKeyShape = /^[^\s,]+$/;

/** RFC 7617: everything behind the first colon is the password. */
const passwordOf = (encoded: string): Credential | undefined => {
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  const text = pair.slice(colon + 1);
  return colon === -1 || text === '' ? undefined : { kind: 'key', text };
};

const severalCredentials = fail('GENERAL_PARAMETER_ILLEGAL', 'The request carries several credentials; send one.');
const acceptedCredentials =
  'The request carries no API key and no token; send "Authorization: Bearer <token or key>" or "AppKey: <key>"';
const missingCredential = fail('ACCESS_UNAUTHORIZED', `${acceptedCredentials}.`);
const missingWhereBasic = fail(
  'ACCESS_UNAUTHORIZED',
  `${acceptedCredentials}; Basic is taken here with the key as its password.`,
);
