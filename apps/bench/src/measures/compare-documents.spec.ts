import { describe, expect, it } from '@jest/globals';
import { firstDifference } from './compare-documents.js';

describe('differenceOf', () => {
  it('finds no difference between equal documents, whatever the order of their members', () => {
    expect(firstDifference({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBeUndefined();
  });

  it('names the first place where documents differ', () => {
    expect(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe('/a/1/b: 2 and 3');
    expect(firstDifference({ a: 1 }, { a: 1, b: [] })).toBe('/b: undefined and []');
    expect(firstDifference([1, 2], [1])).toBe('/1: 2 and undefined');
    expect(firstDifference(null, {})).toBe(': null and {}');
  });
});
