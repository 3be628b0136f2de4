/**
 * An expression of PostgreSQL's SQL -> the same for an engine of columns. What is not listed here is not translated, because engines
 * compute it differently or nobody has shown that they do not: division, rounding, most functions of texts, everything of `double
 * precision`, intervals, wildcards of one character, subqueries.
 */
import type { SqlExpression, SqlType } from '@tessera/sql';
import type { ColumnarComparison, ColumnarDatePart, ColumnarTruncation, ColumnarType } from './columnar-query.js';
import { stopAt } from './columnar-obstacle.js';
import { createDecimalType, findArithmeticType, findCommonDecimal, isNumberType } from './columnar-types.js';
import {
  addDigits,
  castValue,
  type ColumnarValue,
  createBoolean,
  createChoice,
  createIsNull,
  createNull,
  createValue,
  joinConditions,
  largerDigits,
  negateCondition,
  requireBoolean,
  unifyValues,
} from './columnar-value.js';
import { cutLiteral, nullTypeOf, translateList, translateParameter } from './translate-literal.js';

export type TranslateColumn = (table: string | undefined, name: string) => ColumnarValue;

export const translateExpression = (sql: SqlExpression, column: TranslateColumn): ColumnarValue => {
  const translate = (part: SqlExpression): ColumnarValue => translateExpression(part, column);
  switch (sql.kind) {
    case 'column':
      return column(sql.table, sql.name);
    case 'parameter':
      return translateParameter(sql);
    case 'constant':
      return sql.value === null ? stopAt('expression') : createBoolean(sql.value);
    case 'binary':
      return translateBinary(sql, translate);
    case 'any':
      return translateAny(sql, translate);
    case 'and':
    case 'or':
      return joinConditions(sql.kind, sql.operands.map(translate));
    case 'not':
      return negateCondition(translate(sql.operand));
    case 'negate':
      return negateNumber(translate(sql.operand));
    case 'isNull':
      return createIsNull(translate(sql.operand));
    case 'isNotTrue': {
      const operand = requireBoolean(translate(sql.operand));
      return createValue({ kind: 'isNotTrue', operand: operand.expression }, { kind: 'boolean' }, [operand]);
    }
    case 'call':
      return translateCall(sql, translate);
    case 'cast':
      return translateCast(sql, translate);
    case 'case':
      return translateCase(sql, translate);
    case 'between': {
      const [operand, low, high] = [translate(sql.operand), translate(sql.low), translate(sql.high)];
      return joinConditions('and', [compareValues(operand, '>=', low), compareValues(operand, '<=', high)]);
    }
    case 'extract':
      return translateExtract(sql.part, translate(sql.operand));
    case 'guarded':
      return createChoice(
        [{ when: translate(sql.condition), then: requireBoolean(translate(sql.value)) }],
        createBoolean(false),
      );
    case 'collate':
      return orderByCodePoint(translate(sql.operand));
    case 'exists':
    case 'array':
    case 'scalar':
    case 'in':
      return stopAt('related-rows');
    case 'storedText':
    case 'lateParameter':
    case 'row':
    case 'aggregate':
    case 'deviation':
    case 'percentiles':
    case 'rowsInAll':
    case 'rowNumber':
    case 'rowsInPart':
      return stopAt('expression');
  }
};

type SqlOf<Kind extends SqlExpression['kind']> = SqlExpression & { readonly kind: Kind };
type Translate = (part: SqlExpression) => ColumnarValue;

const orderByCodePoint = (value: ColumnarValue): ColumnarValue =>
  value.expression.type.kind === 'text' ? { ...value, isByCodePoint: true } : stopAt('expression');

const translateBinary = (sql: SqlOf<'binary'>, translate: Translate): ColumnarValue => {
  const { operator } = sql;
  switch (operator) {
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compareValues(translate(sql.left), operator, translate(sql.right));
    case '+':
    case '-':
    case '*':
      return computeNumber(translate(sql.left), operator, translate(sql.right));
    case 'like':
      return translateLike(translate(sql.left), translate(sql.right));
    case '->':
    case 'ilike':
    case '<%':
    case '/':
    case '%':
    case '||':
      return stopAt('expression');
  }
};

/** A date meets a timestamp at its midnight. */
const withSameMoments = (values: readonly ColumnarValue[]): readonly ColumnarValue[] => {
  const kinds = new Set(values.map(({ expression }) => expression.type.kind));
  return kinds.size === 2 && kinds.has('date') && kinds.has('timestamp')
    ? values.map((value) => castValue(value, { kind: 'timestamp' }))
    : values;
};

