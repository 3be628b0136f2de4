import { describe, expect, it } from '@jest/globals';
import { barOf, domainWithZero, linePath } from './chart-scale.js';

describe('the domain of bars', () => {
  it.each([
    [[3, 9], { from: 0, to: 9 }],
    [[-4, -1], { from: -4, to: 0 }],
    [[-2, 6], { from: -2, to: 6 }],
    [[0, 0], { from: 0, to: 1 }],
    [[], { from: 0, to: 1 }],
    [[Number.NaN, 5, Infinity], { from: 0, to: 5 }],
  ])('of %j has zero in it', (values, domain) => {
    expect(domainWithZero(values)).toEqual(domain);
  });
});

describe('a bar', () => {
  it('begins at zero, to either side', () => {
    const domain = { from: -5, to: 15 };
    expect(barOf(15, domain)).toEqual({ start: 25, length: 75 });
    expect(barOf(-5, domain)).toEqual({ start: 0, length: 25 });
    expect(barOf(0, domain)).toEqual({ start: 25, length: 0 });
  });

  it('has no length without a number', () => {
    expect(barOf(Number.NaN, { from: 0, to: 10 })).toEqual({ start: 0, length: 0 });
  });
});

describe('a line', () => {
  it('goes from left to right, and up for more', () => {
    expect(linePath([0, 5, 10], 100, 20)).toBe('M0 20L50 10L100 0');
  });

  it('has a gap where there is no value', () => {
    expect(linePath([0, 10, null, 10, 0], 100, 20)).toBe('M0 20L25 0M75 0L100 20');
  });

  it('shows a value alone as a dash, and equal values in the middle', () => {
    expect(linePath([null, 4, null], 100, 20)).toBe('M50 10h1');
    expect(linePath([4], 100, 20)).toBe('M0 10h1');
    expect(linePath([4, 4], 100, 20)).toBe('M0 10L100 10');
  });

  it('is nothing without values', () => {
    expect(linePath([], 100, 20)).toBe('');
    expect(linePath([null, Number.NaN], 100, 20)).toBe('');
  });
});
