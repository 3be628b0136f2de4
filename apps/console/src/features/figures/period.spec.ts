import { describe, expect, it } from '@jest/globals';
import {
  addDays,
  addMonths,
  alignWith,
  dayMsOf,
  nextPeriodStart,
  periodCondition,
  previousPeriod,
  type Grain,
  type Period,
} from './period.js';

const period = (from: string, to: string, compare?: Period['compare']): Period => ({
  ...{ field: 'ORDER.ORDERED', from, to },
  ...(compare && { compare }),
});

describe('days', () => {
  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '', 'today', '26-01-01'])('%j is none', (text) => {
    expect(dayMsOf(text)).toBeUndefined();
    expect(addMonths(text, 1)).toBe('');
    expect(addDays(text, 1)).toBe('');
  });

  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-15', -3, '2025-12-15'],
  ])('%s and %d months are %s', (day, months, expected) => expect(addMonths(day, months)).toBe(expected));

  it('go over months and leap years', () => {
    expect([addDays('2026-02-28', 1), addDays('2024-02-28', 1), addDays('2026-01-01', -1)]).toEqual([
      ...['2026-03-01', '2024-02-29', '2025-12-31'],
    ]);
  });
});

describe('the period before', () => {
  it.each([
    ['2026-06-01', '2026-06-30', 'before', '2026-05-01', '2026-05-31'],
    ['2026-04-01', '2026-06-30', 'before', '2026-01-01', '2026-03-31'],
    ['2025-01-01', '2025-12-31', 'before', '2024-01-01', '2024-12-31'],
    ['2026-06-10', '2026-06-16', 'before', '2026-06-03', '2026-06-09'],
    ['2026-03-01', '2026-03-01', 'before', '2026-02-28', '2026-02-28'],
    ['2026-04-01', '2026-06-30', 'year', '2025-04-01', '2025-06-30'],
    ['2025-02-01', '2025-02-28', 'year', '2024-02-01', '2024-02-29'],
    ['2024-02-10', '2024-02-20', 'year', '2023-02-10', '2023-02-20'],
  ] as const)('of %s to %s, %s, is %s to %s', (from, to, compare, before, until) => {
    expect(previousPeriod(period(from, to, compare))).toEqual(period(before, until));
  });

  it.each([
    period('2026-01-01', '2026-01-31'),
    period('', '2026-01-31', 'before'),
    period('2026-01-01', '', 'year'),
    period('2026-02-01', '2026-01-01', 'before'),
  ])('is none of %j', (asked) => expect(previousPeriod(asked)).toBeUndefined());
});

describe('the next period', () => {
  it.each<readonly [Grain, string]>([
    ['day', '2026-01-02'],
    ['week', '2026-01-08'],
    ['month', '2026-02-01'],
    ['quarter', '2026-04-01'],
    ['year', '2027-01-01'],
  ])('of a %s begins on %s', (grain, expected) => expect(nextPeriodStart('2026-01-01', grain)).toBe(expected));
});

describe('dates of the period before', () => {
  const quarters = [period('2026-04-01', '2026-06-30'), period('2026-01-01', '2026-03-31')] as const;

  it.each<readonly [Grain, string, string]>([
    ['month', '2026-01-01', '2026-04-01'],
    ['month', '2026-03-01', '2026-06-01'],
    ['quarter', '2026-01-01', '2026-04-01'],
    ['day', '2026-01-01', '2026-04-01'],
    ['week', '2025-12-29', '2026-03-30'],
  ])('by %s: %s stands beside %s', (grain, day, expected) => expect(alignWith(...quarters, grain)(day)).toBe(expected));

  it('by year stand beside the same place of the year after', () => {
    const years = [period('2026-01-01', '2026-12-31'), period('2025-01-01', '2025-12-31')] as const;
    expect(alignWith(...years, 'year')('2025-01-01')).toBe('2026-01-01');
  });
});

describe('the condition of a period', () => {
  it('has the bounds that are there', () => {
    expect(periodCondition(period('2026-01-01', '2026-01-31'))).toBe(
      'ORDER.ORDERED ge 2026-01-01 and ORDER.ORDERED le 2026-01-31',
    );
    expect(periodCondition(period('', '2026-01-31'))).toBe('ORDER.ORDERED le 2026-01-31');
    expect(periodCondition(period('', ''))).toBe('');
  });

  it('has what is no day as a text, which ends no condition early', () => {
    expect(periodCondition(period("x' or A eq 'y", ''))).toBe("ORDER.ORDERED ge 'x'' or A eq ''y'");
  });
});
