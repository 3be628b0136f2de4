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
import { idsOf } from '../http/request-recorder.js';
import { Authenticator } from './authenticator.js';
import { FailedCredentials, failuresMax } from './failed-credentials.js';
import { KeyUses } from './key-uses.js';
import type { Verification } from './verification.js';

@Injectable()
export class CredentialGuard implements CanActivate {
  readonly #keyHeaders: readonly string[];

  constructor(
    private readonly authenticator: Authenticator,
    private readonly keyUses: KeyUses,
    private readonly failedCredentials: FailedCredentials,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {
    this.#keyHeaders = configuration.APP_KEY_HEADERS.map((name) => name.toLowerCase());
  }

  /** At once when the credential is known. */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const takesBasic = acceptsBasic(request.exchange.operation?.http);
    const credential = readCredential(request.headers, { keyHeaders: this.#keyHeaders, takesBasic });
    if (!credential.ok) throw new FailureException(credential.failure);
    const verified = this.authenticator.authenticate(credential.value);
    return verified instanceof Promise
      ? verified.then((result) => this.#enter(request, result))
      : this.#enter(request, verified);
  }

  #enter(request: FastifyRequest, verified: Verification): true {
    if (!verified.ok)
      throw new FailureException(
        verified.reason === undefined ? verified.failure : this.#refuse(request, verified.failure, verified.reason),
      );
    const { exchange } = request;
    const { caller, keyId } = verified.value;
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
  #refuse({ ip, exchange }: FastifyRequest, failure: Failure, reason: string): Failure {
    const { count, retryAfterSeconds } = this.failedCredentials.count(ip);
    if (retryAfterSeconds === undefined) {
      this.log.info({ ...idsOf(exchange), operation: exchange.operation?.name, reason }, 'a credential was refused');
      return failure;
    }
    if (count === failuresMax + 1) this.log.warn({ address: ip }, 'too many credentials of an address were refused');
    return tooManyFailures(retryAfterSeconds);
  }
}

const tooManyFailures = (retryAfterSeconds: number): Failure =>
  fail('LIMIT_RATE_EXCEEDED', 'Too many credentials from this address were not valid; a valid one is taken as ever.', {
    retryAfterSeconds,
  }).failure;

export type Credential = { readonly kind: 'key' | 'token'; readonly text: string };

type CredentialOptions = {
  /** Lower case names of the headers that carry a key. */
  readonly keyHeaders: readonly string[];
  /** Whether a key may be the password of `Basic`. */
  readonly takesBasic: boolean;
};

/** Clients for reports and spreadsheets know `Basic` alone: it is taken where they read, and nowhere else. */
export const acceptsBasic = (http: Pick<HttpBinding, 'group'> | undefined): boolean => http?.group === 'D';

const schemeShape = /^(bearer|appkey|basic) +([^ ]+) *$/i;

/** The credential by its form alone. Never chooses between several. */
export const readCredential = (
  headers: IncomingHttpHeaders,
  { keyHeaders, takesBasic }: CredentialOptions,
): Result<Credential> => {
  let found: Credential | undefined;
  const { authorization } = headers;
  if (authorization !== undefined) {
    found = readAuthorization(authorization.trim(), takesBasic);
    if (found === undefined) return takesBasic ? missingWhereBasic : missing;
  }
  for (const header of keyHeaders) {
    const text = headers[header];
    if (text === undefined) continue;
    if (found !== undefined || typeof text !== 'string') return severalCredentials;
    found = { kind: 'key', text };
  }
  return found === undefined ? (takesBasic ? missingWhereBasic : missing) : succeed(found);
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
const accepted =
  'The request carries no API key and no token; send "Authorization: Bearer <token or key>" or "AppKey: <key>"';
const missing = fail('ACCESS_UNAUTHORIZED', `${accepted}.`);
const missingWhereBasic = fail('ACCESS_UNAUTHORIZED', `${accepted}; Basic is taken here with the key as its password.`);
