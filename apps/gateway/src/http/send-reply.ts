/**
 * Bytes out: whole, or in pieces with back-pressure; for HEAD their headers alone. Headers are written once, straight to
 * the socket's response.
 * Never lets a reply that broke off look whole: the events of a turn end with an error, any other connection is destroyed.
 */
import { canonicalDigest, type ByteReply } from '@tessera/contracts';
import { turnEvents } from '@tessera/contracts/agents';
import { fail, toCompletionErrorEvent, toProblemEvent } from '@tessera/failures';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { corsHeadersFor } from './cors.js';
import type { HttpExchange } from './exchange.js';

type HeaderList = readonly string[];
const noHeaders: HeaderList = [];

/** What can be asked for again by its ETag may be kept by its client, which asks before it uses it; nothing else is kept. */
const cacheControlOf = (more: HeaderList): string =>
  more.includes('etag') ? 'private, no-cache' : 'private, no-store';

const headersOf = (exchange: HttpExchange, contentType: string, more: HeaderList): string[] => {
  const list = contentType === '' ? [] : ['Content-Type', contentType];
  list.push('X-Request-Id', exchange.requestId);
  list.push(...corsHeadersFor(exchange.allowedOrigin));
  list.push('Cache-Control', cacheControlOf(more), 'Vary', exchange.edge.vary, 'X-Content-Type-Options', 'nosniff');
  const { limit } = exchange;
  if (limit)
    list.push(
      'X-RateLimit-Limit',
      String(limit.limit),
      'X-RateLimit-Remaining',
      String(limit.remaining),
      'X-RateLimit-Reset',
      limit.reset,
    );
  // Proxies that gather answers would hold events back.
  if (isEvents(contentType)) list.push('X-Accel-Buffering', 'no');
  if (exchange.edge.draining) list.push('Connection', 'close');
  list.push(...more);
  return list;
};

const isEvents = (contentType: string): boolean => contentType.startsWith('text/event-stream');

export const sendWholeBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  contentType: string,
  body: Uint8Array | string,
  more: HeaderList = noHeaders,
): void => {
  if (writeHead(request, reply, status, contentType, body, more)) reply.raw.end(body);
};

/** False when an answer has begun already, or its client has left. */
const writeHead = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  contentType: string,
  body: Uint8Array | string,
  more: HeaderList,
): boolean => {
  const { raw } = reply;
  reply.hijack();
  if (raw.headersSent || raw.destroyed) return false;
  const headers = headersOf(request.exchange, contentType, more);
  headers.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength));
  raw.writeHead(status, headers);
  return true;
};

/** What is read of the body of a refused request, and how long more of it is waited for. */
const discardedBytesMax = 16 * 1024 * 1024;
const discardIdleMs = 500;

/**
 * As `sendWholeBody`, before the body of the request was read. What its client goes on to send is read for a while before the
 * answer ends, and the connection perhaps with it: one that is closed with unread bytes is reset, and the answer is lost.
 */
export const sendBeforeRequestEnds = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  contentType: string,
  body: string,
  more: HeaderList,
): void => {
  if (!writeHead(request, reply, status, contentType, body, more)) return;
  const { raw } = reply;
  const end = (): void => {
    clearTimeout(idle);
    request.raw.off('data', discard).off('end', end).off('close', end);
    raw.end();
  };
  const idle = setTimeout(end, discardIdleMs);
  let bytes = 0;
  const discard = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) end();
    else idle.refresh();
  };
  raw.write(body);
  request.raw.on('data', discard).on('end', end).on('close', end);
};

/** What the gateway answers itself. */
export const createJsonByteReply = <Value>(
  value: Value,
  print: (value: Value) => string = JSON.stringify,
): ByteReply => ({
  contentType: 'application/json; charset=utf-8',
  body: Buffer.from(print(value)),
});

/** As `createJsonByteReply`, for what is changed afterwards with `If-Match`. */
export const createTaggedReply = (value: unknown): ByteReply => ({
  ...createJsonByteReply(value),
  headers: { etag: etagOf(value) },
});

export const etagOf = (value: unknown): string => `"${canonicalDigest(value)}"`;

/** `gzipped`: the body compressed by who keeps it. */
export type CompressibleReply = ByteReply & { readonly gzipped?: () => Promise<Uint8Array> };

/** Sends what a service answered. Rejects when its bytes break off before the first; later the connection is cut. */
export const sendByteReply = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: CompressibleReply,
): void | Promise<void> => {
  const more = value.headers === undefined ? noHeaders : Object.entries(value.headers).flat();
  if (value.status === 304 || value.status === 204)
    return sendHeaders(request, reply, { ...value, contentType: '' }, more);
  if (!isCompressible(value.contentType, more, value.body)) return sendPlain(request, reply, value, more);
  const varying = [...more, 'Vary', 'Accept-Encoding'];
  return acceptsGzip(request.headers['accept-encoding']?.toString())
    ? sendCompressed(request, reply, value, [...varying, 'Content-Encoding', 'gzip'])
    : sendPlain(request, reply, value, varying);
};

type Send = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: CompressibleReply,
  more: HeaderList,
) => void | Promise<void>;

const sendPlain: Send = (request, reply, value, more) => {
  const { status = 200, contentType, body } = value;
  return body instanceof Uint8Array
    ? sendWholeBody(request, reply, status, contentType, body, more)
    : sendPieces(request, reply, value, more, body);
};

