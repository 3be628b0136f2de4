/** Puts the verifiers together as the configuration says. Refuses: tokens when none are configured. */
import { findApiKeys, type Pool } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import type { GatewayConfiguration } from '../configuration.js';
import { Authenticator } from './authenticator.js';
import { KeySet } from './key-set.js';
import { KeyVerifier } from './key-verifier.js';
import { tokenVerifierOf, type TokenRules, type TokenVerifier } from './token-verifier.js';

export const openAuthenticator = (configuration: GatewayConfiguration, pool: Pool, log: Log): Authenticator => {
  const keys = new KeyVerifier({
    find: (keyIds) => findApiKeys(pool, keyIds),
    standardLimit: configuration.RATE_LIMIT_PER_HOUR,
  });
  const verifyToken = tokenVerifierFor(configuration, log);
  return new Authenticator({ verifyKey: (key) => keys.verify(key), ...(verifyToken && { verifyToken }) });
};

const tokenVerifierFor = (configuration: GatewayConfiguration, log: Log): TokenVerifier | undefined => {
  const check = checkOf(configuration, log);
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = configuration;
  if (!check || issuer === undefined || audience === undefined) return undefined;
  return tokenVerifierOf({
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
const checkOf = (
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
