/**
 * Verifies grants: what a member allowed a client is worth what the member may do now. Never trusted for more than a few seconds, since
 * a message that a grant has ended may be lost.
 */
import type { FoundOAuthGrant } from '@tessera/persistence/gateway';
import { z } from 'zod';
import { CredentialLookup } from './credential-lookup.js';
import { memberTrustMs, resolveMemberCaller } from './verify-member.js';
import { refuseCredential, type VerificationResult } from './verification.js';

type GrantVerifierOptions = {
  /** The grants with these ids; those that nobody gave are left out. */
  readonly find: (grantIds: readonly string[]) => Promise<readonly FoundOAuthGrant[]>;
  readonly standardLimit: number;
  readonly clock?: () => number;
};

const ended = refuseCredential('the grant of the token has ended');
const OpenIdPart = z.object({ openid: z.object({ scope: z.string() }).optional() });

export class GrantVerifier {
  readonly #lookup: CredentialLookup<FoundOAuthGrant>;
  readonly #standardLimit: number;
  readonly #clock: () => number;

  constructor({ find, standardLimit, clock = Date.now }: GrantVerifierOptions) {
    this.#lookup = new CredentialLookup({ find, idOf: ({ grantId }) => grantId });
    this.#standardLimit = standardLimit;
    this.#clock = clock;
  }

  async verify(grantId: string, clientId: string): Promise<VerificationResult> {
    const found = await this.#lookup.find(grantId);
    if (!found.ok) return found;
    const { value: grant } = found;
    const nowMs = this.#clock();
    if (!grant || grant.expiresAt.getTime() <= nowMs) return ended;
    if (grant.clientId !== clientId) return refuseCredential('the token names another client than its grant');
    const verified = resolveMemberCaller(grant, this.#standardLimit, nowMs);
    if (!verified.ok) return verified;
    const openIdScopes = OpenIdPart.parse(grant.payload).openid?.scope.split(' ') ?? [];
    return {
      ok: true,
      value: {
        ...verified.value,
        validUntilMs: Math.min(grant.expiresAt.getTime(), nowMs + memberTrustMs),
        grant: { grantId, clientId, memberId: grant.member.memberId, openIdScopes },
      },
    };
  }
}
