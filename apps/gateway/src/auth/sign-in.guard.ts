/** In place of a credential for the operation that gives one: the request has to be one of a page of the platform. */
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { fail } from '@tessera/failures';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/exchange.js';
import { csrfFault } from './session-cookie.js';

/** Nobody who is unknown makes the gateway read more. */
const bodyBytesMax = 8 * 1024;
const { failure: tooLarge } = fail(
  'GENERAL_BODY_TOOLARGE',
  `Signing in takes a body of a known length, at most ${bodyBytesMax} bytes.`,
);

/** Who is not known yet may do nothing. */
const nobody = Object.freeze({ team: '', subject: '', scopes: [] });

@Injectable()
export class SignInGuard implements CanActivate {
  constructor(@Inject(settingsToken) private readonly configuration: GatewayConfiguration) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const fault = csrfFault(request);
    if (fault) throw new FailureException(fault);
    if (!(Number(request.headers['content-length'] ?? 0) <= bodyBytesMax) || request.headers['transfer-encoding'])
      throw new FailureException(tooLarge);
    const { exchange } = request;
    exchange.frame = {
      caller: nobody,
      requestId: exchange.requestId,
      traceparent: exchange.traceparent,
      deadlineMs: exchange.startedAtMs + this.configuration.REQUEST_TIMEOUT_MS,
      publicUrl: publicUrlOf(request),
    };
    return true;
  }
}
