import { describe, expect, it } from '@jest/globals';
import { createDecimalType, findArithmeticType, findCommonDecimal, findSumType } from './columnar-types.js';

const decimal = (precision: number, scale: number) => ({ kind: 'decimal' as const, precision, scale });
const integer = (precision: number) => ({ kind: 'integer' as const, precision });

describe('exact numbers', () => {
  it('have one digit at least and 38 at most', () => {
    expect(createDecimalType(0, 0)).toEqual(decimal(1, 0));
    expect(createDecimalType(30, 8)).toEqual(decimal(38, 8));
    expect(createDecimalType(30, 9)).toBeUndefined();
  });

  it('meet in a decimal that holds both', () => {
    expect(findCommonDecimal([decimal(12, 2), decimal(5, 4)])).toEqual(decimal(14, 4));
    expect(findCommonDecimal([integer(19), decimal(3, 3)])).toEqual(decimal(22, 3));
    expect(findCommonDecimal([decimal(38, 0), decimal(1, 1)])).toBeUndefined();
  });

  it.each([
    ['+', decimal(4, 2), decimal(4, 2), decimal(5, 2)],
    ['-', decimal(4, 2), integer(6), decimal(9, 2)],
    ['*', decimal(4, 2), decimal(5, 3), decimal(9, 5)],
    ['*', decimal(20, 2), integer(19), undefined],
  ] as const)('hold every result of %s', (operator, left, right, expected) => {
    expect(findArithmeticType(operator, left, right)).toEqual(expected);
  });

  it('are added as often as there are rows', () => {
    expect(findSumType(decimal(12, 2), 1_000_000)).toEqual(decimal(38, 2));
    expect(findSumType(decimal(32, 2), 1_000_000)).toBeUndefined();
    expect(findSumType(integer(19), 0)).toEqual(decimal(38, 0));
  });
});
