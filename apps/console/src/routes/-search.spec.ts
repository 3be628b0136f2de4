import { expect, it } from '@jest/globals';
import { readHomeSearch } from './-search.js';

it.each([
  [{ model: 'p2p.base-km' }, { model: 'p2p.base-km' }],
  [{ model: 7 }, { model: '7' }],
  [{ model: '' }, {}],
  [{ model: ['a'] }, {}],
  [{ model: 'x'.repeat(201) }, {}],
  [{ other: 'a' }, {}],
])('reads %j as %j', (search, read) => {
  expect(readHomeSearch(search)).toEqual(read);
});
