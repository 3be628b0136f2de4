/**
 * Who may enter: credential -> caller, rate limit, scope of the route, in this order, so that every answer to a known
 * caller tells the limit. Public and unknown paths pass.
 * Refuses: to look at anything but the head of the request.
 */
import type { Caller, HttpOperation } from '@tessera/contracts';
import { fail, type Failure } from '@tessera/failures';
import type { Meter, RateLimiter, Remaining } from '@tessera/rate-limit';
import type { Log } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticator.js';
import { readCredential } from '../auth/credential.js';
import { failuresMax, type FailedCredentials } from '../auth/failed-credentials.js';
import type { KeyUses } from '../auth/key-uses.js';
import type { Verification } from '../auth/verified.js';
import { publicUrlOf } from './public-url.js';
import { idsOf } from './request-log.js';

export type AdmissionOptions = {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly keyUses: KeyUses;
  readonly failedCredentials: FailedCredentials;
  readonly log: Log;
  /** Lower case names of the headers that carry a key. */
  readonly keyHeaders: readonly string[];
  readonly requestTimeoutMs: number;
  /** Of a turn of a conversation. */
  readonly turnTimeoutMs: number;
};

/** What keeps the request out, or nothing. */
type Verdict = Failure | undefined;

export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /** At once when the credential is known and its lease has room. */
  judge(request: FastifyRequest, operation: HttpOperation): Verdict | Promise<Verdict> {
    const credential = readCredential(request.headers, this.options.keyHeaders);
    if (!credential.ok) return credential.failure;
    const verified = this.options.authenticator.authenticate(credential.value);
    return verified instanceof Promise
      ? verified.then((result) => this.#admit(request, operation, result))
      : this.#admit(request, operation, verified);
  }

  #admit(request: FastifyRequest, operation: HttpOperation, verified: Verification): Verdict | Promise<Verdict> {
    if (!verified.ok)
      return verified.reason === undefined
        ? verified.failure
        : this.#refuse(request, verified.failure, verified.reason);
    const { limiter, keyUses } = this.options;
    const { caller, keyId, credential, hourlyLimit } = verified.value;
    if (keyId !== undefined) keyUses.mark(keyId);
    const meter = limiter.meterOf({ team: caller.team, subject: credential, limit: hourlyLimit });
    const remaining = limiter.admit(meter);
    return typeof remaining === 'number'
      ? this.#enter(request, operation, caller, meter, remaining)
      : remaining.then((left) => this.#enter(request, operation, caller, meter, left));
  }

  /** Who fails too often is answered so after the credential was looked at: a valid one behind the same address passes. */
  #refuse(request: FastifyRequest, failure: Failure, reason: string): Failure {
    const { log, failedCredentials } = this.options;
    const { ip, exchange } = request;
    const { count, retryAfterSeconds } = failedCredentials.count(ip);
    if (retryAfterSeconds === undefined) {
      log.info({ ...idsOf(exchange), operation: exchange.operation?.name, reason }, 'a credential was refused');
      return failure;
    }
    if (count === failuresMax + 1) log.warn({ address: ip }, 'too many credentials of an address were refused');
    return tooManyFailures(retryAfterSeconds);
  }

  #enter(
    request: FastifyRequest,
    operation: HttpOperation,
    caller: Caller,
    meter: Meter,
    remaining: Remaining,
  ): Verdict {
    const { exchange } = request;
    const { requestTimeoutMs, turnTimeoutMs } = this.options;
    exchange.limit = { limit: meter.limit, remaining: Math.max(0, remaining), reset: meter.windowText };
    exchange.frame = {
      caller,
      requestId: exchange.requestId,
      traceparent: exchange.traceparent,
      deadlineMs: exchange.startedAtMs + (operation.http.isTurn ? turnTimeoutMs : requestTimeoutMs),
      publicUrl: publicUrlOf(request),
    };
    if (remaining < 0) return overLimit(meter);
    return caller.scopes.includes(operation.scope) ? undefined : missingScope(operation);
  }
}

const overLimit = (meter: Meter): Failure =>
  fail('LIMIT_RATE_EXCEEDED', `The limit of ${meter.limit} requests an hour is used up until ${meter.windowText}.`, {
    retryAfterSeconds: meter.retryAfterSeconds(Date.now()),
  }).failure;

const tooManyFailures = (retryAfterSeconds: number): Failure =>
  fail('LIMIT_RATE_EXCEEDED', 'Too many credentials from this address were not valid; a valid one is taken as ever.', {
    retryAfterSeconds,
  }).failure;

const missingScope = ({ scope }: HttpOperation): Failure =>
  fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${scope}.`).failure;
