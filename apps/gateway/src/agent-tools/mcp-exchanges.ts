/** Exchanges of MCP with the tool gateway: each message counts; lists of tools are kept for callers who see the same. */
import { Injectable } from '@nestjs/common';
import { type ByteReply, type CallFrame, callerVisibilityKey, type RequestOf } from '@tessera/contracts';
import { exchangeMcp, mcpBatchMax } from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { RateLimitGuard } from '../auth/rate-limit.guard.js';
import { EtagReplyCache } from '../http/etag-reply-cache.js';
import type { HttpExchange } from '../http/exchange.js';

type Request = RequestOf<typeof exchangeMcp>;

/** Messages of clients are shorter. */
const listMessageLengthMax = 1_000;

@Injectable()
export class McpExchangeClient {
  readonly #lists = new EtagReplyCache();

  constructor(
    private readonly client: OperationClient,
    private readonly rateLimit: RateLimitGuard,
  ) {}

  /** The first message was counted with the request. Failures: LIMIT_RATE_EXCEEDED, and those of the operation. */
  async send(
    request: Request,
    frame: CallFrame,
    leaving: AbortSignal,
    exchange: HttpExchange,
  ): Promise<Result<ByteReply>> {
    const further = Array.from({ length: countMessages(request.message) - 1 }, async () =>
      this.rateLimit.count(exchange),
    );
    const failure = (await Promise.all(further)).find((each) => each !== undefined);
    if (failure) return { ok: false, failure };
    const key = mayAskForList(request) ? JSON.stringify([callerVisibilityKey(frame.caller), request]) : undefined;
    return this.#lists.answer(key, () => this.client.call(exchangeMcp, request, frame, leaving));
  }
}

/**
 * The entries of a list of JSON, 1 for anything else; of a batch that is too long, one more than it may have. Whether it is
 * JSON finds out who reads it.
 */
export const countMessages = (text: string): number => {
  if (!/^\s*\[/.test(text)) return 1;
  let [messages, depth, isQuoted] = [1, 0, false];
  for (let at = 0; at < text.length && messages <= mcpBatchMax; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === ',' && depth === 1) messages++;
  }
  return messages;
};

/** What asks for something else has an answer that is not kept. */
const mayAskForList = ({ message }: Request): boolean =>
  message.length <= listMessageLengthMax && message.includes('"tools/list"');
