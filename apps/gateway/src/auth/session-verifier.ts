/**
 * Verifies sessions: the database knows whose they are and what their member or key may do now. Never trusted for more than a few
 * seconds, since a message that a session has ended may be lost.
 */
import type { ResolvedSession, StoredApiKey } from '@tessera/persistence/gateway';
import { digestSessionSecret } from '@tessera/persistence/gateway';
import { CredentialLookup } from './credential-lookup.js';
import { verifyStoredKey } from './key-verifier.js';
import { memberTrustMs, resolveMemberCaller } from './verify-member.js';
import { refuseCredential, type VerificationResult } from './verification.js';

type SessionVerifierOptions = {
  /** The sessions of these digests; those that nobody has are left out. */
  readonly find: (digests: readonly string[]) => Promise<readonly ResolvedSession[]>;
  readonly findKeys: (keyIds: readonly string[]) => Promise<readonly StoredApiKey[]>;
  /** Waited for by nobody; told at most once a minute for each session. */
  readonly markSeen: (session: ResolvedSession, seenAt: Date) => void;
  readonly standardLimit: number;
  readonly idleMs: number;
  readonly clock?: () => number;
};

const seenEveryMs = 60_000;
const ended = refuseCredential('no session is like this one, or it has ended');

export class SessionVerifier {
  readonly #options: SessionVerifierOptions;
  readonly #lookup: CredentialLookup<ResolvedSession>;
  readonly #keys: CredentialLookup<StoredApiKey>;
  readonly #clock: () => number;

  constructor(options: SessionVerifierOptions) {
    this.#options = options;
    this.#lookup = new CredentialLookup({ find: options.find, idOf: ({ digest }) => digest });
    this.#keys = new CredentialLookup({ find: options.findKeys, idOf: ({ keyId }) => keyId });
    this.#clock = options.clock ?? Date.now;
  }

  async verify(secret: string): Promise<VerificationResult> {
    const digest = digestSessionSecret(secret);
    if (digest === undefined) return ended;
    const found = await this.#lookup.find(digest);
    if (!found.ok) return found;
    const { value: session } = found;
    const nowMs = this.#clock();
    if (!session || nowMs >= endOf(session, this.#options.idleMs)) return ended;
    const verified = await this.#verifyHolder(session, nowMs);
    if (!verified.ok) return verified;
    if (nowMs - session.lastSeenAt.getTime() >= seenEveryMs) this.#options.markSeen(session, new Date(nowMs));
    const { sessionId, createdAt, endsAt, member } = session;
    const { validUntilMs } = verified.value;
    return {
      ok: true,
      value: {
        ...verified.value,
        validUntilMs: Math.min(validUntilMs, endsAt.getTime(), nowMs + memberTrustMs),
        session: {
          ...{ sessionId, startedAtMs: createdAt.getTime(), endsAtMs: endsAt.getTime() },
          ...(member && { memberId: member.memberId }),
        },
      },
    };
  }

  async #verifyHolder(session: ResolvedSession, nowMs: number): Promise<VerificationResult> {
    const { standardLimit } = this.#options;
    const { team, member, keyId, definedRoles, granted } = session;
    if (!member) {
      const key = await this.#keys.find(keyId ?? '');
      if (!key.ok) return key;
      return key.value ? verifyStoredKey(key.value, standardLimit, nowMs) : ended;
    }
    return resolveMemberCaller({ team, member, definedRoles, granted }, standardLimit, nowMs);
  }
}

const endOf = ({ endsAt, lastSeenAt }: ResolvedSession, idleMs: number): number =>
  Math.min(endsAt.getTime(), lastSeenAt.getTime() + idleMs);
