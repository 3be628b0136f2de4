/**
 * JSON Web Tokens by passport-jwt: signature with the algorithms of the configuration, issuer, audience, expiry, subject,
 * team. Refuses: tokens without `exp`, `sub` or team, other forms than three base64url parts, and more than 8 KB.
 */
import { attributesOf, sortScopes, type Caller, type CallerAttributes } from '@tessera/contracts';
import { fail, succeed, type Result } from '@tessera/failures';
import { Strategy, type StrategyOptionsWithoutRequest, type VerifiedCallback } from 'passport-jwt';
import { KeySetUnavailable } from './key-set.js';
import type { Verified } from './verified.js';

export type TokenRules = {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly ('HS256' | 'RS256' | 'PS256' | 'ES256')[];
  readonly teamClaim: string;
  readonly hourlyLimit: number;
  /** The shared secret, or the public key for the key id that the token's header names. */
  readonly secret: string | ((keyId: string | undefined) => Promise<string | undefined>);
};

export type TokenVerifier = (token: string) => Promise<Result<Verified>>;

const tokenShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const tokenLengthMax = 8192;
const clockToleranceSeconds = 30;
const trustMs = 60_000;
/** It becomes a key of the database, which takes no control characters; what begins like this is an API key's. */
const subjectShape = /^(?!key:)[^\p{Cc}\p{Cs}]{1,256}$/u;
const teamShape = /^[a-z0-9][a-z0-9-]{0,62}$/;

type Claims = Readonly<Record<string, unknown>>;
type Carrier = { readonly token: string };

const refuse = (detail: string) => fail('ACCESS_UNAUTHORIZED', detail);
const notValid = refuse('The token is not valid: signature, issuer, audience or expiry do not fit.');

export const tokenVerifierOf = (rules: TokenRules): TokenVerifier => {
  const options = optionsOf(rules);
  return async (token) => {
    if (token.length > tokenLengthMax || !tokenShape.test(token))
      return refuse(`The token is not three base64url parts of at most ${tokenLengthMax} characters together.`);
    const claims = await run(options, token);
    return claims instanceof Error ? failureOf(claims) : verifiedOf(claims, rules);
  };
};

const optionsOf = (rules: TokenRules): StrategyOptionsWithoutRequest => {
  const { secret } = rules;
  const common = {
    jwtFromRequest: (request: unknown) => (isCarrier(request) ? request.token : null),
    issuer: rules.issuer,
    audience: rules.audience,
    algorithms: [...rules.algorithms],
    jsonWebTokenOptions: { clockTolerance: clockToleranceSeconds },
  };
  if (typeof secret === 'string') return { ...common, secretOrKey: secret };
  return {
    ...common,
    secretOrKeyProvider: (_request, rawToken: string, done) => {
      secret(keyIdOf(rawToken)).then(
        (key) => done(null, key),
        (error: unknown) => done(error),
      );
    },
  };
};

const isCarrier = (value: unknown): value is Carrier => typeof value === 'object' && value !== null && 'token' in value;

/** Runs the strategy as passport does: a fresh one for each token, told what to do with each outcome. */
const run = (options: StrategyOptionsWithoutRequest, token: string): Promise<Claims | Error> =>
  new Promise((resolve) => {
    const failed = (reason: unknown): void => resolve(reason instanceof Error ? reason : new Error(String(reason)));
    const strategy = new Strategy(options, (claims: Claims, done: VerifiedCallback) => done(null, claims));
    Object.assign(strategy, { success: (claims: Claims) => resolve(claims), fail: failed, error: failed });
    const carrier: object = { token };
    Reflect.apply(strategy.authenticate, strategy, [carrier]);
  });

const failureOf = (error: Error): Result<Verified> => {
  if (error instanceof KeySetUnavailable)
    return fail('SERVICE_UNAVAILABLE', 'The keys of the token issuer cannot be had at the moment.', {
      retryAfterSeconds: 5,
    });
  return error.name === 'TokenExpiredError' ? refuse('The token has expired.') : notValid;
};

const verifiedOf = (claims: Claims, rules: TokenRules): Result<Verified> => {
  const { exp, sub, [rules.teamClaim]: team } = claims;
  if (typeof exp !== 'number') return refuse('The token has no expiry (exp).');
  if (typeof sub !== 'string' || !subjectShape.test(sub)) return refuse('The token has no subject (sub).');
  if (typeof team !== 'string' || !teamShape.test(team)) return refuse(`The token names no team (${rules.teamClaim}).`);
  const attributes = attributesIn(claims, rules.teamClaim);
  const caller: Caller = Object.freeze({
    team,
    subject: sub,
    ...sortScopes(scopesIn(claims)),
    ...(attributes && { attributes }),
  });
  const validUntilMs = Math.min(exp * 1000, Date.now() + trustMs);
  return succeed({ caller, credential: `subject:${sub}`, hourlyLimit: rules.hourlyLimit, validUntilMs });
};

/** `scope` is a text with spaces, `scp` a list or such a text. */
const scopesIn = ({ scope, scp }: Claims): readonly unknown[] =>
  [scope, scp].flatMap((claim): readonly unknown[] =>
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
  );

/** Claims that speak of the token, not of its bearer. */
const ofTheToken = new Set(
  'iss sub aud exp nbf iat jti scope scp azp client_id nonce at_hash c_hash s_hash auth_time acr amr sid'.split(' '),
);

/** Everything else that is a plain value or a list of such; policies on data may read it. */
const attributesIn = (claims: Claims, teamClaim: string): CallerAttributes | undefined =>
  attributesOf(
    Object.fromEntries(Object.entries(claims).filter(([name]) => name !== teamClaim && !ofTheToken.has(name))),
  );

/** The header is read before the signature is checked: it chooses a key, it decides nothing. */
const keyIdOf = (token: string): string | undefined => {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && 'kid' in header && typeof header.kid === 'string'
      ? header.kid
      : undefined;
  } catch {
    return undefined;
  }
};
