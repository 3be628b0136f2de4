/** How columns are read, kept as long as it is sure to be so. */
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseReading } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';

type KnownReading = { readonly freshness: string; readonly reading: Promise<DatabaseReading> };

/** Readings that are kept: a model has one, for its tables of one schema. */
const readingsMax = 1_000;

export class DatabaseReadings {
  readonly #known = new LRUCache<string, KnownReading>({ max: readingsMax });

  /**
   * `freshness`: another one whenever it is read again. The same object while columns stay as they are, so that what was compiled
   * with it is found again. Rejects with the error of `read`.
   */
  of(key: string, freshness: string, read: () => Promise<DatabaseReading>): Promise<DatabaseReading> {
    const known = this.#known.get(key);
    if (known?.freshness === freshness) return known.reading;
    const reading = read().then(async (now) => {
      const before = await known?.reading.catch(() => undefined);
      return before && isDeepStrictEqual(before, now) ? before : now;
    });
    this.#known.set(key, { freshness, reading });
    reading.catch(() => this.#known.delete(key));
    return reading;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
