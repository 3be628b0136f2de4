/**
 * The caller, and the frame in which a call runs: made by the gateway from a verified credential, carried in the headers
 * that the messaging library writes. Never holds the credential.
 */
import { scopes, type Scope } from './operation.js';

type AttributeValue = string | number | boolean;
export type CallerAttributes = Readonly<Record<string, AttributeValue | readonly AttributeValue[]>>;

export type Caller = {
  /** The tenant of everything the call touches. */
  readonly team: string;
  /** The user or program behind the credential, for audit. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** Scopes that no operation asks for; policies on data may. */
  readonly furtherScopes?: readonly string[];
  /** What policies on data may read of the caller. */
  readonly attributes?: CallerAttributes;
};

/** The same for callers who see the same at any time. */
export const callerVisibilityKey = ({ team, scopes, furtherScopes, attributes }: Caller): string =>
  JSON.stringify([team, scopes, furtherScopes, attributes]);

/** The team whose callers with scope `admin` may administer every team; others administer their own only. */
export const operatorsTeam = 'operators';

export const canAdminister = (caller: Caller, team: string): boolean =>
  caller.scopes.includes('admin') && (caller.team === operatorsTeam || caller.team === team);

export type CallFrame = {
  readonly caller: Caller;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Epoch milliseconds; past it nobody waits for the answer. */
  readonly deadlineMs: number;
  /** Scheme, host and port that the caller used, no trailing slash; every URI in a body begins with it. */
  readonly publicUrl: string;
};

const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;
const furtherScopesMax = 100;

/** Words that a credential grants: those that operations ask for, and those that only policies may. */
export const partitionScopes = (granted: readonly unknown[]): Pick<Caller, 'scopes' | 'furtherScopes'> => {
  const words = new Set(granted.filter((word) => typeof word === 'string' && scopeShape.test(word)));
  const known = scopes.filter((scope) => words.delete(scope));
  const further = [...words].map(String).sort().slice(0, furtherScopesMax);
  return Object.freeze({
    scopes: Object.freeze(known),
    ...(further.length > 0 && { furtherScopes: Object.freeze(further) }),
  });
};

const isAttributeValue = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The members that are a text, a number, true or false, or a list of such; undefined when there are none. */
export const readCallerAttributes = (members: Readonly<Record<string, unknown>>): CallerAttributes | undefined => {
  const found = Object.entries(members).flatMap(([name, value]): [string, CallerAttributes[string]][] => {
    if (isAttributeValue(value)) return [[name, value]];
    return Array.isArray(value) && value.every(isAttributeValue) ? [[name, Object.freeze(value)]] : [];
  });
  return found.length > 0 ? Object.freeze(Object.fromEntries(found)) : undefined;
};
