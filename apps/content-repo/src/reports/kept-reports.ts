/**
 * The bytes of reports that were read to their end, for those who ask for the same again: the last of each request, as long as
 * its ETag is that of now. An ETag names the last change of the storage, so what is found is never old. Bounded in bytes, those
 * of reports that are still being read among them; the least recently used goes first.
 */
import { Inject, Injectable } from '@nestjs/common';
import { settingsToken } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import { requestOfEtag } from '../replies.js';
import type { Settings } from '../settings.js';

type Pieces = AsyncIterator<Uint8Array, void, undefined>;
type KeptReport = { readonly etag: string; readonly pieces: readonly Uint8Array[] };

@Injectable()
export class KeptReports {
  /** One half is for reports that are being read. */
  readonly #bytesMax: number;
  readonly #reports: LRUCache<string, KeptReport> | undefined;
  readonly #reading = new Set<string>();
  #bytesRead = 0;

  constructor(@Inject(settingsToken) { REPORT_CACHE_BYTES }: Pick<Settings, 'REPORT_CACHE_BYTES'>) {
    this.#bytesMax = Math.floor(REPORT_CACHE_BYTES / 2);
    if (this.#bytesMax > 0) this.#reports = new LRUCache({ maxSize: this.#bytesMax, sizeCalculation: bytesOf });
  }

  find(team: string, etag: string): AsyncIterableIterator<Uint8Array> | undefined {
    const kept = this.#reports?.get(keyOf(team, etag));
    return kept?.etag === etag ? piecesOf(kept) : undefined;
  }

  /** The same pieces, which are kept when the last one was read. Of the same report that is read twice at once one is kept. */
  async *keep(team: string, etag: string, pieces: Pieces): AsyncGenerator<Uint8Array, void, undefined> {
    const key = keyOf(team, etag);
    let read: Uint8Array[] | undefined = this.#reports && !this.#reading.has(key) ? [] : undefined;
    let bytes = 0;
    const forget = (): void => {
      if (read) this.#reading.delete(key);
      read = undefined;
      this.#bytesRead -= bytes;
      bytes = 0;
    };
    if (read) this.#reading.add(key);
    try {
      for (let step = await pieces.next(); !step.done; step = await pieces.next()) {
        const piece = step.value;
        if (read) {
          read.push(piece);
          bytes += piece.buffer.byteLength;
          this.#bytesRead += piece.buffer.byteLength;
          if (this.#bytesRead > this.#bytesMax) forget();
        }
        yield piece;
      }
      if (read) this.#reports?.set(key, { etag, pieces: read });
    } finally {
      forget();
      await pieces.return?.();
    }
  }
}

const keyOf = (team: string, etag: string): string => `${team} ${requestOfEtag(etag)}`;

/** A piece keeps all of its buffer. */
const bytesOf = ({ pieces }: KeptReport): number =>
  pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, entryBytes);

const entryBytes = 500;

const piecesOf = async function* ({ pieces }: KeptReport): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
};
