import { describe, expect, it } from '@jest/globals';
import { formatsOf } from '../../../language/formats.js';
import { groupByLine, lookAgainAfter, sizeOf } from './load-state.js';

const now = Date.parse('2026-11-27T12:00:00Z');
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

describe('a list of loads is asked for again', () => {
  it.each([
    ['while rows come in', 'loading', 5, 3_000],
    ['while they are put in place, however long', 'committing', 500, 3_000],
    ['not for what somebody left', 'loading', 11, false],
    ['not when all have ended', 'committed', 1, false],
    ['not for what was refused', 'refused', 1, false],
  ] as const)('%s', (_, state, minutes, expected) => {
    expect(lookAgainAfter([{ state, startedAt: minutesAgo(minutes) }], now)).toBe(expected);
  });
});

it('faults stand by their lines, first those of the whole file', () => {
  const [last, file, first, second] = [
    { line: 9, message: 'a' },
    { message: 'b' },
    { line: 2, column: 'x', message: 'c' },
    { line: 2, column: 'y', message: 'd' },
  ];
  expect(groupByLine([last, file, first, second].flatMap((fault) => fault ?? []))).toEqual([
    { line: undefined, faults: [file] },
    { line: 2, faults: [first, second] },
    { line: 9, faults: [last] },
  ]);
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [9_300, '9.3 kB'],
  [1_000_000, '1 MB'],
  [2_340_000_000, '2.3 GB'],
  [5e12, '5,000 GB'],
])('%d bytes are %s', (bytes, expected) => {
  expect(formatsOf('en').number(...sizeOf(bytes))).toBe(expected);
});
