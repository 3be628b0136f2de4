/**
 * What the database knows of credentials, by their ids. All waiting requests share one look-up statement, one at a time, so that
 * made-up credentials cannot crowd PostgreSQL. The queue is bounded; unknown ids are remembered for a while.
 */
import { fail, succeed, type Result } from '@tessera/failures';
import { toOutageFailure } from '@tessera/persistence';
import { LRUCache } from 'lru-cache';

type CredentialLookupOptions<Stored> = {
  /** Those with these ids; ids that nobody has are left out. */
  readonly find: (ids: readonly string[]) => Promise<readonly Stored[]>;
  readonly idOf: (stored: Stored) => string;
};

const batchMax = 500;
const waitingMax = 5_000;
const unknownIds = { max: 10_000, ttlMs: 3_000 };

const tooManyLookups = fail('SERVICE_UNAVAILABLE', 'Too many credentials are being looked up at the moment.', {
  retryAfterSeconds: 1,
});

type Waiting<Stored> = {
  readonly id: string;
  readonly found: Promise<Stored | undefined>;
  readonly resolve: (stored: Stored | undefined) => void;
  readonly reject: (error: unknown) => void;
};

export class CredentialLookup<Stored> {
  readonly #options: CredentialLookupOptions<Stored>;
  readonly #unknown = new LRUCache<string, true>({ max: unknownIds.max, ttl: unknownIds.ttlMs });
  readonly #waiting = new Map<string, Waiting<Stored>>();
  #isLookingUp = false;

  constructor(options: CredentialLookupOptions<Stored>) {
    this.#options = options;
  }

  /** Undefined when nobody has the id. */
  async find(id: string): Promise<Result<Stored | undefined>> {
    if (this.#unknown.has(id)) return succeed(undefined);
    if (this.#waiting.size >= waitingMax && !this.#waiting.has(id)) return tooManyLookups;
    try {
      const stored = await this.#lookUp(id);
      if (!stored) this.#unknown.set(id, true);
      return succeed(stored);
    } catch (error) {
      const failure = toOutageFailure(error);
      if (!failure) throw error;
      return { ok: false, failure: { ...failure, detail: 'The credential cannot be checked at the moment.' } };
    }
  }

  #lookUp(id: string): Promise<Stored | undefined> {
    const waiting = this.#waiting.get(id);
    if (waiting) return waiting.found;
    const { promise, resolve, reject } = Promise.withResolvers<Stored | undefined>();
    this.#waiting.set(id, { id, found: promise, resolve, reject });
    if (!this.#isLookingUp) void this.#runLookups();
    return promise;
  }

  async #runLookups(): Promise<void> {
    const { find, idOf } = this.#options;
    this.#isLookingUp = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, batchMax);
      batch.forEach(({ id }) => this.#waiting.delete(id));
      try {
        const found = new Map((await find(batch.map(({ id }) => id))).map((stored) => [idOf(stored), stored]));
        batch.forEach(({ id, resolve }) => resolve(found.get(id)));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    this.#isLookingUp = false;
  }
}
