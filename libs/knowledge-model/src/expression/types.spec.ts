import { describe, expect, it } from '@jest/globals';
import type { FormulaType } from './typed-expression.js';
import { commonType, partsOf } from './types.js';

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

describe('commonType', () => {
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
    expect(commonType(types)).toBe(common);
  });

  it('does not depend on the order, and is its own common type', () => {
    for (const left of all)
      for (const right of all) {
        const common = commonType([left, right]);
        expect(commonType([right, left])).toBe(common);
        if (common !== undefined) expect(commonType([common, left, right])).toBe(common);
      }
  });
});

describe('partsOf', () => {
  it('lists the parts that each type has', () => {
    expect(partsOf('date')).not.toContain('hour');
    expect(partsOf('time')).not.toContain('day');
    expect(partsOf('interval')).not.toContain('isodow');
    expect(partsOf('timestamp')).toEqual(partsOf('datetime'));
    for (const type of ['string', 'integer', 'float', 'boolean', 'null'] as const) expect(partsOf(type)).toEqual([]);
  });
});
