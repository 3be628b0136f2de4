import { describe, expect, it } from '@jest/globals';
import { findBadSince, type MonthlyValue } from './since-when.js';

const series = (label: string, ...values: readonly number[]): readonly MonthlyValue[] =>
  values.map((value, index) => ({ label, month: `2026-0${index + 1}`, value }));

describe('the month since which a figure is bad', () => {
  it('is the first of the months that are all beyond the limit, up to the last', () => {
    const months = [...series('1010', 1, 1, 1, 1, 1), ...series('1020', 1, 1, 9, 9, 9)];
    expect(findBadSince(months, true)).toEqual({
      limit: 5,
      changes: [{ label: '1020', since: '2026-03', isFromBegin: false }],
    });
  });

  it('starts again after a good month', () => {
    const months = [...series('a', 1, 9, 1, 9, 9), ...series('b', 1, 1, 1, 1, 1)];
    expect(findBadSince(months, true).changes).toEqual([{ label: 'a', since: '2026-04', isFromBegin: false }]);
  });

  it('marks a figure that was bad from the beginning', () => {
    const months = [...series('a', 9, 9, 9), ...series('b', 1, 1, 1), ...series('c', 1, 1, 1)];
    expect(findBadSince(months, true).changes).toEqual([{ label: 'a', since: '2026-01', isFromBegin: true }]);
  });

  it('does not exist for a recovered figure, one bad month, or no outlier', () => {
    const usual = [...series('b', 1, 1, 1, 1), ...series('c', 1, 1, 1, 1)];
    expect(findBadSince([...series('a', 9, 9, 9, 1), ...usual], true).changes).toEqual([]);
    expect(findBadSince([...series('a', 1, 1, 1, 9), ...usual], true).changes).toEqual([]);
    expect(findBadSince(usual, true).changes).toEqual([]);
    expect(findBadSince([], true).changes).toEqual([]);
  });

  it('uses the lower limit where more is better', () => {
    const months = [...series('a', 0.9, 0.9, 0.5, 0.5), ...series('b', 0.9, 0.9, 0.9, 0.9)];
    const { limit, changes } = findBadSince(months, false);
    expect(limit).toBeCloseTo(0.7);
    expect(changes).toEqual([{ label: 'a', since: '2026-03', isFromBegin: false }]);
  });
});
