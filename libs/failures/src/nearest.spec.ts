import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findNearestName } from './nearest.js';

const names = ['$filter', '$select', '$resources', 'viewId'];

it('finds the intended name for a misspelt one', () => {
  expect(findNearestName('$fliter', names)).toBe('$filter');
  expect(findNearestName('viewid', names)).toBe('viewId');
  expect(findNearestName('resources', names)).toBe('$resources');
});

it('returns nothing when no name is near', () => {
  expect(findNearestName('utm_source', names)).toBeUndefined();
  expect(findNearestName('x', names)).toBeUndefined();
  expect(findNearestName('', [])).toBeUndefined();
});

it('prefers the nearest of several names', () => {
  expect(findNearestName('pageSizes', ['page', 'pageSize', 'pageSizeMax'])).toBe('pageSize');
});

/** As the textbook has it, over every cell. */
const distanceOf = (left: string, right: string): number => {
  const cells: number[][] = [];
  const cell = (row: number, column: number): number => cells[row]?.[column] ?? 0;
  for (let row = 0; row <= left.length; row++) {
    cells.push([]);
    for (let column = 0; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const ways =
        row === 0 || column === 0
          ? [row + column]
          : [cell(row - 1, column) + 1, cell(row, column - 1) + 1, cell(row - 1, column - 1) + (isSame ? 0 : 1)];
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        ways.push(cell(row - 2, column - 2) + 1);
      cells[row]?.push(Math.min(...ways));
    }
  }
  return cell(left.length, right.length);
};

it('finds the nearest name whenever its edit distance is below the limit', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'Ü', 'ß'), maxLength: 14 });
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 6 }), (wrong, candidates) => {
      const limit = Math.max(1, Math.floor(wrong.length / 3)) + 1;
      const distances = candidates.map((name) => distanceOf(wrong.toLowerCase(), name.toLowerCase()));
      const least = Math.min(limit, ...distances);
      expect(findNearestName(wrong, candidates)).toBe(least < limit ? candidates[distances.indexOf(least)] : undefined);
    }),
    { numRuns: 2_000 },
  );
});

it('skips the edit distance for most of thousands of long names', () => {
  const names = Array.from(
    { length: 5_000 },
    (_, index) => `RECORD_${index}_${'x'.repeat(50)}.FIELD_${'y'.repeat(50)}`,
  );
  let reads = 0;
  const counted = (function* () {
    for (const name of names) {
      reads++;
      yield name;
    }
  })();
  const before = process.cpuUsage();
  for (let word = 0; word < 5; word++) findNearestName(`${'xyz'.repeat(36)}${word}`, word === 0 ? counted : names);
  const { user } = process.cpuUsage(before);
  expect(reads).toBe(5_000);
  // It took half a minute of work; a slow machine has a hundredth of that.
  expect(user).toBeLessThan(5_000_000);
});

it('bounds the work for one word among a thousand long names of the same letters', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwx';
  const turned = (by: number): string => letters.slice(by % 60) + letters.slice(0, by % 60) + String(by % 10);
  const names = Array.from({ length: 1_000 }, (_, at) => turned(at));
  const before = process.threadCpuUsage();
  for (let word = 0; word < 20; word++) findNearestName(`${turned(word * 7 + 3)}z`, names);
  const { user } = process.threadCpuUsage(before);
  // It took 800 ms.
  expect(user).toBeLessThan(400_000);
});
