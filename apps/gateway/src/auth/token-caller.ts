/**
 * The claims of a token whose signature, issuer and audience fit -> its caller. Administration comes from a token only in
 * the teams that the configuration names.
 */
import { attributesOf, operatorsTeam, sortScopes, type Caller, type CallerAttributes } from '@tessera/contracts';
import { refuseCredential, type Verification } from './verification.js';

export type Claims = Readonly<Record<string, unknown>>;

export type CallerRules = {
  readonly teamClaim: string;
  readonly hourlyLimit: number;
  /** The teams in which tokens administer; `*` is every team but the operators'. */
  readonly adminTeams: readonly string[];
  /** The longest life of a token, from `iat` to `exp`. */
  readonly lifetimeMaxSeconds?: number | undefined;
};

/** Of the clocks of issuer and gateway. */
export const clockToleranceSeconds = 30;
const trustMs = 60_000;
/** The last second of the year 9999. */
const instantMaxSeconds = 253_402_300_799;
/** It becomes a key of the database, which takes no control characters; what begins like this is an API key's. */
const subjectShape = /^(?!key:)[^\p{Cc}\p{Cs}]{1,256}$/u;
const teamShape = /^[a-z0-9][a-z0-9-]{0,62}$/;

export const callerOfClaims = (claims: Claims, rules: CallerRules, nowMs: number): Verification => {
  const { exp, sub, [rules.teamClaim]: team } = claims;
  if (!isInstant(exp)) return refuseCredential('the token has no sensible expiry (exp)');
  const wrong = timeClaimFault(claims, exp, rules, nowMs / 1000);
  if (wrong !== undefined) return refuseCredential(wrong);
  if (typeof sub !== 'string' || !subjectShape.test(sub)) return refuseCredential('the token has no subject (sub)');
  if (typeof team !== 'string' || !teamShape.test(team))
    return refuseCredential(`the token names no team (${rules.teamClaim})`);
  if (team === operatorsTeam && !rules.adminTeams.includes(operatorsTeam))
    return refuseCredential('the token names the team of the operators, which JWT_ADMIN_TEAMS does not');
  const attributes = attributesIn(claims, rules.teamClaim);
  const caller: Caller = Object.freeze({
    team,
    subject: sub,
    ...sortScopes(scopesIn(claims).filter((scope) => scope !== 'admin' || mayAdministerIn(team, rules))),
    ...(attributes && { attributes }),
  });
  const validUntilMs = Math.min(exp * 1000, nowMs + trustMs);
  return { ok: true, value: { caller, credential: `subject:${sub}`, hourlyLimit: rules.hourlyLimit, validUntilMs } };
};

const isInstant = (claim: unknown): claim is number =>
  typeof claim === 'number' && Number.isFinite(claim) && claim > 0 && claim <= instantMaxSeconds;

/** `nbf` and `iat` may be absent; what is there must be an instant that has come, and before the token ends. */
const timeClaimFault = (
  { nbf, iat }: Claims,
  exp: number,
  { lifetimeMaxSeconds }: CallerRules,
  nowSeconds: number,
): string | undefined => {
  for (const [name, claim] of Object.entries({ nbf, iat })) {
    if (claim === undefined) continue;
    if (!isInstant(claim)) return `the token has no sensible ${name}`;
    if (claim > nowSeconds + clockToleranceSeconds) return `the token says that it begins later (${name})`;
    if (claim >= exp) return `the token ends before it begins (${name})`;
  }
  if (lifetimeMaxSeconds === undefined) return undefined;
  if (!isInstant(iat)) return 'the token does not say when it was issued (iat), which JWT_LIFETIME_MAX_SECONDS needs';
  return exp - iat > lifetimeMaxSeconds ? 'the token lives longer than JWT_LIFETIME_MAX_SECONDS' : undefined;
};

const mayAdministerIn = (team: string, { adminTeams }: CallerRules): boolean =>
  adminTeams.includes(team) || (adminTeams.includes('*') && team !== operatorsTeam);

/** `scope` is a text with spaces, `scp` a list or such a text. */
const scopesIn = ({ scope, scp }: Claims): readonly unknown[] =>
  [scope, scp].flatMap((claim): readonly unknown[] =>
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
  );

/** Claims that speak of the token, not of its bearer. */
const tokenClaims = new Set(
  'iss sub aud exp nbf iat jti scope scp azp client_id nonce at_hash c_hash s_hash auth_time acr amr sid'.split(' '),
);

/** Everything else that is a plain value or a list of such; policies on data may read it. */
const attributesIn = (claims: Claims, teamClaim: string): CallerAttributes | undefined =>
  attributesOf(
    Object.fromEntries(Object.entries(claims).filter(([name]) => name !== teamClaim && !tokenClaims.has(name))),
  );
