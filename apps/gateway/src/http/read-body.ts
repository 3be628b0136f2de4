/**
 * Bodies as routes want them: one JSON value, the parts of a batch, or the text that was sent, of whatever type it says to be. A route reads its
 * body after its guards have let the request in. A body above the limit is refused, gzip once it is unpacked; other codings are. A long
 * body is parsed in slices.
 */
import { fail, type Failure, type Result, succeed } from '@tessera/failures';
import { waitForEventLoopTurn, runUnsliced, runInSlices, type SlicedWork } from '@tessera/fair-queue';
import { maxJsonMembers, parseJsonSliced } from '@tessera/messaging';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { FailureException, notJson } from './catch-failures.js';
import { isMultipart, parseMultipartBatch } from '../odata/multipart-batch.js';
import { findJsonFault } from './json-fault.js';

/** Fastify would read the body of an operation, or refuse its type, before Nest calls a guard: it sees no type. */
export const hideContentType = ({ exchange, raw: { headers } }: FastifyRequest): void => {
  exchange.contentType = headers['content-type'];
  headers['content-type'] = undefined;
};

/** JSON for a path that nobody serves is read here, so that a faulty body is told as everywhere. */
export const addBodyParser = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    const { exchange, headers } = request;
    exchange.contentType ??= headers['content-type'];
    if (exchange.operation || !jsonType.test(exchange.contentType ?? '')) return done(null);
    readBody(request).then(
      (body) => done(null, body),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  });
};

/** The limit of operations that need no larger one. */
const ordinaryBodyMax = 256 * 1024;

/** Of less than this nothing takes long. */
const shortBytes = 16 * 1024;
const mediaTypePattern = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
const jsonType = /^\s*application\/json\s*(?:;|$)/i;

/**
 * Undefined when there is none. `awaitTurn` is told how many bytes there are before they are parsed. Rejects with a FailureException,
 * or with what broke the connection.
 */
export const readBody = async (
  request: FastifyRequest,
  awaitTurn: (bytes: number) => Promise<void> = async () => undefined,
): Promise<unknown> => {
  const { exchange, headers, raw } = request;
  const { contentType, operation, frame } = exchange;
  raw.headers['content-type'] = contentType;
  const isText = operation?.http.isTextBody === true;
  const isParts = operation?.http.isOData === true && isMultipart(contentType);
  if (contentType === undefined) {
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined;
    if (!isText) throw new FailureException(notJson);
  } else if (!isParts && !(isText ? mediaTypePattern : jsonType).test(contentType))
    throw new FailureException(operation?.http.isOData ? notJsonBatch : notJson);
  const { bodyLimit } = request.routeOptions;
  const bytesMax = operation?.http.hasLargeBody ? bodyLimit : Math.min(bodyLimit, ordinaryBodyMax);
  const bytes = await unpackBody(await readBodyBytes(request, bytesMax), request, bytesMax);
  exchange.bodyBytes = bytes.length;
  await awaitTurn(bytes.length);
  const team = frame?.caller.team ?? '';
  if (isText) {
    // In a turn of the event loop: what comes after, up to the message to a service, copies a long text.
    if (bytes.length > shortBytes) await waitForEventLoopTurn(team);
    // What is no UTF-8 is one character that no protocol understands.
    return isUtf8(bytes) ? bytes.toString() : '\ufffd';
  }
  if (isParts) {
    if (bytes.length > shortBytes) await waitForEventLoopTurn(team);
    return valueOf(parseMultipartBatch(bytes, contentType ?? ''));
  }
  const parsing = parseJsonBody(bytes);
  const parsed = bytes.length <= shortBytes ? runUnsliced(parsing) : await runInSlices(parsing, team);
  return valueOf(parsed);
};

const valueOf = (parsed: Result<unknown>): unknown => {
  if (!parsed.ok) throw new FailureException(parsed.failure);
  return parsed.value;
};

const { failure: notJsonBatch } = fail(
  'GENERAL_MEDIATYPE_UNSUPPORTED',
  'The batch is neither application/json nor multipart/mixed; send it as {"requests": [{"id": "1", "method": "get", "url": "RECORD_entries?$top=1"}]}.',
);

