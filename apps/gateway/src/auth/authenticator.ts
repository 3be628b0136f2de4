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
  /** One for each kind: a token is not found by who sends it in the place of a key. */
  readonly #known = { key: newCache(), token: newCache(), session: newCache() };
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
    const { kind, text } = credential;
    const known = this.#known[kind].get(text);
    if (known !== undefined) {
      if (this.#clock() < known.value.validUntilMs) return known;
      this.#known[kind].delete(text);
    }
    return this.#pending.get(pendingNameOf(credential)) ?? this.#verify(credential);
  }

  /** Forgets a key or a grant with its tokens, or one token, at once; an answer of the database that is under way does not bring it back. */
  revoke(id: string): void {
    this.#revoked.set(id, true);
    this.#forget(({ keyId, tokenId, grant }) => keyId === id || tokenId === id || grant?.grantId === id);
  }

  /** The next request of each looks it up again, and so do the next ones with tokens of grants. */
  forgetSessions(changed: SessionSelector): void {
    this.#sessionChanges++;
    // Of what is under way nobody knows yet whose it is.
    this.#pending.clear();
    this.#forget((value) => isAmong(value, changed));
  }

  #forget(isForgotten: (value: VerifiedCredential) => boolean): void {
    for (const known of Object.values(this.#known))
      for (const [text, { value }] of known.entries()) if (isForgotten(value)) known.delete(text);
  }

  #verify(credential: Credential): Promise<VerificationResult> {
    const name = pendingNameOf(credential);
    const verifying: Promise<VerificationResult> = this.#runStrategy(credential).finally(() => {
      if (this.#pending.get(name) === verifying) this.#pending.delete(name);
    });
    this.#pending.set(name, verifying);
    return verifying;
  }

  async #runStrategy({ kind, text }: Credential): Promise<VerificationResult> {
    const changes = this.#sessionChanges;
    const result = await this.#run(kind, text);
    if (!result.ok) return result;
    const { keyId = '', tokenId = '', validUntilMs, session, grant } = result.value;
    if (this.#revoked.has(keyId)) return refuseCredential(`the key ${keyId} was revoked`);
    if (this.#revoked.has(tokenId)) return refuseCredential(`the token ${tokenId} was revoked`);
    if (this.#revoked.has(grant?.grantId ?? '')) return refuseCredential(`the grant ${grant?.grantId} has ended`);
    const isCurrent = (session ?? grant) === undefined || changes === this.#sessionChanges;
    if (isCurrent && this.#clock() < validUntilMs) this.#known[kind].set(text, result);
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

const newCache = () => new LRUCache<string, AcceptedCredential>({ max: knownMax });

const pendingNameOf = ({ kind, text }: Credential): string => `${kind} ${text}`;

const isAmong = ({ session, grant, caller }: VerifiedCredential, changed: SessionSelector): boolean => {
  const held = session ?? grant;
  if (held === undefined) return false;
  if ('sessionId' in changed) return session?.sessionId === changed.sessionId;
  return caller.team === changed.team && (changed.memberId === undefined || held.memberId === changed.memberId);
};
