import { describe, expect, it } from '@jest/globals';
import { differenceOf } from './same-work.js';

describe('differenceOf', () => {
  it('finds nothing between equal documents, whatever the order of their members', () => {
    expect(differenceOf({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBeUndefined();
  });

  it('names the first place where documents differ', () => {
    expect(differenceOf({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe('/a/1/b: 2 and 3');
    expect(differenceOf({ a: 1 }, { a: 1, b: [] })).toBe('/b: undefined and []');
    expect(differenceOf([1, 2], [1])).toBe('/1: 2 and undefined');
    expect(differenceOf(null, {})).toBe(': null and {}');
  });
});
