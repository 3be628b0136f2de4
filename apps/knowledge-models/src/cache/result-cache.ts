/**
 * Results of queries, exactly: the key says all that a result depends on, the versions of its data among it, so that what is
 * found is never old. Bounded in bytes; the least recently used goes first. Never keeps results that would drive many
 * others out.
 */
import { hash } from 'node:crypto';
import type { TextRow } from '@tessera/persistence';
import { LRUCache } from 'lru-cache';

/** What is known of a page when its last row was read. */
export type PageEnd = {
  /** Of its rows. */
  readonly count: number;
  /** Whether a row was read behind the last. */
  readonly hasMore: boolean;
  /** The values of the last row that are remembered. */
  readonly last: TextRow;
  /** Of rows that are kept as evidence. */
  readonly evidence?: RowsEvidence;
};

export type RowsEvidence = {
  /** SHA-256 of the rows in canonical form. */
  readonly rowsDigest: Uint8Array;
  /** The KPIs, as PostgreSQL sent them, when there is one row; else empty. */
  readonly figures: TextRow;
};

/** The rows of a page as they are answered, without what stands around them. */
export type SerializedRows = PageEnd & { readonly kind: 'rows'; readonly bytes: Uint8Array };
/** As PostgreSQL sent them; for what is worked with. */
export type CachedTextRows = { readonly kind: 'texts'; readonly rows: readonly TextRow[] };

type CachedResult = SerializedRows | CachedTextRows;

/** A result may fill this part of the whole. */
const largestPart = 1 / 16;
/** What an entry, a row and a text take beside their characters. */
const entryBytes = 400;
const rowBytes = 64;
const textBytes = 32;

export class ResultCache {
  readonly #results: LRUCache<string, CachedResult> | undefined;
  readonly #resultBytesMax: number;
  #hits = 0;
  #misses = 0;

  /** 0 keeps nothing. */
  constructor(bytesMax: number) {
    if (bytesMax > 0) this.#results = new LRUCache({ maxSize: bytesMax });
    this.#resultBytesMax = Math.floor(bytesMax * largestPart);
  }

  get hits(): number {
    return this.#hits;
  }
  get misses(): number {
    return this.#misses;
  }
  get bytes(): number {
    return this.#results?.calculatedSize ?? 0;
  }

  rows(key: string): SerializedRows | undefined {
    const found = this.#find(key);
    return found?.kind === 'rows' ? found : undefined;
  }

  texts(key: string): CachedTextRows | undefined {
    const found = this.#find(key);
    return found?.kind === 'texts' ? found : undefined;
  }

  /** Whether a result of so many bytes is kept. */
  keeps(bytes: number): boolean {
    return bytes + entryBytes <= this.#resultBytesMax;
  }

  set(key: string, result: CachedResult): void {
    const bytes = bytesOf(result);
    if (this.keeps(bytes)) this.#results?.set(key, result, { size: bytes + entryBytes });
  }

  #find(key: string): CachedResult | undefined {
    const found = this.#results?.get(key);
    if (found) this.#hits++;
    else this.#misses++;
    return found;
  }
}

const bytesOf = (result: CachedResult): number =>
  result.kind === 'rows'
    ? result.bytes.length + bytesOfRow(result.last)
    : result.rows.reduce((sum, row) => sum + rowBytes + bytesOfRow(row), 0);

const bytesOfRow = (row: TextRow): number =>
  row.reduce((bytes, text) => bytes + textBytes + 2 * (text?.length ?? 0), 0);

/** A short text for what an object contains. Statements and columns of repeated questions are the same objects, each read once. */
export const cachedDigestOf = (of: object, contents: () => unknown): string => {
  const known = digestByObject.get(of);
  if (known !== undefined) return known;
  const digest = digestText(JSON.stringify(contents()));
  digestByObject.set(of, digest);
  return digest;
};
const digestByObject = new WeakMap<object, string>();

export const digestText = (text: string): string => hash('sha256', text, 'base64');
