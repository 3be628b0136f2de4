/** Whether the caller has the scope of the route. */
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { canCall } from '@tessera/contracts';
import { fail } from '@tessera/failures';
import type { FastifyRequest } from 'fastify';
import { FailureException } from '../http/catch-failures.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { operation, frame } = context.switchToHttp().getRequest<FastifyRequest>().exchange;
    if (!operation || !frame) return false;
    if (canCall(frame.caller, operation)) return true;
    throw new FailureException(
      fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${operation.scope}.`).failure,
    );
  }
}
