/** The hourly limit of the credential. It comes before the scope, so that every answer to a known caller tells the limit. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { fail } from '@tessera/failures';
import { type Meter, RateLimiter, type RemainingAdmissions } from '@tessera/rate-limit';
import type { FastifyRequest } from 'fastify';
import { FailureException } from '../http/catch-failures.js';
import type { HttpExchange } from '../http/exchange.js';

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  /** At once when the lease of the credential has room. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { exchange } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!exchange.verified) return false;
    const { caller, credential, hourlyLimit } = exchange.verified;
    const meter = this.limiter.meterOf({ team: caller.team, subject: credential, limit: hourlyLimit });
    const remaining = this.limiter.admit(meter);
    return typeof remaining === 'number'
      ? admitRequest(exchange, meter, remaining)
      : remaining.then((left) => admitRequest(exchange, meter, left));
  }
}

const admitRequest = (exchange: HttpExchange, meter: Meter, remaining: RemainingAdmissions): true => {
  exchange.limit = { limit: meter.limit, remaining: Math.max(0, remaining), reset: meter.windowText };
  if (remaining >= 0) return true;
  throw new FailureException(
    fail('LIMIT_RATE_EXCEEDED', `The limit of ${meter.limit} requests an hour is used up until ${meter.windowText}.`, {
      retryAfterSeconds: meter.retryAfterSeconds(Date.now()),
    }).failure,
  );
};
