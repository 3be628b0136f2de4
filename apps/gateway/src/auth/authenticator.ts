/**
 * Credential to verified caller, through one bounded cache: a known credential costs a look-up in a map, not a signature or a
 * query. Rejections are not cached. Never trusts anything longer than 60 s, its expiry, or the revocation of its key; a session for
 * a few seconds, or until something of its holder changes.
 */
import { LRUCache } from 'lru-cache';
import type { Credential } from './credential.guard.js';
import {
  refuseCredential,
  type AcceptedCredential,
  type VerificationResult,
  type VerifiedCredential,
} from './verification.js';

type AuthenticatorOptions = {
  readonly verifyKey: (key: string) => Promise<VerificationResult>;
  readonly verifyToken: (token: string) => Promise<VerificationResult>;
  readonly verifySession: (secret: string) => Promise<VerificationResult>;
  readonly clock?: () => number;
};

const knownMax = 10_000;
/** Of which sessions something has changed: of all that the team has, or those of one member, or one. Grants are as sessions of their members. */
export type SessionSelector = { readonly team: string; readonly memberId?: string } | { readonly sessionId: string };

export class Authenticator {
  readonly #known = new LRUCache<string, AcceptedCredential>({ max: knownMax });
  readonly #pending = new Map<string, Promise<VerificationResult>>();
  readonly #revoked = new LRUCache<string, true>({ max: knownMax, ttl: 120_000 });
  readonly #options: AuthenticatorOptions;
  readonly #clock: () => number;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /** Rises with every change to sessions: what the database answered before it is not kept. */
  #sessionChanges = 0;

  /** At once when the credential is known. Never rejects for what is expected. */
  authenticate(credential: Credential): VerificationResult | Promise<VerificationResult> {
    const entry = entryOf(credential);
    const known = this.#known.get(entry);
    if (known !== undefined) {
      if (this.#clock() < known.value.validUntilMs) return known;
      this.#known.delete(entry);
    }
    return this.#pending.get(entry) ?? this.#verify(credential, entry);
  }

  /** Forgets a key or a grant with its tokens, or one token, at once; an answer of the database that is under way does not bring it back. */
  revoke(id: string): void {
    this.#revoked.set(id, true);
    for (const [entry, { value }] of this.#known.entries())
      if (value.keyId === id || value.tokenId === id || value.grant?.grantId === id) this.#known.delete(entry);
  }

  /** The next request of each looks it up again, and so do the next ones with tokens of grants. */
  forgetSessions(changed: SessionSelector): void {
    this.#sessionChanges++;
    // Of what is under way nobody knows yet whose it is.
    this.#pending.clear();
    for (const [entry, { value }] of this.#known.entries()) if (isAmong(value, changed)) this.#known.delete(entry);
  }

  #verify(credential: Credential, entry: string): Promise<VerificationResult> {
    const verifying: Promise<VerificationResult> = this.#runStrategy(credential, entry).finally(() => {
      if (this.#pending.get(entry) === verifying) this.#pending.delete(entry);
    });
    this.#pending.set(entry, verifying);
    return verifying;
  }

  async #runStrategy({ kind, text }: Credential, entry: string): Promise<VerificationResult> {
    const changes = this.#sessionChanges;
    const result = await this.#run(kind, text);
    if (!result.ok) return result;
    const { keyId = '', tokenId = '', validUntilMs, session, grant } = result.value;
    if (this.#revoked.has(keyId)) return refuseCredential(`the key ${keyId} was revoked`);
    if (this.#revoked.has(tokenId)) return refuseCredential(`the token ${tokenId} was revoked`);
    if (this.#revoked.has(grant?.grantId ?? '')) return refuseCredential(`the grant ${grant?.grantId} has ended`);
    const isCurrent = (session ?? grant) === undefined || changes === this.#sessionChanges;
    if (isCurrent && this.#clock() < validUntilMs) this.#known.set(entry, result);
    return result;
  }

  #run(kind: Credential['kind'], text: string): Promise<VerificationResult> {
    const { verifyKey, verifyToken, verifySession } = this.#options;
    switch (kind) {
      case 'key':
        return verifyKey(text);
      case 'token':
        return verifyToken(text);
      case 'session':
        return verifySession(text);
    }
  }
}

/** No header holds a line feed: what was kept of a cookie is not found by what came in another place. */
const sessionPrefix = '\n';
const entryOf = ({ kind, text }: Credential): string => (kind === 'session' ? sessionPrefix + text : text);

const isAmong = ({ session, grant, caller }: VerifiedCredential, changed: SessionSelector): boolean => {
  const held = session ?? grant;
  if (held === undefined) return false;
  if ('sessionId' in changed) return session?.sessionId === changed.sessionId;
  return caller.team === changed.team && (changed.memberId === undefined || held.memberId === changed.memberId);
};
