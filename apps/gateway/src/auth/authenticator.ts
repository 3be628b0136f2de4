/**
 * Credential to verified caller, through one bounded cache: a known credential costs a look-up in a map, not a signature or a
 * query. Rejections are not cached. Never trusts anything longer than 60 s, its expiry, or the revocation of its key.
 */
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential.guard.js';
import { refuseCredential, type AcceptedCredential, type Verification } from './verification.js';

type AuthenticatorOptions = {
  readonly verifyKey: (key: string) => Promise<Verification>;
  /** Absent when no tokens are configured. */
  readonly verifyToken?: (token: string) => Promise<Verification>;
  readonly clock?: () => number;
};

const knownMax = 10_000;
const noTokens = refuseCredential('tokens are not configured');

export class Authenticator {
  readonly #known = new LRUCache<string, AcceptedCredential>({ max: knownMax });
  readonly #pending = new Map<string, Promise<Verification>>();
  readonly #revoked = new LRUCache<string, true>({ max: knownMax, ttl: 120_000 });
  readonly #options: AuthenticatorOptions;
  readonly #clock: () => number;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /** At once when the credential is known. Never rejects for what is expected. */
  authenticate(credential: Credential): Verification | Promise<Verification> {
    const known = this.#known.get(credential.text);
    if (known !== undefined) {
      if (this.#clock() < known.value.validUntilMs) return known;
      this.#known.delete(credential.text);
    }
    return this.#pending.get(credential.text) ?? this.#verify(credential);
  }

  /** Forgets a key at once; an answer of the database that is under way does not bring it back. */
  revoke(keyId: string): void {
    this.#revoked.set(keyId, true);
    for (const [text, { value }] of this.#known.entries()) if (value.keyId === keyId) this.#known.delete(text);
  }

  #verify(credential: Credential): Promise<Verification> {
    const verifying = this.#runStrategy(credential).finally(() => this.#pending.delete(credential.text));
    this.#pending.set(credential.text, verifying);
    return verifying;
  }

  async #runStrategy({ kind, text }: Credential): Promise<Verification> {
    const { verifyKey, verifyToken } = this.#options;
    const result = kind === 'key' ? await verifyKey(text) : ((await verifyToken?.(text)) ?? noTokens);
    if (!result.ok) return result;
    const { keyId, validUntilMs } = result.value;
    if (keyId !== undefined && this.#revoked.has(keyId)) return refuseCredential(`the key ${keyId} was revoked`);
    if (this.#clock() < validUntilMs) this.#known.set(text, result);
    return result;
  }
}