export const isCompressed = ({ headers }: FastifyRequest): boolean => {
  const coding = headers['content-encoding'];
  return coding !== undefined && !/^(identity)?$/i.test(coding.trim());
};

const unpackBody = async (bytes: Buffer, request: FastifyRequest, bytesMax: number): Promise<Buffer> => {
  if (!isCompressed(request)) return bytes;
  if (!/^(x-)?gzip$/i.test(request.headers['content-encoding']?.trim() ?? '')) throw new FailureException(otherCoding);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw new FailureException(tooLarge(bytesMax));
    throw new FailureException(noGzip);
  }
};

const { failure: otherCoding } = fail(
  'GENERAL_MEDIATYPE_UNSUPPORTED',
  'The body has a Content-Encoding that is not served; send it as gzip, or without Content-Encoding.',
);
const { failure: noGzip } = fail('GENERAL_BODY_MALFORMED', 'The body is not the gzip that its Content-Encoding says.');
const tooLarge = (bytesMax: number): Failure =>
  fail('GENERAL_BODY_TOOLARGE', `The body is larger than ${bytesMax} bytes.`).failure;

export const readBodyBytes = (
  { headers, raw, routeOptions }: FastifyRequest,
  bytesMax = routeOptions.bodyLimit,
): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const refuseLong = (): void => {
    reject(new FailureException(tooLarge(bytesMax)));
  };
  if (Number(headers['content-length']) > bytesMax) refuseLong();
  else {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bytesMax) return;
      // The rest is taken and forgotten: who sends too much is told so on a connection that still stands.
      raw.off('data', take).resume();
      refuseLong();
    };
    const endEarly = (): void => reject(new FailureException(endedEarly));
    if (raw.destroyed) endEarly();
    raw.on('data', take).once('error', endEarly).once('close', endEarly);
    raw.once('end', () => {
      raw.off('close', endEarly);
      resolve(Buffer.concat(chunks, length));
    });
  }
  return promise;
};

const { failure: endedEarly } = fail('GENERAL_BODY_MALFORMED', 'The body ended early.');

export const maxJsonDepth = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** One JSON value, parsed in steps. Faults have a position. An empty body is undefined. */
export function* parseJsonBody(bytes: Uint8Array): SlicedWork<Result<unknown>> {
  if (bytes.length === 0) return succeed(undefined);
  yield;
  if (depthOf(bytes) > maxJsonDepth) return malformedBody(`The body is nested deeper than ${maxJsonDepth} levels.`);
  yield;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformedBody('The body is not UTF-8.');
  }
  let value: unknown;
  try {
    let isCut = false;
    value = yield* parseJsonSliced(text, () => (isCut = true));
    if (isCut && typeof value === 'object' && value !== null) truncatedBodies.add(value);
  } catch {
    const { position, line, column, expected } = yield* findJsonFault(text);
    const message = `The body is not JSON: at line ${line}, column ${column} ${expected} was expected.`;
    return malformedBody(message, { faults: [{ in: 'body', path: '', message, rule: 'json', position }] });
  }
  yield;
  // Each of its letters may be written as an escape.
  if (/__proto__|\\u00[5-7]/i.test(text) && (yield* hasPrototypeMember(value)))
    return malformedBody('The body has a member "__proto__", which is not accepted.');
  return succeed(value);
}

const truncatedBodies = new WeakSet<object>();

/** What is wrong with a body of which not all was kept, when all that was kept is right. */
export const truncationFailureOf = (body: unknown): Failure | undefined =>
  typeof body === 'object' && body !== null && truncatedBodies.has(body)
    ? fail('GENERAL_CONSTRAINT_VIOLATION', `An object in the body has more than ${maxJsonMembers} members.`).failure
    : undefined;

const malformedBody = (detail: string, more: Partial<Failure> = {}) => fail('GENERAL_BODY_MALFORMED', detail, more);

const quote = 0x22;
const backslash = 0x5c;

/** The deepest nesting of brackets outside of strings; a parser need not have run. */
const depthOf = (bytes: Uint8Array): number => {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (quoted) {
      if (byte === backslash) index++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
};

function* hasPrototypeMember(value: unknown): SlicedWork<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  yield;
  if (Object.hasOwn(value, '__proto__')) return true;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value))
    if (yield* hasPrototypeMember(Reflect.get(value, name))) return true;
  return false;
}
