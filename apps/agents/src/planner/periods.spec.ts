import { describe, expect, it } from '@jest/globals';
import { toDayRange, findPeriods } from './periods.js';

const newest = '2026-06-29';
const said = (text: string): readonly string[] =>
  findPeriods(text).map(({ period }) => {
    const { from = '', to = '' } = toDayRange(period, newest);
    return `${from}..${to}`;
  });

describe('periods', () => {
  it.each([
    ['since 2026-03', '2026-03-01..'],
    ['seit März 2026', '2026-03-01..'],
    ['ab Maerz 2026', '2026-03-01..'],
    ['from May 2025 on', '2025-05-01..'],
    ['seit Anfang 2026', '2026-01-01..'],
    ['until 2025-06-30', '..2025-06-30'],
    ['bis Ende 2025', '..2025-12-31'],
    ['vor 2026-01-01', '..2025-12-31'],
    ['before March 2026', '..2026-02-28'],
    ['after May 2025', '2025-06-01..'],
    ['nach Mai 2025', '2025-06-01..'],
    ['in March 2026', '2026-03-01..2026-03-31'],
    ['im Mai 2025', '2025-05-01..2025-05-31'],
    ['in Feb. 2024', '2024-02-01..2024-02-29'],
    ['in 03/2026', '2026-03-01..2026-03-31'],
    ['on 2026-03-01', '2026-03-01..2026-03-01'],
    ['am 01.03.2026', '2026-03-01..2026-03-01'],
    ['on 3 March 2026', '2026-03-03..2026-03-03'],
    ['on March 3, 2026', '2026-03-03..2026-03-03'],
    ['am 3. März 2026', '2026-03-03..2026-03-03'],
    ['Q1 2026', '2026-01-01..2026-03-31'],
    ['2026-Q2', '2026-04-01..2026-06-30'],
    ['im ersten Quartal 2026', '2026-01-01..2026-03-31'],
    ['the fourth quarter of 2025', '2025-10-01..2025-12-31'],
    ['H2 2025', '2025-07-01..2025-12-31'],
    ['in the first half of 2025', '2025-01-01..2025-06-30'],
    ['im zweiten Halbjahr 2025', '2025-07-01..2025-12-31'],
    ['Q2/2026', '2026-04-01..2026-06-30'],
    ['in 2025', '2025-01-01..2025-12-31'],
    ['im Jahr 2025', '2025-01-01..2025-12-31'],
    ['between 2025-01-01 and 2025-03-31', '2025-01-01..2025-03-31'],
    ['zwischen Januar 2025 und März 2025', '2025-01-01..2025-03-31'],
    ['from 2025-01 to 2025-06', '2025-01-01..2025-06-30'],
    ['von Mai bis Juni 2025', '2025-05-01..2025-06-30'],
    ['last quarter', '2026-01-01..2026-03-31'],
    ['im letzten Monat', '2026-05-01..2026-05-31'],
    ['voriges Jahr', '2025-01-01..2025-12-31'],
    ['last week', '2026-06-22..2026-06-28'],
    ['diese Woche', '2026-06-29..2026-07-05'],
    ['this month', '2026-06-01..2026-06-30'],
    ['dieses Jahr', '2026-01-01..2026-12-31'],
    ['year to date', '2026-01-01..2026-06-29'],
    ['seit Jahresbeginn', '2026-01-01..2026-06-29'],
    ['in den letzten drei Monaten', '2026-04-01..2026-06-29'],
    ['over the last 2 quarters', '2026-01-01..2026-06-29'],
    ['the last 10 days', '2026-06-20..2026-06-29'],
    ['in den letzten 2 Wochen', '2026-06-16..2026-06-29'],
    ['in June', '2026-06-01..2026-06-30'],
    ['im Dezember', '2025-12-01..2025-12-31'],
    ['seit März', '2026-03-01..'],
  ])('are parsed from "%s" as %s', (text, days) => {
    expect(said(`Lost discount ${text}`)).toEqual([days]);
  });

  it('are both found when two are compared', () => {
    expect(said('Order value in May 2026 vs May 2025')).toEqual(['2026-05-01..2026-05-31', '2025-05-01..2025-05-31']);
  });

  it('are marked when they are a year alone, which may be a value in the data', () => {
    expect(findPeriods('plant 2010')[0]?.bareYear).toBe('2010');
    expect(findPeriods('since 2010')[0]?.bareYear).toBeUndefined();
  });

  it.each(['by month', 'nach Werk', 'may I see it', '2026-02-30', '5100000001', 'market share', 'per quarter'])(
    'are not found in "%s"',
    (text) => {
      expect(said(text)).toEqual([]);
    },
  );
});
