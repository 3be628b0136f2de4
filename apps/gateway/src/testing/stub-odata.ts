/** Entities of the specs: it tells what it was asked; a set that is called like a number has so many pieces of 64 KB. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readODataEntries } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { jsonContentType, Serves, type OperationContext } from '@tessera/messaging';
import { createEchoReply, streamReplyPieces } from './echo-service.js';

@Controller()
export class StubODataController {
  @Serves(readODataEntries)
  async readEntries(
    request: RequestOf<typeof readODataEntries>,
    context: OperationContext,
  ): Promise<Result<ByteReply>> {
    const count = Number(request.record_id);
    if (Number.isNaN(count)) return createEchoReply(readODataEntries.name, request, context, {}, 'KM_MODEL_NOTFOUND');
    return succeed({ contentType: jsonContentType, body: streamReplyPieces(count, context) });
  }
}
