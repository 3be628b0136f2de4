/**
 * Answers of services that say for how long they are right, kept for as long: lists of tools, documents of models. Other answers
 * pass. An answer with an ETag is asked for again by it, so that one that is still right does not cross NATS again.
 */
import { type ByteReply, freshForHeader, isNoneMatch } from '@tessera/contracts';
import { type Result, succeed } from '@tessera/failures';
import { LRUCache } from 'lru-cache';
import { constants, gzip } from 'node:zlib';
import type { CompressibleReply } from './send-reply.js';
import { promisify } from 'node:util';

type KeptReply = { readonly reply: CompressibleReply; readonly etag: string | undefined; readonly bytes: number };

const bytesMax = 16 * 1024 * 1024;
const compress: (body: Uint8Array, options: { readonly level: number }) => Promise<Uint8Array> = promisify(gzip);

export class EtagReplyCache {
  readonly #kept = new LRUCache<string, KeptReply & { readonly untilMs: number }>({
    maxSize: bytesMax,
    // Its compressed form is held as well.
    sizeCalculation: ({ bytes }, key) => bytes * 2 + key.length,
  });

  /**
   * The answer to a request that `key` tells apart, with the caller to whom it shows the same; 304 when `ifNoneMatch` says that it
   * is known. Without a key nothing is kept. `ask` is given the ETag of what is kept.
   */
  async answer(
    key: string | undefined,
    ask: (etag: string | undefined) => Promise<Result<ByteReply>>,
    ifNoneMatch?: string,
  ): Promise<Result<ByteReply>> {
    const askedAtMs = performance.now();
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept && askedAtMs < kept.untilMs) return succeed(replyFor(kept, ifNoneMatch));
    const result = await ask(kept?.etag);
    if (!result.ok) return result;
    const { [freshForHeader]: freshForMs, ...headers } = result.value.headers ?? {};
    const fresh = result.value.status === 304 && kept ? kept : keptReply({ ...result.value, headers });
    if (!fresh) return succeed({ ...result.value, headers });
    if (key !== undefined && freshForMs !== undefined)
      this.#kept.set(key, { ...fresh, untilMs: askedAtMs + Number(freshForMs) });
    return succeed(replyFor(fresh, ifNoneMatch));
  }
}

/** Undefined for what comes in pieces. */
const keptReply = (answer: ByteReply): KeptReply | undefined => {
  if (!(answer.body instanceof Uint8Array)) return undefined;
  // A copy, since what came may be a part of much more.
  const body = Uint8Array.from(answer.body);
  let compressed: Promise<Uint8Array> | undefined;
  const gzipped = (): Promise<Uint8Array> => (compressed ??= compress(body, { level: constants.Z_BEST_COMPRESSION }));
  return { reply: { ...answer, body, gzipped }, etag: answer.headers?.['etag'], bytes: body.byteLength };
};

const replyFor = ({ reply, etag }: KeptReply, ifNoneMatch: string | undefined): ByteReply =>
  etag === undefined || isNoneMatch(ifNoneMatch, etag) ? reply : { ...reply, status: 304, body: new Uint8Array(0) };