const compareValues = (left: ColumnarValue, operator: ColumnarComparison, right: ColumnarValue): ColumnarValue => {
  const { type } = left.expression;
  const cut = type.kind === 'decimal' ? cutLiteral(operator, right, type.scale) : undefined;
  if (cut) return compareValues(left, cut.operator, cut.literal);
  const [one, other] = unifyValues(withSameMoments([left, right]));
  if (!one || !other) return stopAt('expression');
  const isOrder = operator !== '=' && operator !== '<>';
  if (isOrder && one.expression.type.kind === 'text' && !left.isByCodePoint && !right.isByCodePoint)
    return stopAt('expression');
  return createValue(
    { kind: 'comparison', operator, left: one.expression, right: other.expression },
    { kind: 'boolean' },
    [one, other],
  );
};

/** PostgreSQL computes with two of type `bigint` as with 64 bits, which overflow; where one is a decimal it is exact. */
const computeNumber = (left: ColumnarValue, operator: '+' | '-' | '*', right: ColumnarValue): ColumnarValue => {
  const [leftType, rightType] = [left.expression.type, right.expression.type];
  const isExact = isNumberType(leftType) && isNumberType(rightType) && [leftType, rightType].some(isDecimal);
  if (!isExact) return stopAt('expression');
  const type = findArithmeticType(operator, leftType, rightType) ?? stopAt('digits');
  const sideType = (own: typeof leftType): ColumnarType =>
    operator === '*' ? (findCommonDecimal([own]) ?? stopAt('digits')) : type;
  const [one, other] = [castValue(left, sideType(leftType)), castValue(right, sideType(rightType))];
  const shown =
    operator === '*' ? addDigits(one.shown ?? 0, other.shown ?? 0) : largerDigits(one.shown ?? 0, other.shown ?? 0);
  return createValue(
    { kind: 'arithmetic', operator, left: one.expression, right: other.expression },
    type,
    // What shows the digits repeats its parts.
    typeof shown === 'number' ? [one, other] : [one, other, one, other],
    { shown },
  );
};

const isDecimal = ({ kind }: ColumnarType): boolean => kind === 'decimal';

/** The smallest `bigint` has no opposite. */
const negateNumber = (operand: ColumnarValue): ColumnarValue => {
  const { expression, shown } = operand;
  const { type } = expression;
  if (!isNumberType(type) || (type.kind === 'integer' && type.precision > 18)) return stopAt('expression');
  return createValue({ kind: 'negate', operand: expression }, type, [operand], shown === undefined ? {} : { shown });
};

/** Nothing is among no values, not even null. */
const translateAny = (sql: SqlOf<'any'>, translate: Translate): ColumnarValue => {
  const left = translate(sql.left);
  const values = translateList(sql.list);
  if (values.length === 0) return createBoolean(false);
  if (sql.operator === 'like')
    return joinConditions(
      'or',
      values.map((pattern) => translateLike(left, pattern)),
    );
  if (sql.operator !== undefined) return stopAt('expression');
  const [operand, ...others] = unifyValues([left, ...values]);
  if (!operand) return stopAt('expression');
  const texts = others.map(({ expression }) => literalText(expression));
  return createValue({ kind: 'in', operand: operand.expression, values: texts }, { kind: 'boolean' }, [
    operand,
    { weight: Math.ceil(texts.length / 20) },
  ]);
};

/** A cast of a literal reads the same text as another type. */
const literalText = (expression: ColumnarValue['expression']): string => {
  if (expression.kind === 'cast') return literalText(expression.operand);
  return expression.kind === 'literal' && expression.value !== null ? expression.value : stopAt('values');
};

/** Any texts, the wildcard for them, and escaped characters: what no engine reads in another way. */
const plainPattern = /^(?:[^\\_]|\\[^])*$/;

const translateLike = (operand: ColumnarValue, { expression: right }: ColumnarValue): ColumnarValue => {
  const isText = operand.expression.type.kind === 'text' && right.type.kind === 'text';
  if (!isText || right.kind !== 'literal' || right.value === null || !plainPattern.test(right.value))
    return stopAt('expression');
  return createValue({ kind: 'like', operand: operand.expression, pattern: right.value }, { kind: 'boolean' }, [
    operand,
  ]);
};

const translateCall = (sql: SqlOf<'call'>, translate: Translate): ColumnarValue => {
  switch (sql.function) {
    case 'coalesce':
      return translateCoalesce(sql.arguments.map(translate));
    case 'nullif':
      return translateNullIf(sql.arguments.map(translate));
    case 'date_trunc':
      return translateTruncation(sql.arguments, translate);
    case 'timezone':
      return translateZone(sql.arguments, translate);
    default:
      return stopAt('expression');
  }
};

const translateCoalesce = (values: readonly ColumnarValue[]): ColumnarValue => {
  const last = values.at(-1);
  if (!last || values.length < 2) return stopAt('expression');
  const branches = values.slice(0, -1).map((value) => ({ when: negateCondition(createIsNull(value)), then: value }));
  return createChoice(branches, last);
};

