/**
 * Bodies as routes want them: one JSON value, or the text that was sent, of whatever type it says to be. Compressed bodies
 * and those above the limit are refused. A long body is parsed in slices.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { fail, type Result } from '@tessera/failures';
import { eventLoopTurn, runAtOnce, runInSlices } from '@tessera/fair-queue';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { RefusedBody } from './catch-failures.js';
import { parseJsonBody } from './json-body.js';

export const addBodyParsers = (fastify: FastifyInstance, bytesMax: number): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (isCompressed(request)) return done(new RefusedBody(compressed));
    request.exchange.bodyBytes = bytes.length;
    if (isText(request))
      return void inTurn(request, bytes)
        .then((text) => done(null, text))
        .catch(() => request.raw.destroy());
    const answer = (parsed: Result<unknown>): void =>
      parsed.ok ? done(null, parsed.value) : done(new RefusedBody(parsed.failure));
    if (bytes.length <= shortBytes) return answer(runAtOnce(parseJsonBody(bytes)));
    // Nobody waits for this promise: a throw in what `done` goes on with would end the process.
    runInSlices(parseJsonBody(bytes), teamOf(request))
      .then(answer, (error: unknown) => done(asError(error)))
      .catch(() => request.raw.destroy());
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.exchange.operation === undefined) return undefined;
    if (!isText(request)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
    if (isCompressed(request)) throw new RefusedBody(compressed);
    const bytes = await read(request, payload, bytesMax);
    request.exchange.bodyBytes = bytes.length;
    return inTurn(request, bytes);
  });
};

/** Of less than this nothing takes long. */
const shortBytes = 16 * 1024;

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const isText = ({ exchange }: FastifyRequest): boolean => exchange.operation?.http.isTextBody === true;

const isCompressed = ({ headers }: FastifyRequest): boolean => {
  const coding = headers['content-encoding'];
  return coding !== undefined && !/^(identity)?$/i.test(coding.trim());
};

const { failure: compressed } = fail(
  'GENERAL_MEDIATYPE_UNSUPPORTED',
  'The body is compressed; send it without Content-Encoding.',
);

/** The caller is known before the body is read. */
const teamOf = ({ exchange }: FastifyRequest): string => exchange.frame?.caller.team ?? '';

/** A text in a turn of the event loop when it is long: what comes after, up to the message to a service, copies it. */
const inTurn = async (request: FastifyRequest, bytes: Buffer): Promise<string> => {
  if (bytes.length > shortBytes) await eventLoopTurn(teamOf(request));
  return textOf(bytes);
};

/** What is no UTF-8 is one character that no protocol understands. */
const textOf = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString() : '\ufffd');

const read = async ({ headers }: FastifyRequest, payload: IncomingMessage, bytesMax: number): Promise<Buffer> => {
  if (Number(headers['content-length']) > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const chunks: Buffer[] = [];
  let length = 0;
  // Who sends too much is told so, on a connection that still stands.
  const sent: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  for await (const chunk of sent) {
    length += chunk.length;
    if (length > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
};
