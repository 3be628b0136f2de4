import { describe, expect, it } from '@jest/globals';
import { parseKpiParameter } from './read-parameter.js';

const read = (value: string, type?: 'integer' | 'float' | 'boolean' | 'date' | 'time' | 'string') => {
  const found = parseKpiParameter({ id: 'p', name: 'p', value, ...(type && { type }) });
  return found?.kind === 'literal' ? [found.type, found.value] : undefined;
};

describe('the value of a parameter', () => {
  it.each([
    ['0', 'integer', '0'],
    ['-12', 'integer', '-12'],
    ['0.05', 'float', '0.05'],
    ['false', 'boolean', false],
    ['2026-05-07', 'date', '2026-05-07'],
    ['2026-05-07T08:30', 'datetime', '2026-05-07T08:30'],
    ['2026-05-07T08:30Z', 'timestamp', '2026-05-07T08:30Z'],
    ['08:30', 'string', '08:30'],
    ['DE', 'string', 'DE'],
    ['', 'string', ''],
    ['1e5', 'string', '1e5'],
    ['NaN', 'string', 'NaN'],
  ])('%j has the inferred type %s', (value, type, literal) => {
    expect(read(value)).toEqual([type, literal]);
  });

  it('has its declared type', () => {
    expect(read('5', 'string')).toEqual(['string', '5']);
    expect(read('5', 'float')).toEqual(['float', '5']);
    expect(read('08:30', 'time')).toEqual(['time', '08:30']);
  });

  it.each([
    ['5.5', 'integer'],
    ['1'.repeat(40), 'integer'],
    ['five', 'float'],
    ['yes', 'boolean'],
    ['2026-02-30', 'date'],
    ['24:00', 'time'],
  ] as const)('%j is not valid for the type %s', (value, type) => {
    expect(read(value, type)).toBeUndefined();
  });
});
