import { describe, expect, it } from '@jest/globals';
import type { FormulaType } from './typed-expression.js';
import { findCommonType, datePartsOf } from './types.js';

const all: readonly FormulaType[] = [
  'string',
  'integer',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'timestamp',
  'interval',
  'null',
];

describe('findCommonType', () => {
  it.each([
    [['integer', 'float'], 'float'],
    [['null', 'integer'], 'integer'],
    [['null', 'null'], 'null'],
    [[], 'null'],
    [['date', 'timestamp', 'datetime'], 'timestamp'],
    [['datetime', 'date', 'null'], 'datetime'],
    [['date', 'time'], undefined],
    [['string', 'integer'], undefined],
    [['boolean', 'integer'], undefined],
    [['interval', 'time'], undefined],
  ] as const)('of %j is %s', (types, common) => {
    expect(findCommonType(types)).toBe(common);
  });

  it('does not depend on the order, and is unchanged when applied to its own result', () => {
    for (const left of all)
      for (const right of all) {
        const common = findCommonType([left, right]);
        expect(findCommonType([right, left])).toBe(common);
        if (common !== undefined) expect(findCommonType([common, left, right])).toBe(common);
      }
  });
});

describe('datePartsOf', () => {
  it('lists the date parts of each type', () => {
    expect(datePartsOf('date')).not.toContain('hour');
    expect(datePartsOf('time')).not.toContain('day');
    expect(datePartsOf('interval')).not.toContain('isodow');
    expect(datePartsOf('timestamp')).toEqual(datePartsOf('datetime'));
    for (const type of ['string', 'integer', 'float', 'boolean', 'null'] as const)
      expect(datePartsOf(type)).toEqual([]);
  });
});
