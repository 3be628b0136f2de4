/**
 * Access tokens of this installation: for a key, or for a client to which a member granted something. They are worth what the key or the
 * member is worth when they are used, at most what they say themselves, and nothing once the key is revoked or the grant has ended.
 */
import { randomUUID } from 'node:crypto';
import { partitionScopes, type Caller } from '@tessera/contracts';
import { toOutageFailure } from '@tessera/persistence';
import { isTokenRevoked, revokeToken } from '@tessera/persistence/gateway';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { SignJWT } from 'jose';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { GrantVerifier } from '../auth/grant-verifier.js';
import type { KeyVerifier } from '../auth/key-verifier.js';
import { toCanonicalScope, clockToleranceSeconds } from '../auth/token-caller.js';
import { maxTokenLength } from '../auth/jwt.strategy.js';
import { refuseCredential, type VerificationResult, type VerifiedCredential } from '../auth/verification.js';
import { mcpResourcePattern } from '../mcp/protected-resource.js';
import { OAuthFault } from './oauth-fault.js';
import { type SigningKeys, signingAlgorithm, tokenLifetimeSeconds } from './signing-keys.js';

/** By which a token differs from whatever else the keys may sign (RFC 9068). */
export const accessTokenType = 'at+jwt';

export type TokenGrant = {
  /** The public address. */
  readonly issuer: string;
  /** Of one MCP server; the public address for everything. */
  readonly audience: string;
  readonly caller: Caller;
  readonly keyId: string;
  readonly scopes: readonly string[];
};

const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  team: z.string(),
  /** Absent when nothing is left of what was granted. */
  scope: z.string().default(''),
  client_id: z.string(),
  jti: z.uuid(),
  exp: z.number(),
  /** Of a token that a member allowed a client to have; without it the client is a key. */
  grant_id: z.uuid().optional(),
});

type AccessTokensOptions = {
  readonly keys: SigningKeys;
  readonly verifier: Pick<KeyVerifier, 'verifyKnown'>;
  readonly grants: Pick<GrantVerifier, 'verify'>;
  readonly source: DataSource;
};

export class AccessTokenService {
  constructor(private readonly options: AccessTokensOptions) {}

  /** Throws an OAuthFault for more than a token can hold. Rejects with the error of the database. */
  async sign(grant: TokenGrant): Promise<string> {
    const key = await this.options.keys.signing();
    const whole = await signWith(key, grant, grant.caller.attributes);
    if (whole.length <= maxTokenLength) return whole;
    // Here they are read from the key; they are in the token for others.
    const short = await signWith(key, grant);
    if (short.length <= maxTokenLength) return short;
    throw new OAuthFault('invalid_scope', 'The key has more scopes than a token can hold; ask for a part of them.');
  }

  /** The caller of a token whose signature fits. */
  async callerOf(given: unknown): Promise<VerificationResult> {
    const read = Claims.safeParse(given);
    if (!read.success) return refuseCredential('the token lacks a claim that every token here has');
    const { iss, aud, team, client_id: clientId, grant_id: grantId, jti } = read.data;
    if (aud !== iss && !mcpResourcePattern.test(aud))
      return refuseCredential('the token is for another audience (aud)');
    const { verifier, grants } = this.options;
    const verified = await (grantId === undefined ? verifier.verifyKnown(clientId) : grants.verify(grantId, clientId));
    if (!verified.ok) return verified;
    if (verified.value.caller.team !== team) return refuseCredential('the token names another team than its holder');
    const refused = await this.#checkRevoked(team, jti);
    return refused ?? { ok: true, value: limitToToken(verified.value, read.data) };
  }

  /** It is refused from now on. Rejects with the error of the database. */
  async revoke(team: string, tokenId: string): Promise<void> {
    const expiresAt = new Date(Date.now() + (tokenLifetimeSeconds + 2 * clockToleranceSeconds) * 1000);
    await runInTenantEntityTransaction(this.options.source, team, (manager) =>
      revokeToken(manager, team, tokenId, expiresAt),
    );
  }

  async #checkRevoked(team: string, tokenId: string): Promise<VerificationResult | undefined> {
    try {
      const isRevoked = await runInTenantEntityTransaction(this.options.source, team, (manager) =>
        isTokenRevoked(manager, team, tokenId),
      );
      return isRevoked ? refuseCredential(`the token ${tokenId} was revoked`) : undefined;
    } catch (error) {
      const failure = toOutageFailure(error);
      if (!failure) throw error;
      return { ok: false, failure: { ...failure, detail: 'The credential cannot be checked at the moment.' } };
    }
  }
}

const signWith = (
  { keyId: kid, privateKey }: Awaited<ReturnType<SigningKeys['signing']>>,
  { issuer, audience, caller: { team, subject }, keyId, scopes }: TokenGrant,
  attributes?: Caller['attributes'],
): Promise<string> =>
  new SignJWT({ team, scope: scopes.join(' '), client_id: keyId, ...(attributes && { attributes }) })
    .setProtectedHeader({ alg: signingAlgorithm, typ: accessTokenType, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${tokenLifetimeSeconds}s`)
    .sign(privateKey);

type TokenClaims = z.output<typeof Claims>;

const limitToToken = (holder: VerifiedCredential, { iss, aud, jti, exp, scope }: TokenClaims): VerifiedCredential => {
  const asked = new Set(scope.split(' ').map(toCanonicalScope));
  const { scopes, furtherScopes = [], ...rest } = holder.caller;
  const left = partitionScopes([...scopes, ...furtherScopes].filter((word) => asked.has(word)));
  return {
    ...holder,
    caller: Object.freeze({ ...rest, ...left }),
    validUntilMs: Math.min(holder.validUntilMs, exp * 1000),
    ...{ tokenId: jti, issuer: iss },
    ...(aud !== iss && { resources: [aud] }),
  };
};
