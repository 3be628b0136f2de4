import { describe, expect, it } from '@jest/globals';
import { median, medianRatio, percentile } from './statistics.js';

describe('median', () => {
  it('is the middle value whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it('is NaN without values', () => {
    expect(median([])).toBeNaN();
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is one of the values', () => {
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile(hundred, 0)).toBe(1);
    expect(percentile([3], 0.99)).toBe(3);
  });

  it('sorts numerically and does not change its input', () => {
    const values = [10, 9, 100];
    expect(percentile(values, 0.5)).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });
});

describe('medianRatio', () => {
  it('compares round by round', () => {
    expect(medianRatio([10, 40, 10], [20, 80, 10])).toBe(0.5);
  });
});
