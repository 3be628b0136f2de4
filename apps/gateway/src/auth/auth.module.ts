/** Verification of credentials by the configured strategies, and their hourly limit. */
import { Module } from '@nestjs/common';
import { credentialWindowTable, toOutageFailure, createRateWindows, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  ensureSigningKey,
  findApiKeys,
  findOAuthGrants,
  findSessions,
  markApiKeysUsed,
  markSessionSeen,
  type ResolvedSession,
} from '@tessera/persistence/gateway';
import { openRateLimiter, RateLimiter } from '@tessera/rate-limit';
import { toLoggableReason } from '@tessera/failures';
import { logToken, metricsToken, settingsToken, type Log, type Metrics } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import type { GatewayConfiguration } from '../configuration.js';
import { DatabaseModule, poolToken } from '../database.module.js';
import { AccessTokenService, accessTokenType } from '../oauth/access-tokens.js';
import { EvidenceKeys, SigningKeys, signingAlgorithm } from '../oauth/signing-keys.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { Authenticator } from './authenticator.js';
import { FailedCredentials, FailedSignIns } from './failed-credentials.js';
import { GrantVerifier } from './grant-verifier.js';
import { JwtStrategy, createIssuerTokenRules, type TokenRules } from './jwt.strategy.js';
import { KeySet, KeySetUnavailable } from './key-set.js';
import { KeyUsageRecorder } from './key-uses.js';
import { KeyVerifier } from './key-verifier.js';
import { membersFinder } from './find-members.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RevocationBroadcaster } from './revocations.js';
import { SessionVerifier } from './session-verifier.js';
import { createStrategyRunner } from './verification.js';

const keyVerifierOf = (pool: Pool, { RATE_LIMIT_PER_HOUR: standardLimit }: GatewayConfiguration): KeyVerifier =>
  new KeyVerifier({ find: (keyIds) => findApiKeys(pool, keyIds), standardLimit });

const grantVerifierOf = (pool: Pool, { RATE_LIMIT_PER_HOUR: standardLimit }: GatewayConfiguration): GrantVerifier =>
  new GrantVerifier({ find: (grantIds) => findOAuthGrants(pool, grantIds), standardLimit });

/** Of the operator's issuer where there is one, else of this installation. */
const jwtStrategyOf = (
  configuration: GatewayConfiguration,
  log: Log,
  signingKeys: SigningKeys,
  accessTokens: AccessTokenService,
  pool: Pool,
  source: DataSource,
): JwtStrategy => {
  const check = signatureRulesOf(configuration, log);
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = configuration;
  if (!check || issuer === undefined || audience === undefined)
    return new JwtStrategy(ownTokenRules(signingKeys, accessTokens));
  return new JwtStrategy(
    createIssuerTokenRules({
      ...check,
      issuer,
      audience,
      teamClaim: configuration.JWT_TEAM_CLAIM,
      hourlyLimit: configuration.RATE_LIMIT_PER_HOUR,
      adminTeams: configuration.JWT_ADMIN_TEAMS ?? [],
      lifetimeMaxSeconds: configuration.JWT_LIFETIME_MAX_SECONDS,
      findMembers: membersFinder(pool, source, { issuer, standardLimit: configuration.RATE_LIMIT_PER_HOUR }),
    }),
  );
};

/** Nobody else has the keys, so the signature says who the issuer is. */
const ownTokenRules = (keys: SigningKeys, tokens: AccessTokenService): TokenRules => ({
  type: accessTokenType,
  algorithms: [signingAlgorithm],
  secret: async (keyId = '') => {
    try {
      return await keys.publicKeyFor(keyId);
    } catch (error) {
      throw toOutageFailure(error) ? new KeySetUnavailable('the signing keys cannot be read') : error;
    }
  },
  callerOf: (claims) => tokens.callerOf(claims),
});

/** The algorithms come from here, never from a token: HS256 with the secret, or public keys, not both. */
const signatureRulesOf = (
  { JWT_SECRET, JWT_JWKS_URL, JWT_ALGORITHMS }: GatewayConfiguration,
  log: Log,
): Pick<TokenRules, 'algorithms' | 'secret'> | undefined => {
  if (JWT_SECRET !== undefined) return { algorithms: ['HS256'], secret: JWT_SECRET };
  if (JWT_JWKS_URL === undefined) return undefined;
  const keySet = new KeySet({
    url: JWT_JWKS_URL,
    onError: (reason) => log.warn({ reason }, 'the keys of the token issuer could not be fetched'),
  });
  return { algorithms: JWT_ALGORITHMS, secret: (keyId) => keySet.keyFor(keyId) };
};

