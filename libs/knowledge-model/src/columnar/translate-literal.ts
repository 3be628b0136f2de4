/** A parameter of PostgreSQL's SQL -> a literal whose text every engine reads as the same value; no other gets through. */
import { maxFilterValues } from '@tessera/contracts/knowledge-models';
import type { SqlExpression, SqlType, SqlValue } from '@tessera/sql';
import type { ColumnarComparison, ColumnarType } from './columnar-query.js';
import { stopAt } from './columnar-obstacle.js';
import { createDecimalType } from './columnar-types.js';
import { type ColumnarValue, createNull, createValue } from './columnar-value.js';

type Parameter = SqlExpression & { readonly kind: 'parameter' };

export const translateParameter = ({ value, type }: Parameter): ColumnarValue => {
  if (type === undefined || Array.isArray(value)) return stopAt('values');
  return translateScalar(value, type);
};

export const translateList = (list: SqlExpression): readonly ColumnarValue[] => {
  if (list.kind !== 'parameter' || !Array.isArray(list.value) || list.value.length > maxFilterValues)
    return stopAt('values');
  const type = scalarTypeOf(list.type);
  return list.value.map((value: SqlValue) => (value === null ? stopAt('values') : translateScalar(value, type)));
};

const scalarTypes = ['text', 'boolean', 'bigint', 'numeric', 'date', 'timestamp', 'timestamptz'] as const;

const scalarTypeOf = (type: SqlType | undefined): SqlType =>
  scalarTypes.find((scalar) => `${scalar}[]` === type) ?? stopAt('values');

/** Null has no digits. */
const typesOfNull: Readonly<Partial<Record<SqlType, ColumnarType>>> = {
  text: { kind: 'text' },
  boolean: { kind: 'boolean' },
  bigint: { kind: 'integer', precision: 1 },
  numeric: { kind: 'decimal', precision: 1, scale: 0 },
  date: { kind: 'date' },
  timestamp: { kind: 'timestamp' },
  timestamptz: { kind: 'instant' },
};

export const nullTypeOf = (type: SqlType): ColumnarType => typesOfNull[type] ?? stopAt('expression');

const translateScalar = (value: SqlValue, type: SqlType): ColumnarValue => {
  if (value === null) return createNull(nullTypeOf(type));
  const text = String(value);
  switch (type) {
    case 'text':
      return createValue({ kind: 'literal', value: text }, { kind: 'text' });
    case 'boolean':
      return text === 'true' || text === 'false'
        ? createValue({ kind: 'literal', value: text }, { kind: 'boolean' })
        : stopAt('values');
    case 'bigint':
      return translateInteger(text);
    case 'numeric':
      return translateDecimal(text);
    case 'date':
      return datePattern.test(text)
        ? createValue({ kind: 'literal', value: text }, { kind: 'date' })
        : stopAt('values');
    case 'timestamp':
      return translateMoment(text, { kind: 'timestamp' });
    case 'timestamptz':
      return text.endsWith('Z') ? translateMoment(text.slice(0, -1), { kind: 'instant' }) : stopAt('values');
    default:
      return stopAt('expression');
  }
};

const integerPattern = /^-?(\d{1,18})$/;

const translateInteger = (text: string): ColumnarValue => {
  const [, digits] = integerPattern.exec(text) ?? [];
  if (digits === undefined) return stopAt('values');
  return createValue({ kind: 'literal', value: text }, { kind: 'integer', precision: digits.length });
};

const decimalPattern = /^-?(\d+)(?:\.(\d+))?$/;

const translateDecimal = (text: string): ColumnarValue => {
  const [, whole, fraction = ''] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return stopAt('values');
  const type = createDecimalType(whole.length, fraction.length) ?? stopAt('digits');
  return createValue({ kind: 'literal', value: text }, type, [], { shown: fraction.length });
};

/** Comparisons with a literal -> those with its digits cut off, which are nearer to zero. */
const cutComparisons = {
  positive: { '>': '>', '>=': '>', '<': '<=', '<=': '<=' },
  negative: { '>': '>=', '>=': '>=', '<': '<', '<=': '<' },
} as const;

/**
 * The same order among numbers of `scale` digits behind the point, with a literal that has no more of them: rows need not be widened
 * to be compared. Undefined when it has as few as it is, or is no decimal.
 */
export const cutLiteral = (
  operator: ColumnarComparison,
  { expression }: ColumnarValue,
  scale: number,
): { readonly operator: ColumnarComparison; readonly literal: ColumnarValue } | undefined => {
  if (expression.kind !== 'literal' || expression.type.kind !== 'decimal' || expression.value === null)
    return undefined;
  if (expression.type.scale <= scale || operator === '=' || operator === '<>') return undefined;
  const { value: text } = expression;
  const point = text.indexOf('.');
  const end = scale === 0 ? point : point + 1 + scale;
  const isWhole = /^\.?0*$/.test(text.slice(end));
  return {
    operator: isWhole ? operator : cutComparisons[text.startsWith('-') ? 'negative' : 'positive'][operator],
    literal: translateDecimal(text.slice(0, end)),
  };
};

/** Of the years 1 to 9999. */
const datePattern = /^(?!0000)\d{4}-\d\d-\d\d$/;
const timestampPattern = /^(?!0000)\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(:[0-5]\d(?:\.\d{1,6})?)?$/;

const utcOffset = '+00';

const translateMoment = (text: string, type: ColumnarType): ColumnarValue => {
  const found = timestampPattern.exec(text);
  if (!found) return stopAt('values');
  const local = `${text.replace('T', ' ')}${found[1] === undefined ? ':00' : ''}`;
  return createValue({ kind: 'literal', value: type.kind === 'instant' ? `${local}${utcOffset}` : local }, type);
};
