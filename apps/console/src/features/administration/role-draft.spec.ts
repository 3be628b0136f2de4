import { describe, expect, it } from '@jest/globals';
import { draftOfRole, faultOfRoleName, propertiesOfRole } from './role-draft.js';

describe('the name of a role', () => {
  it.each([
    ['', 'required'],
    ['Buyer', 'roleNameFault'],
    ['-buyer', 'roleNameFault'],
    ['b'.repeat(64), 'roleNameFault'],
    ['analyst', 'roleTaken'],
    ['buyer-2', undefined],
  ])('%j has the fault %s', (name, fault) => {
    expect(faultOfRoleName(name, ['analyst'])).toBe(fault);
  });
});

it('a role is sent whole', () => {
  const draft = draftOfRole({
    ...{ name: 'buyer', description: ' Buys. ', builtIn: false },
    ...{ scopes: ['content:read'], furtherScopes: ['finance:read'] },
  });
  expect(propertiesOfRole(draft)).toEqual({
    ...{ description: 'Buys.', scopes: ['content:read'], furtherScopes: ['finance:read'] },
  });
});
