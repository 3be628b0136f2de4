import { expect, it } from '@jest/globals';
import { boundsOfDays } from './log-days.js';

it('days are bounds from the beginning of the first until the last one has ended, where the browser is', () => {
  expect(boundsOfDays('2026-06-30', '2026-06-30')).toEqual({
    from: new Date(2026, 5, 30).toISOString(),
    to: new Date(2026, 6, 1).toISOString(),
  });
});

it.each([undefined, '', '30.06.2026', '2026-6-3', '2026-06-30T10:00'])('%j is no bound', (day) => {
  expect(boundsOfDays(day, day)).toEqual({});
});
