import { describe, expect, it } from '@jest/globals';
import { parseMoment } from './moments.js';

describe('parseMoment', () => {
  it.each([
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '0001-01-01', '0001-01-01'],
    ['time', '08:30', '08:30'],
    ['time', '23:59:59.123456', '23:59:59.123456'],
    ['datetime', '2026-05-07', '2026-05-07T00:00'],
    ['datetime', '2026-05-07 08:30', '2026-05-07T08:30'],
    ['timestamp', '2026-05-07', '2026-05-07T00:00Z'],
    ['timestamp', '2026-05-07T08:30:00', '2026-05-07T08:30:00Z'],
    ['timestamp', '2026-05-07 08:30:00-03:30', '2026-05-07T08:30:00-03:30'],
    ['interval', '1 month 2 days', '1 month 2 days'],
  ] as const)('reads the %s %s as %s', (type, text, read) => {
    expect(parseMoment(type, text)).toBe(read);
  });

  it.each([
    ['date', ['2026-02-29', '2026-13-01', '0000-01-01', '26-01-01', 'today', '2026-01-01T00:00', '2026-00-10']],
    ['time', ['24:00', '8:30', '08:60', '23:59:60', '08:30:00Z']],
    ['datetime', ['2026-05-07T', '2026-05-07T08:30Z', '2026-02-30 08:00', 'infinity', '2026-05-07x08:30']],
    ['timestamp', ['2026-05-07T08:30+15:00', '2026-05-07Z+01:00', 'now', '2026-05-07T08:30 Europe/Berlin']],
    ['interval', ['', '1', 'day', '1 fortnight', '1 day ', '-1 day', '100000 years', '1 day 2']],
  ] as const)('rejects invalid values of type %s', (type, texts) => {
    for (const text of texts) expect([text, parseMoment(type, text)]).toEqual([text, undefined]);
  });
});
