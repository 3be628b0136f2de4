/**
 * Bodies as routes want them: one JSON value, or the text that was sent, of whatever type it says to be. A route reads its
 * body after its guards have let the request in. Compressed bodies and those above the limit are refused. A long body is
 * parsed in slices.
 */
import { isUtf8 } from 'node:buffer';
import { fail } from '@tessera/failures';
import { eventLoopTurn, runAtOnce, runInSlices } from '@tessera/fair-queue';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FailureException, notJson } from './catch-failures.js';
import { parseJsonBody } from './json-body.js';

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

/** Of less than this nothing takes long. */
const shortBytes = 16 * 1024;
const anyType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
const jsonType = /^\s*application\/json\s*(?:;|$)/i;

/** Undefined when there is none. Rejects with a FailureException, or with what broke the connection. */
export const readBody = async (request: FastifyRequest): Promise<unknown> => {
  const { exchange, headers, raw } = request;
  const { contentType, operation, frame } = exchange;
  raw.headers['content-type'] = contentType;
  const isText = operation?.http.isTextBody === true;
  if (contentType === undefined) {
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined;
    if (!isText) throw new FailureException(notJson);
  } else if (!(isText ? anyType : jsonType).test(contentType)) throw new FailureException(notJson);
  const bytes = await bytesOf(request);
  if (isCompressed(request)) throw new FailureException(compressed);
  exchange.bodyBytes = bytes.length;
  const team = frame?.caller.team ?? '';
  if (isText) {
    // In a turn of the event loop: what comes after, up to the message to a service, copies a long text.
    if (bytes.length > shortBytes) await eventLoopTurn(team);
    // What is no UTF-8 is one character that no protocol understands.
    return isUtf8(bytes) ? bytes.toString() : '\ufffd';
  }
  const parsing = parseJsonBody(bytes);
  const parsed = bytes.length <= shortBytes ? runAtOnce(parsing) : await runInSlices(parsing, team);
  if (!parsed.ok) throw new FailureException(parsed.failure);
  return parsed.value;
};

const isCompressed = ({ headers }: FastifyRequest): boolean => {
  const coding = headers['content-encoding'];
  return coding !== undefined && !/^(identity)?$/i.test(coding.trim());
};

const { failure: compressed } = fail(
  'GENERAL_MEDIATYPE_UNSUPPORTED',
  'The body is compressed; send it without Content-Encoding.',
);

const bytesOf = ({ headers, raw, routeOptions: { bodyLimit } }: FastifyRequest): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const refuseLong = (): void => {
    const detail = `The body is larger than ${bodyLimit} bytes.`;
    reject(new FailureException(fail('GENERAL_BODY_TOOLARGE', detail).failure));
  };
  if (Number(headers['content-length']) > bodyLimit) refuseLong();
  else {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bodyLimit) return;
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
