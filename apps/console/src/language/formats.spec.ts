import { describe, expect, it } from '@jest/globals';
import { formatsOf } from './formats.js';

/** Languages put spaces of several kinds between parts. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

describe('formats', () => {
  const [en, de, es] = [formatsOf('en'), formatsOf('de'), formatsOf('es')];

  it('write numbers by language', () => {
    expect([en, de, es].map(({ number }) => number(1234567.891))).toEqual([
      ...['1,234,567.891', '1.234.567,891', '1.234.567,891'],
    ]);
  });

  it('write shares as percent', () => {
    expect([plain(en.percent(0.09934)), plain(de.percent(0.09934)), en.percent(1, 0)]).toEqual([
      ...['9.93%', '9,93 %', '100%'],
    ]);
  });

  it('shorten numbers for axes', () => {
    expect(en.compact(12_300)).toBe('12.3K');
  });

  it('writes days and months of dates, wherever one is', () => {
    expect([en.day('2026-03-01'), de.day('2026-03-01')]).toEqual(['Mar 1, 2026', '01.03.2026']);
    expect([en.month('2026-03-01'), en.month(Date.parse('2026-03-01'))]).toEqual(['Mar 2026', 'Mar 2026']);
  });

  it('write dates from texts, numbers and dates', () => {
    const at = '2026-11-24T10:30:00';
    for (const instant of [at, new Date(at), new Date(at).getTime()]) expect(en.date(instant)).toBe('Nov 24, 2026');
    expect(de.date(at)).toBe('24.11.2026');
    expect([plain(en.time(at)), es.time(at)]).toEqual(['10:30 AM', '10:30']);
    expect(plain(en.dateTime(at))).toBe('Nov 24, 2026, 10:30 AM');
  });

  it.each([
    [90_000, 'in 1 minute'],
    [-3 * 86_400_000, '3 days ago'],
    [5_000, 'in 5 seconds'],
    [0, 'now'],
  ])('say how far %d milliseconds are: %s', (apartMs, said) => {
    expect(en.relative(apartMs, 0)).toBe(said);
  });
});
