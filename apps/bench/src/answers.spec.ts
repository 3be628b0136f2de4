import { describe, expect, it } from '@jest/globals';
import { findFirstDifference } from './answers.js';

describe('findFirstDifference', () => {
  it('finds no difference between equal documents, whatever the order of their members', () => {
    expect(findFirstDifference({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBeUndefined();
  });

  it('names the first place where documents differ', () => {
    expect(findFirstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe('/a/1/b: 2 and 3');
    expect(findFirstDifference({ a: 1 }, { a: 1, b: [] })).toBe('/b: undefined and []');
    expect(findFirstDifference([1, 2], [1])).toBe('/1: 2 and undefined');
    expect(findFirstDifference(null, {})).toBe(': null and {}');
  });
});