const sessionVerifierOf = (
  pool: Pool,
  source: DataSource,
  log: Log,
  { RATE_LIMIT_PER_HOUR: standardLimit, SESSION_IDLE_SECONDS }: GatewayConfiguration,
): SessionVerifier =>
  new SessionVerifier({
    find: (digests) => findSessions(pool, digests),
    findKeys: (keyIds) => findApiKeys(pool, keyIds),
    markSeen: ({ team, sessionId }: ResolvedSession, seenAt) =>
      void runInTenantEntityTransaction(source, team, (manager) =>
        markSessionSeen(manager, team, sessionId, seenAt),
      ).catch((error: unknown) =>
        log.warn({ reason: toLoggableReason(error) }, 'the last request of a session could not be written'),
      ),
    standardLimit,
    idleMs: SESSION_IDLE_SECONDS * 1_000,
  });

const authenticatorOf = (keys: ApiKeyStrategy, tokens: JwtStrategy, sessions: SessionVerifier): Authenticator =>
  new Authenticator({
    verifyKey: createStrategyRunner(keys),
    verifyToken: createStrategyRunner(tokens),
    verifySession: (secret) => sessions.verify(secret),
  });

const keyUsesOf = (pool: Pool, log: Log): KeyUsageRecorder =>
  new KeyUsageRecorder({
    write: (uses) => markApiKeysUsed(pool, uses),
    onError: (reason) => log.warn({ reason }, 'the last use of keys could not be written'),
  });

const limiterOf = (pool: Pool, log: Log, { registry }: Metrics): RateLimiter => {
  const { limiter, stop } = openRateLimiter(createRateWindows(pool, credentialWindowTable), log, registry);
  // Leases are given back while the database is still open.
  return Object.assign(limiter, { onApplicationShutdown: stop });
};

@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: KeyVerifier, inject: [poolToken, settingsToken], useFactory: keyVerifierOf },
    { provide: GrantVerifier, inject: [poolToken, settingsToken], useFactory: grantVerifierOf },
    {
      provide: SigningKeys,
      inject: [poolToken],
      useFactory: (pool: Pool) => new SigningKeys({ read: () => ensureSigningKey(pool) }),
    },
    {
      provide: EvidenceKeys,
      inject: [poolToken],
      useFactory: (pool: Pool) => new EvidenceKeys({ read: () => ensureSigningKey(pool, 'evidence') }),
    },
    {
      provide: AccessTokenService,
      inject: [SigningKeys, KeyVerifier, GrantVerifier, DataSource],
      useFactory: (keys: SigningKeys, verifier: KeyVerifier, grants: GrantVerifier, source: DataSource) =>
        new AccessTokenService({ keys, verifier, grants, source }),
    },
    { provide: ApiKeyStrategy, inject: [KeyVerifier], useFactory: (keys: KeyVerifier) => new ApiKeyStrategy(keys) },
    {
      provide: JwtStrategy,
      inject: [settingsToken, logToken, SigningKeys, AccessTokenService, poolToken, DataSource],
      useFactory: jwtStrategyOf,
    },
    {
      provide: SessionVerifier,
      inject: [poolToken, DataSource, logToken, settingsToken],
      useFactory: sessionVerifierOf,
    },
    { provide: Authenticator, inject: [ApiKeyStrategy, JwtStrategy, SessionVerifier], useFactory: authenticatorOf },
    { provide: KeyUsageRecorder, inject: [poolToken, logToken], useFactory: keyUsesOf },
    { provide: FailedCredentials, useFactory: () => new FailedCredentials() },
    { provide: FailedSignIns, useFactory: () => new FailedSignIns() },
    { provide: RateLimiter, inject: [poolToken, logToken, metricsToken], useFactory: limiterOf },
    ...[RateLimitGuard, RevocationBroadcaster],
  ],
  exports: [
    ...[Authenticator, KeyUsageRecorder, FailedCredentials, FailedSignIns, RateLimiter, RateLimitGuard],
    RevocationBroadcaster,
    ...[SigningKeys, EvidenceKeys, AccessTokenService],
  ],
})
export class AuthModule {}
