import { describe, expect, it } from '@jest/globals';
import { parseCount, foldText, isSimilar, nameStems, stemOf, wordsOf } from './words.js';

const stem = (word: string): string => stemOf(foldText(word));

describe('words', () => {
  it.each([
    ['Höchste', 'hoechste'],
    ['Größe', 'groesse'],
    ['Łódź', 'lodz'],
    ['Crème', 'CREME'],
  ])('are normalised to the same text: %s and %s', (left, right) => {
    expect(foldText(left)).toBe(foldText(right));
  });

  it.each([
    ['plants', 'plant'],
    ['Lieferanten', 'Lieferant'],
    ['Lieferanten', 'lieferants'],
    ['countries', 'country'],
    ['invoices', 'invoice'],
    ['doppelter', 'doppelten'],
    ['twelve', '12'],
    ['zwölf', '12'],
    ['Quote', 'rate'],
    ['Wert', 'values'],
    ['Verzug', 'delayed'],
    ['bezahlt', 'paid'],
  ])('have the same stem: %s and %s', (left, right) => {
    expect(stem(left)).toBe(stem(right));
  });

  it.each([
    ['order', 'border'],
    ['plant', 'plan'],
    ['open', 'paid'],
    ['2010', '2011'],
  ])('have different stems: %s and %s', (left, right) => {
    expect(stem(left)).not.toBe(stem(right));
  });

  it('have their positions in the text', () => {
    expect(wordsOf('Maverick-Quote 2026').map(({ text, start, end }) => [text, start, end])).toEqual([
      ['Maverick', 0, 8],
      ['Quote', 9, 14],
      ['2026', 15, 19],
    ]);
  });

  it('are stemmed from names without stop words', () => {
    expect(nameStems('MAVERICK_RATE')).toEqual(nameStems('maverick rate'));
    expect(nameStems('Posting lag of the goods receipts')).toHaveLength(4);
    expect(nameStems('of')).toEqual(['of']);
  });

  it.each([
    ['maverick', 'maverik', true],
    ['plant', 'plnat', true],
    ['durchlaufzeit', 'durchlafzeit', true],
    ['mood', 'good', false],
    ['2010', '2011', false],
    ['supplier', 'surplus', false],
  ])('%s and %s are similar: %s', (left, right, near) => {
    expect(isSimilar(left, right)).toBe(near);
  });

  it.each([
    ['drei', 3],
    ['ten', 10],
    ['15', 15],
    ['plant', undefined],
  ])('are parsed as counts: %s as %s', (word, count) => {
    expect(parseCount(word)).toBe(count);
  });
});
