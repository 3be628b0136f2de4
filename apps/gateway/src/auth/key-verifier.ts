/** Verifies API keys: the checksum finds typos, the database everything else. */
import { readCallerAttributes, partitionScopes, type Caller } from '@tessera/contracts';
import { parseApiKeyId, apiKeyMatches } from '@tessera/persistence';
import type { StoredApiKey } from '@tessera/persistence/gateway';
import { CredentialLookup } from './credential-lookup.js';
import { resolveGrants, limitToGrants } from './grants.js';
import { refuseCredential, type VerificationResult } from './verification.js';

type KeyVerifierOptions = {
  /** The keys with these ids; those that nobody has are left out. */
  readonly find: (keyIds: readonly string[]) => Promise<readonly StoredApiKey[]>;
  /** Of a team whose grants name no limit. */
  readonly standardLimit: number;
  readonly clock?: () => number;
};

const trustMs = 60_000;
const unknownKey = refuseCredential('no key is like this one');
export class KeyVerifier {
  readonly #lookup: CredentialLookup<StoredApiKey>;
  readonly #clock: () => number;
  readonly #standardLimit: number;

  constructor({ find, standardLimit, clock = Date.now }: KeyVerifierOptions) {
    this.#lookup = new CredentialLookup({ find, idOf: ({ keyId }) => keyId });
    this.#standardLimit = standardLimit;
    this.#clock = clock;
  }

  async verify(key: string): Promise<VerificationResult> {
    const keyId = parseApiKeyId(key);
    if (keyId === undefined) return refuseCredential('the form or the checksum of the key does not fit');
    return this.#verify(keyId, ({ digest }) => apiKeyMatches(key, digest));
  }

  /** What the key of an own token is worth; its text is not needed. */
  verifyKnown(keyId: string): Promise<VerificationResult> {
    return this.#verify(keyId, () => true);
  }

  async #verify(keyId: string, matches: (stored: StoredApiKey) => boolean): Promise<VerificationResult> {
    const stored = await this.#lookup.find(keyId);
    if (!stored.ok) return stored;
    if (!stored.value || !matches(stored.value)) return unknownKey;
    return verifyStoredKey(stored.value, this.#standardLimit, this.#clock());
  }
}

/** Of a key whose bearer is known to have it. */
export const verifyStoredKey = (stored: StoredApiKey, standardLimit: number, nowMs: number): VerificationResult => {
  if (stored.revokedAt) return refuseCredential(`the key ${stored.keyId} was revoked`);
  const expiresAtMs = stored.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (expiresAtMs <= nowMs) return refuseCredential(`the key ${stored.keyId} has expired`);
  const { team, keyId, madeBy, granted } = stored;
  // What the team gave is worth no more than what it was granted, at this moment.
  const worth = madeBy === 'team' ? limitToGrants(resolveGrants(granted, standardLimit), stored) : stored;
  const attributes = readCallerAttributes(worth.attributes);
  const caller: Caller = Object.freeze({
    team,
    subject: `key:${keyId}`,
    ...partitionScopes([...worth.scopes, ...worth.furtherScopes]),
    ...(attributes && { attributes }),
  });
  const validUntilMs = Math.min(expiresAtMs, nowMs + trustMs);
  return {
    ok: true,
    value: { caller, credential: `key:${keyId}`, hourlyLimit: worth.hourlyLimit, validUntilMs, keyId },
  };
};
