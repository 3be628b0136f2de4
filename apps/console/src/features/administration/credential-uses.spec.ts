import { expect, it } from '@jest/globals';
import { nameCredentials } from './credential-uses.js';

const use = (credential: string, thisHour = 5) => ({ credential, thisHour, hourlyLimit: 10, last24Hours: 50 });

it('keys have their names, members their ids, others what a token says', () => {
  const uses = [use('key:abc'), use('key:gone'), use('member:anna.weber'), use('auth0|77')];
  expect(nameCredentials(uses, [{ keyId: 'abc', name: 'Report' }]).map(({ name, isKey }) => [name, isKey])).toEqual([
    ['Report', true],
    ['key:gone', true],
    ['anna.weber', false],
    ['auth0|77', false],
  ]);
});

it('the share is that of the limit of the hour', () => {
  expect(nameCredentials([use('a', 5), { ...use('b'), hourlyLimit: 0 }], []).map(({ share }) => share)).toEqual([
    0.5, 0,
  ]);
});
