/** Verification of credentials by the configured strategies, and their hourly limit. */
import { Module } from '@nestjs/common';
import { credentialWindows, rateWindows, type Pool } from '@tessera/persistence';
import { findApiKeys, markApiKeysUsed } from '@tessera/persistence/gateway';
import { openLimiter, RateLimiter } from '@tessera/rate-limit';
import { logToken, metricsToken, settingsToken, type Log, type Metrics } from '@tessera/service-kit';
import type { GatewayConfiguration } from '../configuration.js';
import { DatabaseModule, poolToken } from '../database.module.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { Authenticator } from './authenticator.js';
import { FailedCredentials } from './failed-credentials.js';
import { JwtStrategy, type TokenRules } from './jwt.strategy.js';
import { KeySet } from './key-set.js';
import { KeyUses } from './key-uses.js';
import { KeyVerifier } from './key-verifier.js';
import { Revocations } from './revocations.js';
import { strategyRunner } from './verification.js';

const apiKeyStrategyOf = (pool: Pool, { RATE_LIMIT_PER_HOUR: standardLimit }: GatewayConfiguration): ApiKeyStrategy =>
  new ApiKeyStrategy(new KeyVerifier({ find: (keyIds) => findApiKeys(pool, keyIds), standardLimit }));

/** Undefined when no tokens are configured. */
const jwtStrategyOf = (configuration: GatewayConfiguration, log: Log): JwtStrategy | undefined => {
  const check = signatureRulesOf(configuration, log);
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = configuration;
  if (!check || issuer === undefined || audience === undefined) return undefined;
  return new JwtStrategy({
    ...check,
    issuer,
    audience,
    teamClaim: configuration.JWT_TEAM_CLAIM,
    hourlyLimit: configuration.RATE_LIMIT_PER_HOUR,
    adminTeams: configuration.JWT_ADMIN_TEAMS ?? [],
    lifetimeMaxSeconds: configuration.JWT_LIFETIME_MAX_SECONDS,
  });
};

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

const authenticatorOf = (keys: ApiKeyStrategy, tokens: JwtStrategy | undefined): Authenticator =>
  new Authenticator({
    verifyKey: strategyRunner(keys),
    ...(tokens && { verifyToken: strategyRunner(tokens) }),
  });

const keyUsesOf = (pool: Pool, log: Log): KeyUses =>
  new KeyUses({
    write: (uses) => markApiKeysUsed(pool, uses),
    onError: (reason) => log.warn({ reason }, 'the last use of keys could not be written'),
  });

const limiterOf = (pool: Pool, log: Log, { registry }: Metrics): RateLimiter => {
  const { limiter, stop } = openLimiter(rateWindows(pool, credentialWindows), log, registry);
  // Leases are given back while the database is still open.
  return Object.assign(limiter, { onApplicationShutdown: stop });
};

@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: ApiKeyStrategy, inject: [poolToken, settingsToken], useFactory: apiKeyStrategyOf },
    { provide: JwtStrategy, inject: [settingsToken, logToken], useFactory: jwtStrategyOf },
    { provide: Authenticator, inject: [ApiKeyStrategy, JwtStrategy], useFactory: authenticatorOf },
    { provide: KeyUses, inject: [poolToken, logToken], useFactory: keyUsesOf },
    { provide: FailedCredentials, useFactory: () => new FailedCredentials() },
    { provide: RateLimiter, inject: [poolToken, logToken, metricsToken], useFactory: limiterOf },
    Revocations,
  ],
  exports: [Authenticator, KeyUses, FailedCredentials, RateLimiter, Revocations],
})
export class AuthModule {}
