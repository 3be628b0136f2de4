import { describe, expect, it } from '@jest/globals';
import { differencesOf, kindOfChange } from './access-change.js';

it('a change is of the kind of what it changed', () => {
  expect(kindOfChange({ action: 'member.added' })).toBe('member');
  expect(kindOfChange({ action: 'password.changed' })).toBe('member');
  expect(kindOfChange({ action: 'client.refused' })).toBe('client');
});

describe('what was changed', () => {
  it('are the entries of a list that came or went', () => {
    expect(differencesOf({ roles: ['viewer', 'author'] }, { roles: ['author', 'analyst'] })).toEqual([
      { name: 'roles', removed: ['viewer'], added: ['analyst'] },
    ]);
  });

  it('are texts and numbers as a whole, and nothing of what stayed', () => {
    expect(
      differencesOf(
        { displayName: 'Anna', roles: ['viewer'] },
        { displayName: 'Anna W.', roles: ['viewer'], limit: 5 },
      ),
    ).toEqual([
      { name: 'displayName', removed: ['Anna'], added: ['Anna W.'] },
      { name: 'limit', removed: [], added: ['5'] },
    ]);
  });

  it('are the members of an object', () => {
    expect(
      differencesOf(
        { attributes: { plants: ['3010'], region: 'EMEA' } },
        { attributes: { plants: ['3010', '3020'], region: 'EMEA' } },
      ),
    ).toEqual([{ name: 'attributes', removed: ['plants: 3010'], added: ['plants: 3010, 3020'] }]);
  });

  it('is everything of what was added or removed', () => {
    expect(differencesOf(undefined, { description: '<b>x</b>' })).toEqual([
      { name: 'description', removed: [], added: ['<b>x</b>'] },
    ]);
    expect(differencesOf({ disabled: true }, undefined)).toEqual([{ name: 'disabled', removed: ['true'], added: [] }]);
    expect(differencesOf(undefined, undefined)).toEqual([]);
  });
});
