import { expect, it } from '@jest/globals';
import { readAuditSearch, readKeysSearch, readListSearch, readTeamSearch } from './-search.js';

const isThere = (search: object): object =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

it('an address says what is searched for, sorted by and filtered by', () => {
  expect(isThere(readKeysSearch({ q: 'report', sort: '-lastUsed', state: 'revoked' }))).toEqual({
    ...{ q: 'report', sort: '-lastUsed', state: 'revoked' },
  });
  expect(isThere(readAuditSearch({ log: 'calls', tool: 'load-data', from: '2026-06-30', kind: 'key' }))).toEqual({
    ...{ log: 'calls', tool: 'load-data', from: '2026-06-30', kind: 'key' },
  });
});

it('numbers and truths in an address are what was typed', () => {
  expect(isThere(readListSearch({ q: 1000 }))).toEqual({ q: '1000' });
  expect(isThere(readTeamSearch({ team: true }))).toEqual({ team: 'true' });
});

it.each([
  [{ q: '' }],
  [{ q: ['a'], sort: { column: 'name' } }],
  [{ state: 'lost', log: 'all', kind: 'members', order: 'newest', from: 'today', to: '1.2.2026', entry: null }],
])('what is not understood is left out: %j', (search) => {
  expect(isThere({ ...readKeysSearch(search), ...readAuditSearch(search), ...readTeamSearch(search) })).toEqual({});
});
