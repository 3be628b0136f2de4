import { describe, expect, it } from '@jest/globals';
import { findPeriodShift, shiftRange } from './period-shift.js';

describe('findPeriodShift', () => {
  it.each([
    ['Order value in 2025 compared to the previous year', 'year', false],
    ['in the first quarter of 2026 versus the same quarter last year', 'year', false],
    ['last month compared to the month before', 'month', false],
    ['im Mai 2026 im Vergleich zum Vorjahr', 'year', false],
    ['and in the year before?', 'year', true],
    ['und im Monat davor?', 'month', true],
    ['besser als im Vorquartal', 'quarter', false],
  ])('finds it in "%s"', (text, unit, isAlone) => {
    expect(findPeriodShift(text)).toMatchObject({ unit, isAlone });
  });

  it.each(['Order value last year', 'Order value by month', 'before 2025'])('finds none in "%s"', (text) => {
    expect(findPeriodShift(text)).toBeUndefined();
  });
});

describe('shiftRange', () => {
  it.each([
    ['year', { from: '2026-01-01', to: '2026-12-31' }, { from: '2025-01-01', to: '2025-12-31' }],
    ['year', { from: '2024-02-01', to: '2024-02-29' }, { from: '2023-02-01', to: '2023-02-28' }],
    ['month', { from: '2026-05-01', to: '2026-05-31' }, { from: '2026-04-01', to: '2026-04-30' }],
    ['quarter', { from: '2026-01-01', to: '2026-03-31' }, { from: '2025-10-01', to: '2025-12-31' }],
    ['period', { from: '2026-01-01', to: '2026-03-31' }, { from: '2025-10-01', to: '2025-12-31' }],
    ['period', { from: '2026-05-11', to: '2026-05-17' }, { from: '2026-05-04', to: '2026-05-10' }],
    ['year', { from: '2026-01-01' }, { from: '2025-01-01', to: undefined }],
  ] as const)('moves by a %s', (unit, range, moved) => {
    expect(shiftRange(range, unit)).toEqual(moved);
  });
});
