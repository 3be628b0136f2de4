/** How large exact numbers can become, and which types meet in which. */
import type { SqlType } from '@tessera/sql';
import type { ColumnarType } from './columnar-query.js';

type IntegerType = ColumnarType & { readonly kind: 'integer' };
export type DecimalType = ColumnarType & { readonly kind: 'decimal' };

/** What engines of columns compute exactly with. */
const digitsMax = 38;

export const isNumberType = (type: ColumnarType): type is IntegerType | DecimalType =>
  type.kind === 'integer' || type.kind === 'decimal';

/** Undefined when it has too many digits. */
export const createDecimalType = (whole: number, scale: number): DecimalType | undefined => {
  const precision = Math.max(1, whole + scale);
  return precision <= digitsMax ? { kind: 'decimal', precision, scale } : undefined;
};

const scaleOf = (type: IntegerType | DecimalType): number => (type.kind === 'decimal' ? type.scale : 0);
const wholeDigitsOf = (type: IntegerType | DecimalType): number => type.precision - scaleOf(type);

/** A decimal that holds what each of them holds. */
export const findCommonDecimal = (types: readonly (IntegerType | DecimalType)[]): DecimalType | undefined =>
  createDecimalType(Math.max(...types.map(wholeDigitsOf)), Math.max(...types.map(scaleOf)));

/** Holds every result of the operator. */
export const findArithmeticType = (
  operator: '+' | '-' | '*',
  left: IntegerType | DecimalType,
  right: IntegerType | DecimalType,
): DecimalType | undefined => {
  if (operator === '*')
    return createDecimalType(wholeDigitsOf(left) + wholeDigitsOf(right), scaleOf(left) + scaleOf(right));
  const whole = Math.max(wholeDigitsOf(left), wholeDigitsOf(right)) + 1;
  return createDecimalType(whole, Math.max(scaleOf(left), scaleOf(right)));
};

/** Of so many values; undefined when it may not fit. */
export const findSumType = (type: IntegerType | DecimalType, rows: number): DecimalType | undefined =>
  createDecimalType(wholeDigitsOf(type) + String(Math.max(1, rows)).length, scaleOf(type)) && {
    kind: 'decimal',
    precision: digitsMax,
    scale: scaleOf(type),
  };

export const isSameType = (left: ColumnarType, right: ColumnarType): boolean =>
  left.kind === 'decimal' && right.kind === 'decimal'
    ? left.precision === right.precision && left.scale === right.scale
    : left.kind === right.kind;

/** A list of such values, as PostgreSQL takes the texts of an engine. */
export const arrayTypes = {
  text: 'text[]',
  boolean: 'boolean[]',
  integer: 'bigint[]',
  decimal: 'numeric[]',
  date: 'date[]',
  timestamp: 'timestamp[]',
  instant: 'timestamptz[]',
} as const satisfies Readonly<Record<ColumnarType['kind'], SqlType>>;
