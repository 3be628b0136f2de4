import { describe, expect, it } from '@jest/globals';
import { findLimitCrossings, type MonthlyValue } from './since-when.js';

const series = (label: string, ...values: readonly number[]): readonly MonthlyValue[] =>
  values.map((value, index) => ({ label, month: `2026-0${index + 1}`, value }));

describe('the month since which a KPI is beyond its limit', () => {
  it('is the first month after which all months are beyond the limit', () => {
    const months = [...series('1010', 1, 1, 1, 1, 1), ...series('1020', 1, 1, 9, 9, 9)];
    expect(findLimitCrossings(months, true)).toEqual({
      limit: 5,
      changes: [{ label: '1020', since: '2026-03', isFromBegin: false }],
    });
  });

  it('is counted again after a month within the limit', () => {
    const months = [...series('a', 1, 9, 1, 9, 9), ...series('b', 1, 1, 1, 1, 1)];
    expect(findLimitCrossings(months, true).changes).toEqual([{ label: 'a', since: '2026-04', isFromBegin: false }]);
  });

  it('is marked when the KPI is beyond the limit in all months', () => {
    const months = [...series('a', 9, 9, 9), ...series('b', 1, 1, 1), ...series('c', 1, 1, 1)];
    expect(findLimitCrossings(months, true).changes).toEqual([{ label: 'a', since: '2026-01', isFromBegin: true }]);
  });

  it('does not exist when the last month is within the limit, only one month is beyond it, or none is', () => {
    const usual = [...series('b', 1, 1, 1, 1), ...series('c', 1, 1, 1, 1)];
    expect(findLimitCrossings([...series('a', 9, 9, 9, 1), ...usual], true).changes).toEqual([]);
    expect(findLimitCrossings([...series('a', 1, 1, 1, 9), ...usual], true).changes).toEqual([]);
    expect(findLimitCrossings(usual, true).changes).toEqual([]);
    expect(findLimitCrossings([], true).changes).toEqual([]);
  });

  it('is found by a lower limit for KPIs where higher is better', () => {
    const months = [...series('a', 0.9, 0.9, 0.5, 0.5), ...series('b', 0.9, 0.9, 0.9, 0.9)];
    const { limit, changes } = findLimitCrossings(months, false);
    expect(limit).toBeCloseTo(0.7);
    expect(changes).toEqual([{ label: 'a', since: '2026-03', isFromBegin: false }]);
  });
});
