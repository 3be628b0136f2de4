/**
 * JSON Web Tokens by passport-jwt: form, header, signature with the algorithms of the configuration, issuer.
 * Whatever a token holds, what comes back is a caller or a refusal: the libraries see only tokens whose header and payload
 * are objects, and a throw inside them is a refusal as well.
 */
import { PassportStrategy } from '@nestjs/passport';
import { LoggableMessageError } from '@tessera/failures';
import { Strategy } from 'passport-jwt';
import { readCredentialText, type VerificationResult } from './verification.js';
import {
  verifyClaims,
  callerOfMember,
  clockToleranceSeconds,
  type CallerRules,
  type Claims,
  type FindMembersOf,
} from './token-caller.js';

export type TokenRules = {
  /** Absent when only one issuer has the keys. */
  readonly issuer?: string;
  /** What `typ` of the header must be; anything when it is absent. */
  readonly type?: string;
  readonly algorithms: readonly ('HS256' | 'RS256' | 'PS256' | 'ES256')[];
  /** The shared secret, or the public key for the key id that the token's header names. */
  readonly secret: string | ((keyId: string | undefined) => Promise<string | undefined>);
  /** Of a token whose signature fits. */
  readonly callerOf: (claims: Claims) => VerificationResult | Promise<VerificationResult>;
};

/** For tokens of the operator's issuer: their claims say who calls, or whose membership does. */
export const createIssuerTokenRules = (
  rules: Omit<TokenRules, 'callerOf'> & CallerRules & { readonly findMembers?: FindMembersOf },
): TokenRules => ({
  ...rules,
  callerOf: (claims) =>
    claims[rules.teamClaim] === undefined && rules.findMembers
      ? callerOfMember(claims, rules, rules.findMembers, Date.now())
      : verifyClaims(claims, rules, Date.now()),
});

const tokenShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
export const maxTokenLength = 8192;

export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(private readonly rules: TokenRules) {
    super({
      jwtFromRequest: readCredentialText,
      // Nobody waits for this promise. `done` verifies the token: what is thrown there is told to it as well.
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: unknown, key?: string) => void) =>
        void keyFor(rules, token)
          .then((key) => done(null, key))
          .catch(done),
      ...(rules.issuer !== undefined && { issuer: rules.issuer }),
      algorithms: [...rules.algorithms],
      jsonWebTokenOptions: { clockTolerance: clockToleranceSeconds },
    });
  }

  validate(claims: Claims): VerificationResult | Promise<VerificationResult> {
    return this.rules.callerOf(claims);
  }
}

/** Rejects with a LoggableMessageError for a token that no library needs to see. */
const keyFor = async ({ secret, type }: TokenRules, token: string): Promise<string> => {
  if (token.length > maxTokenLength || !tokenShape.test(token))
    throw new LoggableMessageError(`it is not three base64url parts of at most ${maxTokenLength} characters`);
  const [head = '', payload = ''] = token.split('.');
  const header = objectIn(head);
  if (header === undefined || objectIn(payload) === undefined)
    throw new LoggableMessageError('its header or its payload is no JSON object');
  // No extension is understood here, so none may be critical (RFC 7515, 4.1.11).
  if ('crit' in header) throw new LoggableMessageError('it has a critical extension (crit)');
  if (type !== undefined && header['typ'] !== type)
    throw new LoggableMessageError('it is a token of another type (typ)');
  if (typeof secret === 'string') return secret;
  const key = await secret(typeof header['kid'] === 'string' ? header['kid'] : undefined);
  if (key === undefined) throw new LoggableMessageError('the issuer has no key with its id (kid)');
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
