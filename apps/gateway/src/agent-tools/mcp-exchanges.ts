/** Exchanges of MCP with the tool gateway; lists of tools are kept for callers who see the same. */
import { Injectable } from '@nestjs/common';
import { type ByteReply, type CallFrame, callerVisibilityKey, type RequestOf } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { EtagReplyCache } from '../http/etag-reply-cache.js';

type Request = RequestOf<typeof exchangeMcp>;

/** Messages of clients are shorter. */
const listMessageLengthMax = 1_000;

@Injectable()
export class McpExchangeClient {
  readonly #lists = new EtagReplyCache();

  constructor(private readonly client: OperationClient) {}

  /** Failures: those of the operation. */
  send(request: Request, frame: CallFrame, leaving: AbortSignal): Promise<Result<ByteReply>> {
    const key = mayAskForList(request) ? JSON.stringify([callerVisibilityKey(frame.caller), request]) : undefined;
    return this.#lists.answer(key, () => this.client.call(exchangeMcp, request, frame, leaving));
  }
}

/** What asks for something else has an answer that is not kept. */
const mayAskForList = ({ message }: Request): boolean =>
  message.length <= listMessageLengthMax && message.includes('"tools/list"');
