import { expect, it } from '@jest/globals';
import { splitCompound } from './search-names.js';

const known = new Set(['lieferant', 'land', 'werk', 'bestellung']);
const split = (word: string) => splitCompound(word, (part) => known.has(part)).map((pair) => pair.join('+'));

it('splits a word behind or before a known one, without what stands between', () => {
  expect(split('lieferantenland')).toContain('lieferant+land');
  expect(split('werksland')).toContain('werk+land');
  expect(split('bestellungsdatum')).toContain('bestellung+datum');
  expect(split('lieferrantenland')).toContain('lieferrant+land');
});

it('leaves short words and those of which no part is known as they are', () => {
  expect(split('inland')).toEqual([]);
  expect(split('schmetterling')).toEqual([]);
  expect(split('x'.repeat(200))).toEqual([]);
});
