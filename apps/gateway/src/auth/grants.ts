/** What a team may give to keys: what is beyond it when a key is asked for, and what is left of a key when it is used. */
import { scopes as allScopes } from '@tessera/contracts';
import type { Fault } from '@tessera/failures';
import type { KeyAttributes, StoredApiKey, StoredGrants } from '@tessera/persistence/gateway';

/** With the standards of the platform in place of what was not set. */
export type Grants = Required<StoredGrants>;

export type KeyRights = Pick<StoredApiKey, 'scopes' | 'furtherScopes' | 'attributes' | 'hourlyLimit'>;
type RequestedRights = { readonly [Member in keyof KeyRights]?: KeyRights[Member] | undefined };

export const resolveGrants = (stored: StoredGrants, standardLimit: number): Grants => ({
  scopes: stored.scopes ?? allScopes,
  furtherScopes: stored.furtherScopes,
  attributes: stored.attributes,
  hourlyLimit: stored.hourlyLimit ?? standardLimit,
});

/** A fault for each member of a key that goes beyond; none when the team may give all of it. */
export const findGrantViolations = (grants: Grants, key: RequestedRights): readonly Fault[] => {
  const faults: Fault[] = [];
  const refuse = (path: string, message: string): void =>
    void faults.push({ in: 'body', path, message: `${message}; the operators grant more.`, rule: 'granted' });
  for (const member of ['scopes', 'furtherScopes'] as const)
    for (const [index, scope] of (key[member] ?? []).entries())
      if (!grants[member].includes(scope))
        refuse(`${member}.${index}`, `the team was not granted "${scope}"; ${describeGranted(grants[member])}`);
  for (const [name, value] of Object.entries(key.attributes ?? {})) {
    const granted = grantedAttributeValues(grants, name);
    if (granted === undefined)
      refuse(
        `attributes.${name}`,
        `the team was not granted this attribute; ${describeGranted(Object.keys(grants.attributes))}`,
      );
    else if (granted !== true && [value].flat().some((text) => !granted.includes(text)))
      refuse(`attributes.${name}`, `the team was not granted every value; ${describeGranted(granted)}`);
  }
  if (key.hourlyLimit !== undefined && key.hourlyLimit > grants.hourlyLimit)
    refuse('hourlyLimit', `expected at most ${grants.hourlyLimit}, which the team was granted`);
  return faults;
};

/** What a key of the team is worth now. An attribute without a value left is absent: it lets nobody see anything. */
export const limitToGrants = (grants: Grants, key: KeyRights): KeyRights => ({
  scopes: key.scopes.filter((scope) => grants.scopes.includes(scope)),
  furtherScopes: key.furtherScopes.filter((scope) => grants.furtherScopes.includes(scope)),
  attributes: Object.fromEntries(
    Object.entries(key.attributes).flatMap(([name, value]): [string, KeyAttributes[string]][] => {
      const granted = grantedAttributeValues(grants, name);
      if (granted === true) return [[name, value]];
      const left = [value].flat().filter((text) => granted?.includes(text));
      const [only] = left;
      if (only === undefined) return [];
      return [[name, typeof value === 'string' ? only : left]];
    }),
  ),
  hourlyLimit: Math.min(key.hourlyLimit, grants.hourlyLimit),
});

const grantedAttributeValues = ({ attributes }: Grants, name: string): Grants['attributes'][string] | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

const namedMax = 10;

const describeGranted = (words: readonly string[]): string => {
  if (words.length === 0) return 'it was granted none';
  const more = words.length > namedMax ? ` and ${words.length - namedMax} more` : '';
  return `it was granted ${words.slice(0, namedMax).join(', ')}${more}`;
};
