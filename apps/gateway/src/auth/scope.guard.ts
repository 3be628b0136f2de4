/** Whether the caller has the scope of the route. */
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { fail } from '@tessera/failures';
import type { FastifyRequest } from 'fastify';
import { FailureException } from '../http/catch-failures.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { operation, frame } = context.switchToHttp().getRequest<FastifyRequest>().exchange;
    if (!operation || !frame) return false;
    if (frame.caller.scopes.includes(operation.scope)) return true;
    throw new FailureException(
      fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${operation.scope}.`).failure,
    );
  }
}
