/**
 * Verifies API keys: the checksum finds typos, the database everything else. All waiting requests share one look-up statement,
 * one at a time, so that made-up keys cannot crowd PostgreSQL. The queue is bounded; unknown ids are remembered for a while.
 */
import { attributesOf, sortScopes, type Caller } from '@tessera/contracts';
import { fail } from '@tessera/failures';
import { apiKeyIdOf, apiKeyMatches, databaseFailure } from '@tessera/persistence';
import type { StoredApiKey } from '@tessera/persistence/gateway';
import { LRUCache } from 'lru-cache';
import { grantsOf, limitToGrants } from './grants.js';
import { refuseCredential, type Verification } from './verification.js';

type KeyVerifierOptions = {
  /** The keys with these ids; those that nobody has are left out. */
  readonly find: (keyIds: readonly string[]) => Promise<readonly StoredApiKey[]>;
  /** Of a team whose grants name no limit. */
  readonly standardLimit: number;
  readonly clock?: () => number;
};

const trustMs = 60_000;
const batchMax = 500;
const waitingMax = 5_000;
const unknownIds = { max: 10_000, ttlMs: 3_000 };

const unknownKey = refuseCredential('no key is like this one');
const tooManyLookups = fail('SERVICE_UNAVAILABLE', 'Too many credentials are being looked up at the moment.', {
  retryAfterSeconds: 1,
});

type Lookup = {
  readonly keyId: string;
  readonly found: Promise<StoredApiKey | undefined>;
  readonly settle: LookupSettlers;
};
type LookupSettlers = {
  readonly resolve: (key: StoredApiKey | undefined) => void;
  readonly reject: (error: unknown) => void;
};

export class KeyVerifier {
  readonly #find: KeyVerifierOptions['find'];
  readonly #clock: () => number;
  readonly #standardLimit: number;
  readonly #unknown = new LRUCache<string, true>({ max: unknownIds.max, ttl: unknownIds.ttlMs });
  readonly #waiting = new Map<string, Lookup>();
  #isLookingUp = false;

  constructor({ find, standardLimit, clock = Date.now }: KeyVerifierOptions) {
    this.#find = find;
    this.#standardLimit = standardLimit;
    this.#clock = clock;
  }

  async verify(key: string): Promise<Verification> {
    const keyId = apiKeyIdOf(key);
    if (keyId === undefined) return refuseCredential('the form or the checksum of the key does not fit');
    if (this.#unknown.has(keyId)) return unknownKey;
    if (this.#waiting.size >= waitingMax && !this.#waiting.has(keyId)) return tooManyLookups;
    try {
      const stored = await this.#lookUp(keyId);
      if (!stored) {
        this.#unknown.set(keyId, true);
        return unknownKey;
      }
      return this.#verifyStored(key, stored);
    } catch (error) {
      const failure = databaseFailure(error);
      if (failure)
        return { ok: false, failure: { ...failure, detail: 'The credential cannot be checked at the moment.' } };
      throw error;
    }
  }

  #verifyStored(key: string, stored: StoredApiKey): Verification {
    if (!apiKeyMatches(key, stored.digest)) return unknownKey;
    if (stored.revokedAt) return refuseCredential(`the key ${stored.keyId} was revoked`);
    const nowMs = this.#clock();
    const expiresAtMs = stored.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (expiresAtMs <= nowMs) return refuseCredential(`the key ${stored.keyId} has expired`);
    const { team, keyId, madeBy, granted } = stored;
    // What the team gave is worth no more than what it was granted, at this moment.
    const worth = madeBy === 'team' ? limitToGrants(grantsOf(granted, this.#standardLimit), stored) : stored;
    const attributes = attributesOf(worth.attributes);
    const caller: Caller = Object.freeze({
      team,
      subject: `key:${keyId}`,
      ...sortScopes([...worth.scopes, ...worth.furtherScopes]),
      ...(attributes && { attributes }),
    });
    const validUntilMs = Math.min(expiresAtMs, nowMs + trustMs);
    return {
      ok: true,
      value: { caller, credential: `key:${keyId}`, hourlyLimit: worth.hourlyLimit, validUntilMs, keyId },
    };
  }

  #lookUp(keyId: string): Promise<StoredApiKey | undefined> {
    const waiting = this.#waiting.get(keyId);
    if (waiting) return waiting.found;
    const { promise, resolve, reject } = Promise.withResolvers<StoredApiKey | undefined>();
    this.#waiting.set(keyId, { keyId, found: promise, settle: { resolve, reject } });
    if (!this.#isLookingUp) void this.#runLookups();
    return promise;
  }

  async #runLookups(): Promise<void> {
    this.#isLookingUp = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, batchMax);
      batch.forEach(({ keyId }) => this.#waiting.delete(keyId));
      try {
        const found = new Map((await this.#find(batch.map(({ keyId }) => keyId))).map((key) => [key.keyId, key]));
        batch.forEach(({ keyId, settle }) => settle.resolve(found.get(keyId)));
      } catch (error) {
        batch.forEach(({ settle }) => settle.reject(error));
      }
    }
    this.#isLookingUp = false;
  }
}
