import { describe, expect, it } from '@jest/globals';
import { hasText, parseSort, sortRows, writeSort } from './sorting.js';

describe('a sort in an address', () => {
  it.each(['name', '-name'])('is read as it was written: %s', (text) => {
    const sort = parseSort(text, ['name']);
    expect(sort && writeSort(sort)).toBe(text);
  });

  it.each([undefined, '', '-', 'nothing', '-constructor'])('is none when it names no column: %j', (text) => {
    expect(parseSort(text, ['name'])).toBeUndefined();
  });
});

describe('rows', () => {
  const rows = [{ at: 'b', count: 10 }, { at: 'a10', count: 9 }, { at: 'a9' }];
  const sorted = (column: 'at' | 'count', direction: 'ascending' | 'descending') =>
    sortRows<(typeof rows)[number]>(rows, { column, direction }, (row, name) =>
      name === 'at' ? row.at : row.count,
    ).map(({ at }) => at);

  it('are sorted by texts with the numbers in them, and by numbers', () => {
    expect(sorted('at', 'ascending')).toEqual(['a9', 'a10', 'b']);
    expect(sorted('at', 'descending')).toEqual(['b', 'a10', 'a9']);
    expect(sorted('count', 'ascending')).toEqual(['a10', 'b', 'a9']);
  });

  it('without a value come last, in either direction', () => {
    expect(sorted('count', 'descending')).toEqual(['b', 'a10', 'a9']);
  });

  it('stay as they are without a sort', () => {
    expect(sortRows(rows, undefined, () => 0)).toBe(rows);
  });
});

describe('a search', () => {
  it('finds a part of any text, whatever its case', () => {
    expect(hasText(' WEBER ', ['x', 'anna.weber'])).toBe(true);
    expect(hasText('weber', ['anna'])).toBe(false);
  });

  it('that is empty finds everything', () => {
    expect(hasText('  ', ['anna'])).toBe(true);
  });
});
