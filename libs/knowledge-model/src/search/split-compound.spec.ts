import { expect, it } from '@jest/globals';
import { splitCompound } from './search-names.js';

const known = new Set(['lieferant', 'land', 'werk', 'bestellung']);
const split = (word: string) => splitCompound(word, (part) => known.has(part)).map((pair) => pair.join('+'));

it('splitCompound splits a word before or after a known one, without linking letters', () => {
  expect(split('lieferantenland')).toContain('lieferant+land');
  expect(split('werksland')).toContain('werk+land');
  expect(split('bestellungsdatum')).toContain('bestellung+datum');
  expect(split('lieferrantenland')).toContain('lieferrant+land');
});

it('splitCompound does not split short words and words without a known part', () => {
  expect(split('inland')).toEqual([]);
  expect(split('schmetterling')).toEqual([]);
  expect(split('x'.repeat(200))).toEqual([]);
});
