/**
 * The claims of a token whose signature and issuer fit -> its caller. Administration comes from a token only in
 * the teams that the configuration names.
 */
import {
  readCallerAttributes,
  operatorsTeam,
  scopes as allScopes,
  partitionScopes,
  type Caller,
  type CallerAttributes,
  type Scope,
} from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { mcpResourcePattern } from '../mcp/protected-resource.js';
import { refuseCredential, type VerificationResult } from './verification.js';

export type Claims = Readonly<Record<string, unknown>>;

export type CallerRules = {
  /** Of tokens for everything; others are for the MCP servers whose addresses are their audiences. */
  readonly audience: string;
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
/** It becomes a key of the database, which takes no control characters; what begins like this is an API key's or a member's. */
const subjectShape = /^(?!key:|member:)[^\p{Cc}\p{Cs}]{1,256}$/u;
const teamShape = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What every token has to say, whoever its bearer is. */
type TokenFrame = {
  readonly subject: string;
  readonly expiresAtMs: number;
  /** Set when the token is for MCP servers alone. */
  readonly resources?: readonly string[];
};

/** The caller that a token names with its team, its scopes and its attributes. */
export const verifyClaims = (claims: Claims, rules: CallerRules, nowMs: number): VerificationResult => {
  const frame = frameOf(claims, rules, nowMs);
  if (typeof frame === 'string') return refuseCredential(frame);
  const { [rules.teamClaim]: team } = claims;
  const { subject, expiresAtMs, resources } = frame;
  if (typeof team !== 'string' || !teamShape.test(team))
    return refuseCredential(`the token names no team (${rules.teamClaim})`);
  if (!mayEnter(team, rules)) return refuseCredential(`the token names ${ofOperators}`);
  const attributes = attributesIn(claims, rules.teamClaim);
  const caller: Caller = Object.freeze({
    ...{ team, subject },
    ...partitionScopes(scopesIn(claims).filter((scope) => scope !== 'admin' || mayAdministerIn(team, rules))),
    ...(attributes && { attributes }),
  });
  const validUntilMs = Math.min(expiresAtMs, nowMs + trustMs);
  return {
    ok: true,
    value: {
      ...{ caller, credential: `subject:${subject}`, hourlyLimit: rules.hourlyLimit, validUntilMs },
      ...(resources && { resources }),
    },
  };
};

/** Who the members are that an issuer knows by a subject: what each may do in its team. Of those who are disabled there are none. */
export type FindMembersOf = (
  subject: string,
) => Promise<
  Result<readonly { readonly team: string; readonly memberId: string; readonly worth: VerificationResult }[]>
>;

/**
 * The caller of a token that names no team: the member that its subject is, where that is so in one team alone. Its scopes are those of
 * the member's roles; where the token names scopes of the platform, these alone.
 */
export const callerOfMember = async (
  claims: Claims,
  rules: CallerRules,
  findMembers: FindMembersOf,
  nowMs: number,
): Promise<VerificationResult> => {
  const frame = frameOf(claims, rules, nowMs);
  if (typeof frame === 'string') return refuseCredential(frame);
  const { subject, expiresAtMs, resources } = frame;
  const found = await findMembers(subject);
  if (!found.ok) return found;
  const [member, ...others] = found.value;
  if (!member) return refuseCredential(`the token names no team (${rules.teamClaim}), and its subject is no member`);
  if (others.length > 0) {
    const teams = found.value.map((each) => each.team).join(', ');
    return refuseCredential(
      `the token names no team (${rules.teamClaim}), and its subject is a member of several (${teams})`,
    );
  }
  const { team, memberId, worth } = member;
  if (!worth.ok) return worth;
  if (!mayEnter(team, rules)) return refuseCredential(`the member is of ${ofOperators}`);
  const { scopes, furtherScopes = [], ...rest } = worth.value.caller;
  const named = new Set(scopesIn(claims));
  const isNamed = (scope: string): boolean => named.has(scope) || !allScopes.some((each) => named.has(each));
  const left = [...scopes, ...furtherScopes]
    .filter(isNamed)
    .filter((scope) => scope !== 'admin' || mayAdministerIn(team, rules));
  return {
    ok: true,
    value: {
      ...worth.value,
      caller: Object.freeze({ ...rest, ...partitionScopes(left) }),
      ...{ memberId, validUntilMs: Math.min(expiresAtMs, worth.value.validUntilMs) },
      ...(resources && { resources }),
    },
  };
};

/** A text says why the token is refused. */
const frameOf = (claims: Claims, rules: CallerRules, nowMs: number): TokenFrame | string => {
  const { exp, sub } = claims;
  const audiences = audiencesIn(claims, rules);
  if (audiences.length === 0) return 'the token is for another audience (aud)';
  if (!isInstant(exp)) return 'the token has no sensible expiry (exp)';
  const wrong = timeClaimFault(claims, exp, rules, nowMs / 1000);
  if (wrong !== undefined) return wrong;
  if (typeof sub !== 'string' || !subjectShape.test(sub)) return 'the token has no subject (sub)';
  const resources = audiences.includes(rules.audience) ? {} : { resources: audiences };
  return { subject: sub, expiresAtMs: exp * 1000, ...resources };
};

const ofOperators = 'the team of the operators, which JWT_ADMIN_TEAMS does not name';

const mayEnter = (team: string, { adminTeams }: CallerRules): boolean =>
  team !== operatorsTeam || adminTeams.includes(operatorsTeam);

/** What a token says that it is for: everything, or MCP servers by their addresses (RFC 8707). Empty for anything else. */
const audiencesIn = ({ aud }: Claims, { audience }: CallerRules): readonly string[] =>
  [aud]
    .flat()
    .filter((each) => typeof each === 'string')
    .filter((each) => each === audience || mcpResourcePattern.test(each));

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

/** By what clients of other platforms call them. */
const scopeAliases: ReadonlyMap<string, Scope> = new Map([['mcp-asset.tools:execute', 'tools:execute']]);

export const toCanonicalScope = (named: string): string => scopeAliases.get(named) ?? named;

/** `scope` is a text with spaces, `scp` a list or such a text. */
const scopesIn = ({ scope, scp }: Claims): readonly unknown[] =>
  [scope, scp]
    .flatMap((claim): readonly unknown[] =>
      typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
    )
    .map((named) => (typeof named === 'string' ? toCanonicalScope(named) : named));

/** Claims that speak of the token, not of its bearer. */
const tokenClaims = new Set(
  'iss sub aud exp nbf iat jti scope scp azp client_id nonce at_hash c_hash s_hash auth_time acr amr sid'.split(' '),
);

/** Everything else that is a plain value or a list of such; policies on data may read it. */
const attributesIn = (claims: Claims, teamClaim: string): CallerAttributes | undefined =>
  readCallerAttributes(
    Object.fromEntries(Object.entries(claims).filter(([name]) => name !== teamClaim && !tokenClaims.has(name))),
  );
