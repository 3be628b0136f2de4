import { expect, it } from '@jest/globals';
import { isSamePerson, nameOf } from './me.js';

it('people are called by their names, or as they are in logs', () => {
  expect(nameOf({ displayName: 'Vera Klein', subject: 'member:vera.klein' })).toBe('Vera Klein');
  expect(nameOf({ displayName: undefined, subject: 'member:vera.klein' })).toBe('vera.klein');
  expect(nameOf({ displayName: undefined, subject: 'key:3kTq0aZ81xYb' })).toBe('key:3kTq0aZ81xYb');
});

it('a person is somebody else in another team', () => {
  const vera = { subject: 'member:vera.klein', team: 'meridian' };
  expect(isSamePerson(vera, { ...vera })).toBe(true);
  expect(isSamePerson(vera, { ...vera, team: 'northgate' })).toBe(false);
  expect(isSamePerson(vera, { ...vera, subject: 'member:anton.berg' })).toBe(false);
});
