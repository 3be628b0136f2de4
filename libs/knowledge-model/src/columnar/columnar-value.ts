/** Parts of a question while it is translated: expressions with what PostgreSQL knows of them beyond their type. */
import type { ColumnarExpression, ColumnarNode, ColumnarType } from './columnar-query.js';
import { stopAt } from './columnar-obstacle.js';
import { type DecimalType, findCommonDecimal, isNumberType, isSameType } from './columnar-types.js';

/** The digits behind the point that PostgreSQL shows of a decimal: the same in each row, or computed for each. */
export type ShownDigits = number | ColumnarExpression;

export type ColumnarValue = {
  readonly expression: ColumnarExpression;
  /** The nodes that are printed. */
  readonly weight: number;
  /** Of decimals; absent for null, which shows none. */
  readonly shown?: ShownDigits;
  /** Of texts: whether PostgreSQL orders them by code points, as it does where a column takes part. */
  readonly isByCodePoint?: boolean;
};

const weightMax = 1_000;

export const createValue = (
  node: ColumnarNode,
  type: ColumnarType,
  parts: readonly Pick<ColumnarValue, 'weight'>[] = [],
  more: Pick<ColumnarValue, 'shown' | 'isByCodePoint'> = {},
): ColumnarValue => {
  const weight = 1 + parts.reduce((sum, part) => sum + part.weight, 0);
  if (weight > weightMax) return stopAt('expression');
  return { expression: { ...node, type }, weight, ...more };
};

export const createNull = (type: ColumnarType): ColumnarValue => createValue({ kind: 'literal', value: null }, type);

const isNull = ({ expression }: ColumnarValue): boolean => expression.kind === 'literal' && expression.value === null;

export const createBoolean = (value: boolean): ColumnarValue =>
  createValue({ kind: 'literal', value: String(value) }, { kind: 'boolean' });

export const castValue = (value: ColumnarValue, type: ColumnarType): ColumnarValue => {
  const { expression, shown } = value;
  if (expression.type.kind === 'integer' && type.kind === 'integer')
    return { ...value, expression: { ...expression, type } };
  if (isSameType(expression.type, type)) return value;
  if (isNull(value)) return createNull(type);
  const more = type.kind === 'decimal' ? { shown: shown ?? 0 } : {};
  return createValue({ kind: 'cast', operand: expression }, type, [value], more);
};

/** All of one type, as PostgreSQL makes them meet. */
export const unifyValues = (values: readonly ColumnarValue[]): readonly ColumnarValue[] => {
  const known = values.filter((value) => !isNull(value)).map(({ expression }) => expression.type);
  const types = known.length > 0 ? known : values.map(({ expression }) => expression.type);
  const [first] = types;
  if (!first) return values;
  const isOfOneKind = types.every(({ kind }) => kind === first.kind && kind !== 'decimal');
  if (!isOfOneKind && !types.every(isNumberType)) return stopAt('expression');
  const type = isOfOneKind
    ? widestOf(first, types)
    : (findCommonDecimal(types.filter(isNumberType)) ?? stopAt('digits'));
  return values.map((value) => castValue(value, type));
};

const widestOf = (first: ColumnarType, types: readonly ColumnarType[]): ColumnarType =>
  first.kind === 'integer'
    ? { ...first, precision: Math.max(...types.filter(isNumberType).map(({ precision }) => precision)) }
    : first;

export const requireBoolean = (value: ColumnarValue): ColumnarValue =>
  value.expression.type.kind === 'boolean' ? value : stopAt('expression');

export const negateCondition = (operand: ColumnarValue): ColumnarValue =>
  createValue({ kind: 'not', operand: requireBoolean(operand).expression }, { kind: 'boolean' }, [operand]);

export const createIsNull = (operand: ColumnarValue): ColumnarValue =>
  createValue({ kind: 'isNull', operand: operand.expression }, { kind: 'boolean' }, [operand]);

export const joinConditions = (kind: 'and' | 'or', operands: readonly ColumnarValue[]): ColumnarValue => {
  const [first] = operands;
  if (!first) return createBoolean(kind === 'and');
  if (operands.length === 1) return first;
  const conditions = operands.map((operand) => requireBoolean(operand).expression);
  return createValue({ kind, operands: conditions }, { kind: 'boolean' }, operands);
};

/** Of the first condition that holds; null when none does and there is nothing otherwise. */
export const createChoice = (
  branches: readonly { readonly when: ColumnarValue; readonly then: ColumnarValue }[],
  otherwise?: ColumnarValue,
): ColumnarValue => {
  const conditions = branches.map(({ when }) => requireBoolean(when));
  const values = unifyValues([...branches.map(({ then }) => then), ...(otherwise ? [otherwise] : [])]);
  const [first] = values;
  if (!first) return stopAt('expression');
  const last = otherwise && values.at(-1);
  const choose = (chosen: readonly ColumnarExpression[], final: ColumnarExpression | undefined): ColumnarNode => ({
    kind: 'case',
    branches: conditions.map(({ expression: when }, at) => ({ when, then: chosen[at] ?? stopAt('expression') })),
    ...(final && { otherwise: final }),
  });
  const { type } = first.expression;
  const node = choose(
    values.map(({ expression }) => expression),
    last?.expression,
  );
  const isByCodePoint = values.some((value) => value.isByCodePoint);
  const shown = type.kind === 'decimal' ? shownByChoice(values, last, choose) : undefined;
  return createValue(node, type, [...conditions, ...values], {
    ...(isByCodePoint && { isByCodePoint }),
    ...(shown !== undefined && { shown }),
  });
};

const shownByChoice = (
  values: readonly ColumnarValue[],
  last: ColumnarValue | undefined,
  choose: (chosen: readonly ColumnarExpression[], final: ColumnarExpression | undefined) => ColumnarNode,
): ShownDigits | undefined => {
  const all = [...new Set(values.flatMap(({ shown }) => (shown === undefined ? [] : [shown])))];
  if (all.length < 2) return all[0];
  const digits = (value: ColumnarValue): ColumnarExpression => toDigitsExpression(value.shown ?? 0);
  return { ...choose(values.map(digits), last && digits(last)), type: digitsType };
};

/** More than any decimal that is stored shows. */
const digitsType: DecimalType = { kind: 'decimal', precision: 5, scale: 0 };

export const toDigitsExpression = (shown: ShownDigits): ColumnarExpression =>
  typeof shown === 'number' ? { kind: 'literal', value: String(shown), type: digitsType } : shown;

/** Of a stored column of digits. */
export const readDigits = (column: ColumnarExpression): ColumnarExpression => ({
  kind: 'cast',
  operand: column,
  type: digitsType,
});

export const addDigits = (left: ShownDigits, right: ShownDigits): ShownDigits =>
  typeof left === 'number' && typeof right === 'number'
    ? left + right
    : {
        kind: 'arithmetic',
        operator: '+',
        left: toDigitsExpression(left),
        right: toDigitsExpression(right),
        type: digitsType,
      };

export const largerDigits = (left: ShownDigits, right: ShownDigits): ShownDigits => {
  if (typeof left === 'number' && typeof right === 'number') return Math.max(left, right);
  const [one, other] = [toDigitsExpression(left), toDigitsExpression(right)];
  const when: ColumnarExpression = {
    kind: 'comparison',
    operator: '>=',
    left: one,
    right: other,
    type: { kind: 'boolean' },
  };
  return { kind: 'case', branches: [{ when, then: one }], otherwise: other, type: digitsType };
};
