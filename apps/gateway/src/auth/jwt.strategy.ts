/**
 * JSON Web Tokens by passport-jwt: form, header, signature with the algorithms of the configuration, issuer, audience.
 * Whatever a token holds, what comes back is a caller or a refusal: the libraries see only tokens whose header and payload
 * are objects, and a throw inside them is a refusal as well.
 */
import { PassportStrategy } from '@nestjs/passport';
import { PlainError } from '@tessera/failures';
import { Strategy } from 'passport-jwt';
import { credentialOf, type Verification } from './verification.js';
import { callerOfClaims, clockToleranceSeconds, type CallerRules, type Claims } from './token-caller.js';

export type TokenRules = CallerRules & {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly ('HS256' | 'RS256' | 'PS256' | 'ES256')[];
  /** The shared secret, or the public key for the key id that the token's header names. */
  readonly secret: string | ((keyId: string | undefined) => Promise<string | undefined>);
};

const tokenShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const tokenLengthMax = 8192;

export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(private readonly rules: TokenRules) {
    super({
      jwtFromRequest: credentialOf,
      // Nobody waits for this promise. `done` verifies the token: what is thrown there is told to it as well.
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: unknown, key?: string) => void) =>
        void keyFor(rules, token)
          .then((key) => done(null, key))
          .catch(done),
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: [...rules.algorithms],
      jsonWebTokenOptions: { clockTolerance: clockToleranceSeconds },
    });
  }

  validate(claims: Claims): Verification {
    return callerOfClaims(claims, this.rules, Date.now());
  }
}

/** Rejects with a PlainError for a token that no library needs to see. */
const keyFor = async ({ secret }: TokenRules, token: string): Promise<string> => {
  if (token.length > tokenLengthMax || !tokenShape.test(token))
    throw new PlainError(`it is not three base64url parts of at most ${tokenLengthMax} characters`);
  const [head = '', payload = ''] = token.split('.');
  const header = objectIn(head);
  if (header === undefined || objectIn(payload) === undefined)
    throw new PlainError('its header or its payload is no JSON object');
  // No extension is understood here, so none may be critical (RFC 7515, 4.1.11).
  if ('crit' in header) throw new PlainError('it has a critical extension (crit)');
  if (typeof secret === 'string') return secret;
  const key = await secret(typeof header['kid'] === 'string' ? header['kid'] : undefined);
  if (key === undefined) throw new PlainError('the issuer has no key with its id (kid)');
  return key;
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
