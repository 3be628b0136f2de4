/**
 * JSON Web Tokens by passport-jwt: form, header, signature with the algorithms of the configuration, issuer, audience.
 * Whatever a token holds, what comes back is a caller or a refusal: the libraries see only tokens whose header and payload
 * are objects, and a throw inside them is a refusal as well.
 */
import { fail, toldReason } from '@tessera/failures';
import { Strategy, type StrategyOptionsWithoutRequest, type VerifiedCallback } from 'passport-jwt';
import { KeySetUnavailable } from './key-set.js';
import { callerOfClaims, clockToleranceSeconds, type CallerRules, type Claims } from './token-caller.js';
import { refuseCredential, type Verification } from './verified.js';

export type TokenRules = CallerRules & {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly ('HS256' | 'RS256' | 'PS256' | 'ES256')[];
  /** The shared secret, or the public key for the key id that the token's header names. */
  readonly secret: string | ((keyId: string | undefined) => Promise<string | undefined>);
};

export type TokenVerifier = (token: string) => Promise<Verification>;

const tokenShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const tokenLengthMax = 8192;

const keysAway: Verification = fail(
  'SERVICE_UNAVAILABLE',
  'The keys of the token issuer cannot be had at the moment.',
  {
    retryAfterSeconds: 5,
  },
);

export const tokenVerifierOf = (rules: TokenRules): TokenVerifier => {
  return async (token) => {
    if (token.length > tokenLengthMax || !tokenShape.test(token))
      return refuseCredential(`the token is not three base64url parts of at most ${tokenLengthMax} characters`);
    const [head = '', payload = ''] = token.split('.');
    const header = objectIn(head);
    if (header === undefined || objectIn(payload) === undefined)
      return refuseCredential('the header or the payload of the token is no JSON object');
    // No extension is understood here, so none may be critical (RFC 7515, 4.1.11).
    if ('crit' in header) return refuseCredential('the token has a critical extension (crit)');
    const { kid } = header;
    const key = await keyFor(rules, typeof kid === 'string' ? kid : undefined);
    if (key === 'away') return keysAway;
    if (key === undefined) return refuseCredential('the issuer has no key with the id of the token (kid)');
    const claims = await verifiedClaims({ ...optionsOf(rules), secretOrKey: key.text }, token);
    return claims.ok ? callerOfClaims(claims.value, rules, Date.now()) : refuseCredential(claims.reason);
  };
};

/** Undefined when the part is anything else than a JSON object. */
const objectIn = (part: string): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

type Key = { readonly text: string };

const keyFor = async ({ secret }: TokenRules, keyId: string | undefined): Promise<Key | 'away' | undefined> => {
  if (typeof secret === 'string') return { text: secret };
  try {
    const text = await secret(keyId);
    return text === undefined ? undefined : { text };
  } catch (error) {
    if (error instanceof KeySetUnavailable) return 'away';
    throw error;
  }
};

type Carrier = { readonly token: string };
const isCarrier = (value: unknown): value is Carrier => typeof value === 'object' && value !== null && 'token' in value;

const optionsOf = ({ issuer, audience, algorithms }: TokenRules) => ({
  jwtFromRequest: (request: unknown) => (isCarrier(request) ? request.token : null),
  issuer,
  audience,
  algorithms: [...algorithms],
  jsonWebTokenOptions: { clockTolerance: clockToleranceSeconds },
});

type Checked = { readonly ok: true; readonly value: Claims } | { readonly ok: false; readonly reason: string };

/**
 * Runs the strategy as passport does: a fresh one for each token, told what to do with each outcome. It has its key, so it
 * ends before `authenticate` returns, and nothing of it runs in a callback whose throw nobody would catch.
 */
const verifiedClaims = (options: StrategyOptionsWithoutRequest, token: string): Promise<Checked> =>
  new Promise<Checked>((resolve, reject) => {
    const strategy = new Strategy(options, (claims: Claims, done: VerifiedCallback) => done(null, claims));
    const success = (value: Claims): void => resolve({ ok: true, value });
    Object.assign(strategy, { success, fail: reject, error: reject });
    const carrier: object = { token };
    Reflect.apply(strategy.authenticate, strategy, [carrier]);
  }).catch((error: unknown) => ({ ok: false, reason: `the token does not fit: ${reasonOf(error)}` }));

const ofTheLibrary = new Set(['JsonWebTokenError', 'TokenExpiredError', 'NotBeforeError']);

/** What the library says itself holds nothing of the token; what is thrown inside it might. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && ofTheLibrary.has(error.name) ? error.message : toldReason(error);
