/** Signing in and out, and one's own sessions. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { endOwnSession, endSession, listSessions, startSession } from '@tessera/contracts/gateway';
import type { FastifyRequest } from 'fastify';
import { OperationRoute } from '../http/op.js';
import { SessionService } from './sessions.js';
import { SingleSignOn } from './single-sign-on.js';

@Controller()
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    private readonly singleSignOn: SingleSignOn,
  ) {}

  @OperationRoute(startSession)
  start(input: RequestOf<typeof startSession>, _frame: CallFrame, _leaving: AbortSignal, request: FastifyRequest) {
    return this.sessions.start(input, request);
  }

  @OperationRoute(listSessions)
  list(_input: RequestOf<typeof listSessions>, _frame: CallFrame, _leaving: AbortSignal, request: FastifyRequest) {
    return this.sessions.list(request);
  }

  @OperationRoute(endSession)
  end(_input: RequestOf<typeof endSession>, _frame: CallFrame, _leaving: AbortSignal, request: FastifyRequest) {
    return this.singleSignOn.end(request);
  }

  @OperationRoute(endOwnSession)
  endOwn(input: RequestOf<typeof endOwnSession>, _frame: CallFrame, _leaving: AbortSignal, request: FastifyRequest) {
    return this.sessions.endOwn(input, request);
  }
}
