/**
 * An exchange of the Model Context Protocol with an asset: what is wrong with the address is a failure of the operation, what is
 * wrong with the message an error of JSON-RPC.
 */
import { isJsonContentType } from '@modelcontextprotocol/server';
import { Controller } from '@nestjs/common';
import { type ByteReply, parseMediaRanges, prefersEvidence, type RequestOf, qualityOf } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import { type Result, succeed } from '@tessera/failures';
import { runInSlices, type SlicedWork } from '@tessera/fair-queue';
import { type AnnouncingContext, parseJsonSliced, Serves } from '@tessera/messaging';
import { Assets } from '../assets/assets.js';
import { ToolCalls, withCallOptions } from '../calls/tool-calls.js';
import { answerBatch, refuseBatch } from './answer-batch.js';
import { BatchLimiter } from './batch-limits.js';
import { handleWithoutSdk } from './fast-path.js';
import { type McpExchange, createJsonRpcError, withoutNullParams } from './protocol.js';
import { handleWithSdk } from './sdk-path.js';
import { AssetTools, type AssetView } from '../tools/asset-tools.js';

type Request = RequestOf<typeof exchangeMcp>;

@Controller()
export class McpHandler {
  readonly #batches = new BatchLimiter();

  constructor(
    private readonly assets: Assets,
    private readonly tools: AssetTools,
    private readonly calls: ToolCalls,
  ) {}

  @Serves(exchangeMcp)
  async exchange(request: Request, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const asset = await this.assets.find(context.caller.team, request.asset_id, request.draft);
    if (!asset.ok) return asset;
    if (!isJsonContentType(request.contentType)) return succeed(notJson);
    const shape = chooseResponseFormat(request.accept);
    if (shape === undefined) return succeed(notAcceptable);
    const message = await runInSlices(parseMessage(request.message), context.caller.team);
    if (message === undefined) return succeed(malformedReply);
    const refused = Array.isArray(message) ? refuseBatch(message, request.protocolVersion) : undefined;
    if (refused) return succeed(refused);
    const view = await this.tools.visibleTo(asset.value, context);
    const exchange = this.#exchange({ request, context, view, shape });
    if (Array.isArray(message)) return this.#answerBatch(exchange, message.map(withoutNullParams), context);
    const plain = withoutNullParams(message);
    return succeed(await (handleWithoutSdk(exchange, plain) ?? handleWithSdk(exchange, plain)));
  }

  async #answerBatch(
    exchange: McpExchange,
    messages: readonly unknown[],
    { caller, signal }: AnnouncingContext,
  ): Promise<Result<ByteReply>> {
    const batch = await this.#batches.open(caller.team, signal);
    if (!batch.ok) return batch;
    const { call, reply } = batch.value;
    const limited: McpExchange = { ...exchange, call: (...parts) => call(() => exchange.call(...parts)) };
    return succeed(await reply(answerBatch(limited, messages, caller.team), signal));
  }

  #exchange({ request, context, view, shape }: ExchangeParts): McpExchange {
    const { caller } = context;
    return {
      view,
      headers: request,
      shape,
      signal: () => context.signal,
      freshForMs: () => Math.min(this.assets.freshForMs(caller.team, view.asset), this.tools.freshForMs(view, caller)),
      call: (tool, arguments_, options) =>
        this.calls.call(
          { view, tool, door: 'mcp', arguments: arguments_ },
          withCallOptions(context, { wantsEvidence: prefersEvidence(request.prefer), ...options }),
        ),
    };
  }
}

type ExchangeParts = {
  readonly request: Request;
  readonly context: AnnouncingContext;
  readonly view: AssetView;
  readonly shape: ResponseFormat;
};

const notJson = createJsonRpcError(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json');
const notAcceptable = createJsonRpcError(
  406,
  -32_000,
  'Not Acceptable: the answer is application/json or text/event-stream, and Accept allows neither',
);
const malformedReply = createJsonRpcError(
  400,
  -32_700,
  'Parse error: the body is no JSON, nested deeper than 64 levels, or has an object of more than 10,000 members',
);

const depthMax = 64;

/** Read in slices. Undefined when the text is no JSON or nested too deeply for code that reads it recursively. */
export function* parseMessage(text: string): SlicedWork<unknown> {
  yield;
  if (isTooDeep(text)) return undefined;
  yield;
  try {
    return yield* parseJsonSliced(text);
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const backslash = 0x5c;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > depthMax) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
};

/** Where the text that begins at a quote ends; the end of all when it does not. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
};

const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
};

export type ResponseFormat = 'either' | 'json' | 'events';

/** What clients of the protocol send, so that it need not be read each time. */
const knownAccepts: ReadonlyMap<string | undefined, ResponseFormat> = new Map<string | undefined, ResponseFormat>([
  [undefined, 'either'],
  ['*/*', 'either'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream, application/json', 'either'],
  ['application/json', 'json'],
  ['text/event-stream', 'events'],
]);

/** Undefined when neither is welcome. */
export const chooseResponseFormat = (accept: string | undefined): ResponseFormat | undefined => {
  const known = knownAccepts.get(accept);
  if (known !== undefined || accept === undefined) return known;
  if (accept.trim() === '') return 'either';
  const ranges = parseMediaRanges(accept);
  const isWelcome = (mediaType: string): boolean => (qualityOf(mediaType, ranges)?.quality ?? 0) > 0;
  if (isWelcome('application/json')) return isWelcome('text/event-stream') ? 'either' : 'json';
  return isWelcome('text/event-stream') ? 'events' : undefined;
};
