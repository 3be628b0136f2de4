import { describe, expect, it } from '@jest/globals';
import { typeCheckSampleFormula } from '../testing/sample-model.js';
import { isNullOnNullInput } from './compile-formula.js';

describe('a formula over a missing row', () => {
  it.each([
    'QTY',
    'PRICE',
    'QTY + 1',
    '-QTY',
    'not OPEN',
    "NAME = 'a'",
    'QTY in (1, 2)',
    'QTY between 1 and 2',
    "NAME like 'a%'",
    'cast(QTY as string)',
    'cast(NAME as date)',
    'year(DAY)',
    "date_trunc('month', DAY)",
    'upper(NAME)',
    "replace(NAME, 'a', 'b')",
    'coalesce(NAME, ORDER_NO)',
    "nullif(NAME, 'a')",
    'greatest(QTY, AMOUNT)',
    'OPEN and QTY > 1',
    "NAME || 'a'",
  ])('is always null: %s', (formula) => {
    expect(isNullOnNullInput(typeCheckSampleFormula(formula, 'ITEM'))).toBe(true);
  });

  it.each([
    "'a'",
    'QTY is null',
    'QTY is not null',
    'SIZE',
    'SMALL and OPEN',
    "coalesce(NAME, 'none')",
    "concat(NAME, 'a')",
    "nullif('a', NAME)",
    'greatest(QTY, 1)',
    'OPEN or QTY is null',
    'case when QTY > 1 then QTY end',
  ])('may have a value: %s', (formula) => {
    expect(isNullOnNullInput(typeCheckSampleFormula(formula, 'ITEM'))).toBe(false);
  });
});
