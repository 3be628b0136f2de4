import { expect, it } from '@jest/globals';
import { facetPlaceOf, openIds, openText } from './place.js';

it('opened nodes are kept in the address, the last 150 of them', () => {
  expect(openText(new Set(['a', 'b']))).toBe('a.b');
  expect([...openIds('a.b')]).toEqual(['a', 'b']);
  const many = new Set(Array.from({ length: 200 }, (_, at) => `n${at}`));
  expect(openIds(openText(many)).size).toBe(150);
  expect(openIds(openText(many)).has('n199')).toBe(true);
});

it('no opened node needs no address', () => {
  expect(openText(new Set())).toBeUndefined();
  expect([openIds(undefined).size, openIds('').size]).toEqual([0, 0]);
});

it('the place of a facet has no member too many', () => {
  const place = { collectionId: 'meridian', storageId: 'p2p', facetId: 'processes', elementId: 'e' };
  expect(facetPlaceOf(place)).toEqual({ collectionId: 'meridian', storageId: 'p2p', facetId: 'processes' });
});
