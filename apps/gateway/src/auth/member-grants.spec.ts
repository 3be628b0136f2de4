import { describe, expect, it } from '@jest/globals';
import { scopes } from '@tessera/contracts';
import { builtInRoles } from '@tessera/contracts/gateway';
import type { StoredRole } from '@tessera/persistence/gateway';
import { resolveGrants } from './grants.js';
import { resolveMemberRights, indexRolesByName } from './member-grants.js';

const standardLimit = 6_000;
const everything = {
  furtherScopes: ['finance:read', 'hr:read'],
  attributes: { codes: ['1000', '2000'], region: true as const },
};
const buyer: StoredRole = {
  ...{ name: 'buyer', description: '' },
  scopes: ['content:read', 'tools:execute'],
  furtherScopes: ['finance:read'],
};
const member = { roles: ['viewer'], furtherScopes: [], attributes: {} };
type Granted = Parameters<typeof resolveGrants>[0];

const grantsFor = (more: Partial<Parameters<typeof resolveMemberRights>[0]>, granted: Granted = everything) =>
  resolveMemberRights(
    { ...member, ...more },
    indexRolesByName([buyer]),
    resolveGrants(granted, standardLimit),
    standardLimit,
  );

describe('built-in roles', () => {
  it.each([
    ['viewer', ['content:read', 'knowledge-models:read']],
    ['analyst', ['content:read', 'knowledge-models:read', 'tools:execute', 'agents:converse', 'agents:execute']],
    ['author', ['content:read', 'content:write', 'knowledge-models:read']],
    ['approver', ['content:read', 'content:write', 'knowledge-models:read']],
    ['admin', ['admin']],
  ])('%s has its scopes', (role, expected) => {
    expect(grantsFor({ roles: [role] })).toEqual({
      ...{ scopes: expected, furtherScopes: [], attributes: {} },
      hourlyLimit: standardLimit,
    });
  });

  it('cover every scope of the platform together', () => {
    const granted = Object.values(builtInRoles).flatMap((role): readonly string[] => role.scopes);
    expect([...new Set(granted)].toSorted()).toEqual(scopes.toSorted());
  });

  it('cannot be redefined by a team', () => {
    const roles = indexRolesByName([{ ...buyer, name: 'viewer', scopes: ['admin'] }]);
    expect(roles.get('viewer')?.scopes).toEqual(builtInRoles.viewer.scopes);
  });
});

describe('the grants of a member', () => {
  it('are the scopes of all roles and the further scopes of the member, without duplicates', () => {
    const attributes = { codes: ['1000'], region: 'EMEA' };
    const rights = grantsFor({ roles: ['viewer', 'buyer'], furtherScopes: ['hr:read', 'finance:read'], attributes });
    expect(rights).toEqual({
      scopes: ['content:read', 'knowledge-models:read', 'tools:execute'],
      furtherScopes: ['finance:read', 'hr:read'],
      attributes,
      hourlyLimit: standardLimit,
    });
  });

  it.each([[[]], [['unknown']], [['__proto__', 'constructor', 'toString']]])(
    'contain no scopes for the roles %j',
    (roles) => {
      expect(grantsFor({ roles })).toMatchObject({ scopes: [], furtherScopes: [] });
    },
  );

  it('are never more than those of the team', () => {
    const granted: Granted = {
      scopes: ['content:read'],
      furtherScopes: ['hr:read'],
      attributes: { codes: ['2000'] },
      hourlyLimit: 10,
    };
    const attributes = { codes: ['1000', '2000'], region: 'EMEA' };
    const asked = { roles: ['analyst', 'buyer', 'admin'], furtherScopes: ['hr:read', 'finance:read'], attributes };
    expect(grantsFor(asked, granted)).toEqual({
      scopes: ['content:read'],
      furtherScopes: ['hr:read'],
      attributes: { codes: ['2000'] },
      hourlyLimit: 10,
    });
  });

  it('have the standard limit where the team was granted a higher one', () => {
    expect(grantsFor({}, { ...everything, hourlyLimit: 1_000_000 })).toMatchObject({ hourlyLimit: standardLimit });
  });

  it('are none for a member who is disabled', () => {
    const disabled = { roles: ['admin'], furtherScopes: ['hr:read'], attributes: { region: 'EMEA' } };
    expect(grantsFor({ ...disabled, disabledAt: new Date() })).toEqual({
      ...{ scopes: [], furtherScopes: [], attributes: {} },
      hourlyLimit: 0,
    });
  });
});
