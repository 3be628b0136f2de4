/** Documents that are the same for everybody: compressed once, as well as gzip can, and told apart by an ETag. */
import { isNoneMatch } from '@tessera/contracts';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './http/send-reply.js';

export type PreparedDocument = {
  readonly contentType: string;
  readonly etag: string;
  readonly content: Buffer;
  readonly compressed: Buffer;
};

const compress: (content: Buffer, options: { readonly level: number }) => Promise<Buffer> = promisify(gzip);

export const prepareDocument = async (contentType: string, content: Buffer): Promise<PreparedDocument> => ({
  ...{ contentType, content },
  // Weak: it is the same for the content and for its compressed form.
  etag: `W/"${createHash('sha256').update(content).digest('base64url')}"`,
  compressed: await compress(content, { level: constants.Z_BEST_COMPRESSION }),
});

/** 304 for who has it already. */
export const sendPreparedDocument = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { contentType, etag, content, compressed }: PreparedDocument,
  cacheControl: string,
): FastifyReply => {
  void reply.headers({ 'cache-control': cacheControl, vary: 'Accept-Encoding', etag });
  if (!isNoneMatch(headers['if-none-match'], etag)) return reply.code(304).send();
  void reply.type(contentType);
  return acceptsGzip(headers['accept-encoding']?.toString()) && compressed.length < content.length
    ? reply.header('content-encoding', 'gzip').send(compressed)
    : reply.send(content);
};
