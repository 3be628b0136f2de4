/** What one has allowed clients, and taking it back. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { endOwnClientGrant, listClientGrants } from '@tessera/contracts/gateway';
import type { FastifyRequest } from 'fastify';
import { OperationRoute } from '../http/op.js';
import { Grants } from './grants.js';

@Controller()
export class ClientGrantController {
  constructor(private readonly grants: Grants) {}

  @OperationRoute(listClientGrants)
  list(_input: RequestOf<typeof listClientGrants>, _frame: CallFrame, _left: AbortSignal, request: FastifyRequest) {
    return this.grants.list(request.exchange);
  }

  @OperationRoute(endOwnClientGrant)
  end(
    { grantId }: RequestOf<typeof endOwnClientGrant>,
    _frame: CallFrame,
    _left: AbortSignal,
    request: FastifyRequest,
  ) {
    return this.grants.endOwn(grantId, request.exchange);
  }
}
