import { describe, expect, it } from '@jest/globals';
import { readLocalText, readMoment, toInstant, toLocalText, toUtcText } from './moments.js';

const now = new Date('2026-06-30T12:00:00Z');

describe('a moment', () => {
  it('goes from the field to the address and back', () => {
    const local = toLocalText(now);
    expect(local).toMatch(/^2026-0[67]-\d\dT\d\d:\d\d$/);
    expect(readLocalText(local, now)).toEqual({ at: now.toISOString() });
  });

  it('without a zone is UTC', () => {
    expect(['2026-05-07T08:30:00', '2026-05-07T08:30:00Z', '2026-05-07T10:30:00+02:00'].map(toInstant)).toEqual([
      ...['2026-05-07T08:30:00Z', '2026-05-07T08:30:00Z', '2026-05-07T10:30:00+02:00'],
    ]);
  });

  it('goes from content to a field and back, in the zone of this place', () => {
    expect(toUtcText(toLocalText(new Date(toInstant('2026-06-30T22:30:00'))))).toBe('2026-06-30T22:30:00');
    expect(toUtcText('12026-01-01T00:00')).toBe('12026-01-01T00:00');
  });

  it('is refused where it is none, or still to come', () => {
    expect(readLocalText('', now)).toEqual({ fault: 'missing' });
    expect(readLocalText('yesterday', now)).toEqual({ fault: 'missing' });
    expect(readLocalText(toLocalText(new Date('2026-07-02T12:00:00Z')), now)).toEqual({ fault: 'future' });
  });

  it.each([
    ['2026-05-07T08:30:00Z', '2026-05-07T08:30:00.000Z'],
    ['2026-05-07T10:30:00+02:00', '2026-05-07T08:30:00.000Z'],
    ['2026-13-07T08:30:00Z', undefined],
    ['tomorrow', undefined],
    [2026, undefined],
    [undefined, undefined],
  ])('of the address %j is %j', (text, moment) => {
    expect(readMoment(text)).toBe(moment);
  });
});
