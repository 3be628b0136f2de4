/** The hourly limit of the credential. It comes before the scope, so that every answer to a known caller tells the limit. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { fail, type Failure } from '@tessera/failures';
import { type Meter, RateLimiter, type RemainingAdmissions } from '@tessera/rate-limit';
import type { FastifyRequest } from 'fastify';
import { FailureException } from '../http/catch-failures.js';
import type { HttpExchange } from '../http/exchange.js';

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { exchange } = context.switchToHttp().getRequest<FastifyRequest>();
    const failure = this.count(exchange);
    return failure instanceof Promise ? failure.then(passUnless) : passUnless(failure);
  }

  /** Counts a request of the caller; the failure when it is one too many. At once when the lease of the credential has room. */
  count(exchange: HttpExchange): Failure | undefined | Promise<Failure | undefined> {
    if (!exchange.verified) throw new Error('A request without a caller cannot be counted.');
    const { caller, credential, hourlyLimit } = exchange.verified;
    const meter = this.limiter.meterOf({ team: caller.team, subject: credential, limit: hourlyLimit });
    const remaining = this.limiter.admit(meter);
    return typeof remaining === 'number'
      ? noteRemaining(exchange, meter, remaining)
      : remaining.then((left) => noteRemaining(exchange, meter, left));
  }
}

const passUnless = (failure: Failure | undefined): true => {
  if (failure) throw new FailureException(failure);
  return true;
};

const noteRemaining = (exchange: HttpExchange, meter: Meter, remaining: RemainingAdmissions): Failure | undefined => {
  exchange.limit = { limit: meter.limit, remaining: Math.max(0, remaining), reset: meter.windowText };
  if (remaining >= 0) return undefined;
  return fail(
    'LIMIT_RATE_EXCEEDED',
    `The limit of ${meter.limit} requests an hour is used up until ${meter.windowText}.`,
    { retryAfterSeconds: meter.retryAfterSeconds(Date.now()) },
  ).failure;
};
