/**
 * The bytes of reports that were read to their end, for those who ask for the same again: the last of each request, as long as
 * its ETag is that of now. An ETag names the last change of the storage, so what is found is never old. Bounded in bytes, those
 * that are gathered or that slow readers still hold among them; the least recently used goes first.
 */
import { Inject, Injectable } from '@nestjs/common';
import { settingsToken } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import { requestDigestOfEtag } from '../replies.js';
import type { Settings } from '../settings.js';

type Pieces = AsyncIterator<Uint8Array, void, undefined>;
type KeptReport = {
  readonly etag: string;
  readonly pieces: readonly Uint8Array[];
  readers: number;
  isDropped: boolean;
};

@Injectable()
export class ReportCache {
  /** Of reports that are kept, and as many of those that are gathered or dropped while they are read. */
  readonly #bytesMax: number;
  readonly #reports: LRUCache<string, KeptReport> | undefined;
  readonly #gathering = new Set<string>();
  #bytesBeside = 0;

  constructor(@Inject(settingsToken) { REPORT_CACHE_BYTES }: Pick<Settings, 'REPORT_CACHE_BYTES'>) {
    this.#bytesMax = Math.floor(REPORT_CACHE_BYTES / 2);
    if (this.#bytesMax > 0)
      this.#reports = new LRUCache({
        ...{ maxSize: this.#bytesMax, sizeCalculation: bytesOf },
        dispose: (report) => {
          report.isDropped = true;
          if (report.readers > 0) this.#bytesBeside += bytesOf(report);
        },
      });
  }

  find(team: string, etag: string): AsyncIterableIterator<Uint8Array> | undefined {
    const kept = this.#reports?.get(keyOf(team, etag));
    return kept?.etag === etag ? this.#read(kept) : undefined;
  }

  /** The same pieces, which are kept when the last one was read. Of the same report that is read twice at once one is kept. */
  async *keep(team: string, etag: string, pieces: Pieces): AsyncGenerator<Uint8Array, void, undefined> {
    const key = keyOf(team, etag);
    let read: Uint8Array[] | undefined = this.#reports && !this.#gathering.has(key) ? [] : undefined;
    let bytes = 0;
    const forget = (): void => {
      if (read) this.#gathering.delete(key);
      read = undefined;
      this.#bytesBeside -= bytes;
      bytes = 0;
    };
    if (read) this.#gathering.add(key);
    try {
      for (let step = await pieces.next(); !step.done; step = await pieces.next()) {
        const piece = step.value;
        if (read) {
          read.push(piece);
          bytes += piece.buffer.byteLength;
          this.#bytesBeside += piece.buffer.byteLength;
          if (this.#bytesBeside > this.#bytesMax) forget();
        }
        yield piece;
      }
      if (read) this.#reports?.set(key, { etag, pieces: read, readers: 0, isDropped: false });
    } finally {
      forget();
      await pieces.return?.();
    }
  }

  async *#read(report: KeptReport): AsyncGenerator<Uint8Array, void, undefined> {
    if (report.isDropped && report.readers === 0) this.#bytesBeside += bytesOf(report);
    report.readers++;
    try {
      yield* report.pieces;
    } finally {
      report.readers--;
      if (report.isDropped && report.readers === 0) this.#bytesBeside -= bytesOf(report);
    }
  }
}

const keyOf = (team: string, etag: string): string => `${team} ${requestDigestOfEtag(etag)}`;

/** A piece keeps all of its buffer. */
const bytesOf = ({ pieces }: KeptReport): number =>
  pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, entryBytes);

const entryBytes = 500;