/** How many bytes it would be is not worth finding out for HEAD. */
const sendCompressed: Send = async (request, reply, value, more) => {
  const { status = 200, contentType, body, gzipped } = value;
  if (!(body instanceof Uint8Array))
    return sendPieces(request, reply, value, more, isHead(request) ? body : gzipStream(body));
  if (isHead(request)) return sendHeaders(request, reply, value, more);
  sendWholeBody(request, reply, status, contentType, await (gzipped?.() ?? gzipBuffer(body)), more);
};

const isHead = ({ method }: FastifyRequest): boolean => method === 'HEAD';

/** Headers only: for HEAD, and with 204 and 304, which have no body. */
const sendHeaders = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, contentType }: ByteReply,
  more: HeaderList,
): void => {
  const { raw } = reply;
  reply.hijack();
  if (raw.headersSent || raw.destroyed) return;
  raw.writeHead(status, headersOf(request.exchange, contentType, more));
  raw.end();
};

/** For HEAD the first piece shows that there is an answer; the others are not asked for. */
const sendPieces = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, contentType }: ByteReply,
  more: HeaderList,
  body: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const { raw } = reply;
  const pieces = body[Symbol.asyncIterator]();
  let piece = await pieces.next();
  let written: Uint8Array = new Uint8Array(0);
  reply.hijack();
  try {
    if (!raw.destroyed) raw.writeHead(status, headersOf(request.exchange, contentType, more));
    while (!piece.done && !raw.destroyed && !isHead(request)) {
      written = piece.value;
      if (!raw.write(written)) await waitForDrain(raw);
      if (raw.destroyed) break;
      piece = await pieces.next();
    }
    if (!raw.destroyed) raw.end();
  } catch {
    request.exchange.outcome = 'interrupted';
    if (isBetweenTurnEvents(request, written)) raw.end(turnInterruptedEvent(request));
    else raw.destroy();
  } finally {
    if (!piece.done) await pieces.return?.();
  }
};

/** Whether the events of a turn were sent, and the last of them whole. */
const isBetweenTurnEvents = ({ exchange }: FastifyRequest, written: Uint8Array): boolean =>
  exchange.operation?.http.isTurn === true && Buffer.from(written.subarray(-2)).toString() === '\n\n';

const turnInterruptedEvent = ({ exchange }: FastifyRequest): string =>
  exchange.operation?.http.isCompletion
    ? toCompletionErrorEvent(turnInterrupted)
    : toProblemEvent(turnEvents.error, turnInterrupted, exchange.path);

const turnInterrupted = fail(
  'SERVICE_UNAVAILABLE',
  'The events broke off before the answer. The message is kept: send it again under its Idempotency-Key, or read the conversation.',
  { retryAfterSeconds: 5 },
).failure;

/** Resolves when the client has taken what was written, or has left: the edge closes the connections of those that take nothing. */
const waitForDrain = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      raw.off('drain', settle).off('close', settle);
      resolve();
    };
    raw.on('drain', settle).on('close', settle);
  });

/** Aborted when the client leaves before its answer was sent. */
export const createDisconnectSignal = (raw: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  // Its body may have been read for a while, in which the client can leave.
  if (raw.destroyed) controller.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
};

const wholeBytesMin = 1024;
/**
 * A page of 1 MB becomes 197 KB in 4.6 ms of CPU at level 1, 179 KB in 6.1 ms at level 4, 163 KB in 10 ms at level 6: most is
 * won at the least price.
 */
const compressionOptions = { level: 1, chunkSize: 64 * 1024 };

const textTypes = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Whether the answer is one for those who welcome gzip and another for the rest. A strong ETag stands for the same bytes. */
export const isCompressible = (
  contentType: string,
  headers: readonly string[],
  body: Uint8Array | AsyncIterable<Uint8Array>,
): boolean =>
  (!(body instanceof Uint8Array) || body.byteLength >= wholeBytesMin) &&
  textTypes.test(contentType) &&
  !hasStrongEtag(headers);

const hasStrongEtag = (headers: readonly string[]): boolean => {
  const at = headers.indexOf('etag');
  return at >= 0 && !headers[at + 1]?.startsWith('W/');
};

/** By `Accept-Encoding`: when gzip has a weight, and not a smaller one than to leave the bytes as they are. */
export const acceptsGzip = (accepted: string | undefined): boolean => {
  const weight = weightOf(accepted);
  return weight('gzip') > 0 && weight('gzip') >= weight('identity');
};

type Coding = 'br' | 'gzip' | 'identity';

/** How welcome each coding is by `Accept-Encoding`, 0 to 1; that of no header, and of what it does not name, is 0. */
export const weightOf = (accepted = ''): ((coding: Coding) => number) => {
  const weights = new Map(accepted.toLowerCase().split(',').map(codingWeight));
  return (coding) => {
    const own = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
    return own ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0));
  };
};

const codingWeight = (item: string): readonly [string, number] => {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
};

const compress: (body: Uint8Array, settings: typeof compressionOptions) => Promise<Uint8Array> = promisify(gzip);

export const gzipBuffer = (body: Uint8Array): Promise<Uint8Array> => compress(body, compressionOptions);

/** Takes no more pieces than are asked for; whoever stops asking stops the pieces, and what breaks them breaks these. */
export const gzipStream = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const coder = createGzip(compressionOptions);
  // An error reaches the reader of the coder, so there is nothing to do here.
  pipeline(Readable.from(pieces, { objectMode: false }), coder, () => undefined);
  return coder;
};