/** Of the type of the first; where they differ PostgreSQL compares as the second is. */
const translateNullIf = ([value, other]: readonly ColumnarValue[]): ColumnarValue => {
  if (!value || !other || value.expression.type.kind !== other.expression.type.kind) return stopAt('expression');
  return createChoice([{ when: compareValues(value, '=', other), then: createNull(value.expression.type) }], value);
};

const truncations: readonly ColumnarTruncation[] = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
];

const textOf = (sql: SqlExpression | undefined): string =>
  sql?.kind === 'parameter' && typeof sql.value === 'string' ? sql.value : stopAt('expression');

/** With a zone of an instant, without one of a timestamp. */
const translateTruncation = ([part, value, zone]: readonly SqlExpression[], translate: Translate): ColumnarValue => {
  const unit = truncations.find((known) => known === textOf(part)) ?? stopAt('expression');
  if (!value || (zone && textOf(zone) !== 'UTC')) return stopAt('expression');
  const operand = translate(value);
  const { type } = operand.expression;
  if (type.kind !== (zone ? 'instant' : 'timestamp')) return stopAt('expression');
  return createValue({ kind: 'truncate', unit, operand: operand.expression }, type, [operand]);
};

/** Instants are stored as their date and time in UTC; a literal alone says its zone. */
const translateZone = ([zone, value]: readonly SqlExpression[], translate: Translate): ColumnarValue => {
  if (!value || textOf(zone) !== 'UTC') return stopAt('expression');
  const { expression, ...operand } = translate(value);
  const { kind } = expression.type;
  if ((kind !== 'instant' && kind !== 'timestamp') || expression.kind === 'literal') return stopAt('expression');
  return { ...operand, expression: { ...expression, type: { kind: kind === 'instant' ? 'timestamp' : 'instant' } } };
};

const translateCast = ({ operand: sql, type }: SqlOf<'cast'>, translate: Translate): ColumnarValue => {
  if (type === 'bigint' && sql.kind === 'cast' && sql.type === 'integer') return countTruth(translate(sql.operand));
  if (typeof type !== 'string') return stopAt('expression');
  const operand = translate(sql);
  const { expression } = operand;
  if (expression.kind === 'literal' && expression.value === null) return createNull(nullTypeOf(type));
  const to = castTypeOf(expression.type, type);
  return to ? castValue(operand, to) : stopAt('expression');
};

/** A boolean as 1 and 0. */
const countTruth = (condition: ColumnarValue): ColumnarValue => {
  const number = (value: string): ColumnarValue =>
    createValue({ kind: 'literal', value }, { kind: 'integer', precision: 1 });
  return createChoice([
    { when: requireBoolean(condition), then: number('1') },
    { when: negateCondition(condition), then: number('0') },
  ]);
};

/** Of the casts that lose nothing but the time of a day. */
const castTypeOf = (from: ColumnarType, to: SqlType): ColumnarType | undefined => {
  switch (from.kind) {
    case 'text':
      return to === 'text' ? from : undefined;
    case 'boolean':
      return to === 'boolean' ? from : undefined;
    case 'integer':
      return to === 'numeric' ? findCommonDecimal([from]) : to === 'bigint' ? from : undefined;
    case 'decimal':
      return to === 'numeric' ? from : undefined;
    case 'date':
      return to === 'timestamp' ? { kind: 'timestamp' } : to === 'date' ? from : undefined;
    case 'timestamp':
      return to === 'date' ? { kind: 'date' } : to === 'timestamp' ? from : undefined;
    case 'instant':
      return to === 'timestamptz' ? from : undefined;
  }
};

const translateCase = (sql: SqlOf<'case'>, translate: Translate): ColumnarValue => {
  const operand = sql.operand && translate(sql.operand);
  const branches = sql.branches.map(({ when, then }) => ({
    when: operand ? compareValues(operand, '=', translate(when)) : translate(when),
    then: translate(then),
  }));
  return createChoice(branches, sql.otherwise && translate(sql.otherwise));
};

const dateParts: readonly ColumnarDatePart[] = ['year', 'isoyear', 'quarter', 'month', 'week', 'day', 'isodow', 'doy'];

/** PostgreSQL answers a `numeric` without digits behind the point. */
const translateExtract = (name: string, operand: ColumnarValue): ColumnarValue => {
  const part = dateParts.find((known) => known === name) ?? stopAt('expression');
  const { type } = operand.expression;
  if (type.kind !== 'date' && type.kind !== 'timestamp') return stopAt('expression');
  const precision = 4;
  const found = createValue({ kind: 'extract', part, operand: operand.expression }, { kind: 'integer', precision }, [
    operand,
  ]);
  return castValue(found, createDecimalType(precision, 0) ?? stopAt('digits'));
};
