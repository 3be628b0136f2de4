import { describe, expect, it } from '@jest/globals';
import { hasGrouping, scanTransformations, splitNestedList } from './scan-apply.js';

describe('a chain of transformations', () => {
  it('is split at slashes, each part with its position and the content of its parentheses', () => {
    expect(scanTransformations('filter(A eq 1) / identity/groupby((B,C))')).toEqual([
      { name: 'filter', start: 0, inner: { text: 'A eq 1', start: 7 } },
      { name: 'identity', start: 17 },
      { name: 'groupby', start: 26, inner: { text: '(B,C)', start: 34 } },
    ]);
  });

  it.each([
    ['a text', "filter(A eq ')/(')"],
    ['a text with a doubled quote', "filter(A eq 'it''s)(')"],
    ['a phrase of a search', 'search("a)(b")'],
    ['a phrase with an escaped quote', String.raw`search("a\")(b")`],
  ])('ignores parentheses in %s', (_, text) => {
    expect(scanTransformations(text)).toHaveLength(1);
  });

  it.each([
    ['without the end of a parenthesis', 'filter(A eq 1', 6],
    ['with text after a parenthesis', 'filter(A eq 1)x', 14],
    ['with a comma in place of a slash', 'identity,identity', 8],
  ])('%s returns the position of the fault', (_, text, position) => {
    expect(scanTransformations(text)).toBe(position);
  });

  it.each([
    ['groupby((A))', true],
    ['filter(A eq 1)/aggregate(B with sum as C)', true],
    ['filter(A eq 1)', false],
    ['groupby((A)', false],
    [undefined, false],
  ])('%s contains a grouping: %s', (text, groups) => {
    expect(hasGrouping(text)).toBe(groups);
  });
});

describe('a list', () => {
  it('is split at commas outside of parentheses and quotes, with the position of each item', () => {
    expect(splitNestedList({ text: " A, B with sum as C,f('x,y', (1,2))", start: 10 })).toEqual([
      { text: 'A', start: 11 },
      { text: 'B with sum as C', start: 14 },
      { text: "f('x,y', (1,2))", start: 30 },
    ]);
  });
});
