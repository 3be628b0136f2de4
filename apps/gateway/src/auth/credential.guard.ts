/** Who calls: a known credential costs a look-up, any other runs its strategy. Looks at the head of the request alone. */
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { fail, type Failure } from '@tessera/failures';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/public-url.js';
import { idsOf } from '../http/request-log.js';
import { Authenticator } from './authenticator.js';
import { readCredential } from './credential.js';
import { FailedCredentials, failuresMax } from './failed-credentials.js';
import { KeyUses } from './key-uses.js';
import type { Verification } from './verified.js';

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
    const credential = readCredential(request.headers, this.#keyHeaders);
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
