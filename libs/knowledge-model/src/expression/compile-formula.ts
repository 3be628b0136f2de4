/**
 * A typed formula -> the tree of libs/sql. Literals become parameters, columns what the caller says they are. Never let a
 * value stop the statement: division by zero and texts that do not fit give null.
 */
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  negation,
  parameter,
  type SqlCollation,
  type SqlExpression,
} from '@tessera/sql';
import type { RelatedRange } from '@tessera/filter';
import { compileCast, sqlTypes } from './compile-cast.js';
import { canBeZero, type TypedAggregate, type TypedExpression } from './typed-expression.js';

/** Where the column of a record is in the query. */
export type ResolveColumn = (record: string, column: string) => SqlExpression;

/** What a query may have done before a formula is computed. */
type FormulaContext = {
  /** What holds where the joined record has a row; undefined where it always has one. */
  readonly presence?: (record: string) => SqlExpression | undefined;
  /** Where the value of an aggregate is, when it was computed before. */
  readonly aggregate?: (aggregate: TypedAggregate) => SqlExpression;
  /** How texts are compared where columns may say something else. */
  readonly collation?: SqlCollation | undefined;
  readonly relatedCount?: ((range: RelatedRange) => SqlExpression) | undefined;
};

export const compileFormula = (
  formula: TypedExpression,
  place: ResolveColumn,
  around: FormulaContext = {},
): SqlExpression => {
  const compile = (part: TypedExpression): SqlExpression => compileFormula(part, place, around);
  const compared = (part: TypedExpression): SqlExpression => withCollationWhereNeeded(part, compile(part), around);
  switch (formula.kind) {
    case 'literal':
      return compileLiteral(formula);
    case 'column':
      return place(formula.record, formula.column);
    case 'relatedCount':
      if (!around.relatedCount) throw new Error('Related rows are counted in conditions and orders alone.');
      return around.relatedCount(formula.range);
    case 'derived':
      return compileDerived(formula, place, around);
    case 'kpi':
      return compile(formula.formula);
    case 'not':
      return negation(compile(formula.operand));
    case 'negate':
      return { kind: 'negate', operand: compile(formula.operand) };
    case 'arithmetic':
      return compileArithmetic(formula, compile(formula.left), compile(formula.right));
    case 'comparison':
      return binaryOperation(compared(formula.left), formula.operator, compile(formula.right));
    case 'and':
      return allOf(formula.operands.map(compile));
    case 'or':
      return anyOf(formula.operands.map(compile));
    case 'isNull':
      return negateIf(formula.negated, { kind: 'isNull', operand: compile(formula.operand) });
    case 'in':
      return compileIn(formula, compared(formula.operand));
    case 'between': {
      const [operand, low, high] = [compared(formula.operand), compile(formula.low), compile(formula.high)];
      return negateIf(formula.negated, { kind: 'between', operand, low, high });
    }
    case 'like':
      return negateIf(
        formula.negated,
        binaryOperation(compile(formula.operand), 'like', parameter(formula.pattern, 'text')),
      );
    case 'case':
      return compileCase(formula, compile);
    case 'cast':
      return compileCast(compile(formula.operand), formula.operand.type, formula.type);
    case 'extract':
      return { kind: 'extract', part: formula.part, operand: inUtc(formula.operand, compile(formula.operand)) };
    case 'truncate':
      return compileTruncate(formula, compile(formula.operand));
    case 'call':
      return compileCall(formula, formula.arguments.map(isChoice(formula) ? compared : compile));
    case 'aggregate':
      return around.aggregate ? around.aggregate(formula) : compileAggregate(formula, compile, compared);
  }
};

type ExpressionOf<Kind extends TypedExpression['kind']> = TypedExpression & { readonly kind: Kind };
type Compile = (part: TypedExpression) => SqlExpression;

const withCollationWhereNeeded = (
  { type }: TypedExpression,
  operand: SqlExpression,
  { collation }: FormulaContext,
): SqlExpression => (collation && type === 'string' ? { kind: 'collate', operand, collation } : operand);

/** What answers one of its arguments, by their order. */
const isChoice = ({ function: name }: ExpressionOf<'call'>): boolean => name === 'greatest' || name === 'least';

/**
 * Where the record has no row its fields are null, whatever a formula makes of nulls. All that it reads is of its own record,
 * which may have another name in the question.
 */
const compileDerived = (
  { record, formula }: ExpressionOf<'derived'>,
  outer: ResolveColumn,
  around: FormulaContext,
): SqlExpression => {
  const place: ResolveColumn = (_, name) => outer(record, name);
  const { presence } = around;
  const when = isNullOnNullInput(formula) ? undefined : presence?.(record);
  if (!when)
    return compileFormula(formula, place, { ...around, ...(presence && { presence: () => presence(record) }) });
  const { collation, relatedCount } = around;
  const then = compileFormula(formula, place, { collation, relatedCount });
  return { kind: 'case', branches: [{ when, then }] };
};

const negateIf = (negated: boolean, condition: SqlExpression): SqlExpression =>
  negated ? negation(condition) : condition;

/** Integers that fit are `bigint`, so that an index on an integer column serves them. */
const compileLiteral = ({ type, value }: ExpressionOf<'literal'>): SqlExpression =>
  parameter(value, type === 'integer' && typeof value === 'string' && value.length > 18 ? 'numeric' : sqlTypes[type]);

const compileIn = ({ values, valueType, negated }: ExpressionOf<'in'>, left: SqlExpression): SqlExpression => {
  const large = valueType === 'integer' && values.some((value) => String(value).length > 18);
  return negateIf(negated, {
    kind: 'any',
    left,
    list: parameter(values, `${large ? 'numeric' : sqlTypes[valueType]}[]`),
  });
};

const compileCase = ({ operand, branches, otherwise }: ExpressionOf<'case'>, compile: Compile): SqlExpression => ({
  kind: 'case',
  branches: branches.map(({ when, then }) => ({ when: compile(when), then: compile(then) })),
  ...(operand && { operand: compile(operand) }),
  ...(otherwise && { otherwise: compile(otherwise) }),
});

const compileAggregate = (formula: ExpressionOf<'aggregate'>, compile: Compile, compared: Compile): SqlExpression => ({
  kind: 'aggregate',
  function: formula.function,
  distinct: formula.distinct,
  ...(formula.argument && { argument: compared(formula.argument) }),
  ...(formula.filter && { filter: compile(formula.filter) }),
});

const castToNumeric = (operand: SqlExpression): SqlExpression => ({ kind: 'cast', operand, type: 'numeric' });

const compileArithmetic = (
  formula: ExpressionOf<'arithmetic'>,
  left: SqlExpression,
  right: SqlExpression,
): SqlExpression => {
  const { operator, type } = formula;
  if (operator === '||') return binaryOperation(left, '||', right);
  const integers = formula.left.type === 'integer' && formula.right.type === 'integer';
  const divisor = canBeZero(formula.right) ? callFunction('nullif', right, parameter('0', 'bigint')) : right;
  if (operator === '/') return binaryOperation(integers ? castToNumeric(left) : left, '/', divisor);
  if (operator === '%')
    return integers
      ? binaryOperation(left, '%', divisor)
      : binaryOperation(castToNumeric(left), '%', castToNumeric(divisor));
  if (integers) return binaryOperation(castToNumeric(left), operator, right);
  if (type === 'date')
    return formula.left.type === 'date'
      ? compileMove(left, operator, formula.right, right)
      : compileMove(right, operator, formula.left, left);
  const moved = type === 'timestamp' ? [formula.left, formula.right].find((part) => part.type === type) : undefined;
  if (!moved) return binaryOperation(left, operator, right);
  const [first, second] = [inUtc(formula.left, left), inUtc(formula.right, right)];
  return callFunction('timezone', parameter('UTC', 'text'), binaryOperation(first, operator, second));
};

const daysMax = 1_000_000;

/** PostgreSQL moves dates by an `integer` and stops where the calendar ends; a longer way is null. */
const compileMove = (
  date: SqlExpression,
  operator: '+' | '-' | '*',
  by: TypedExpression,
  days: SqlExpression,
): SqlExpression => {
  if (by.kind === 'literal') {
    const inside = by.value === null || Number(by.value) <= daysMax;
    return binaryOperation(date, operator, parameter(inside ? by.value : null, 'integer'));
  }
  const [low, high] = [parameter(String(-daysMax), 'bigint'), parameter(String(daysMax), 'bigint')];
  const when: SqlExpression = { kind: 'between', operand: days, low, high };
  const inside: SqlExpression = { kind: 'case', branches: [{ when, then: days }] };
  return binaryOperation(date, operator, { kind: 'cast', operand: inside, type: 'integer' });
};

/** Of a timestamp the date and time in UTC, whatever zone the session has. */
const inUtc = ({ type }: TypedExpression, value: SqlExpression): SqlExpression =>
  type === 'timestamp' ? callFunction('timezone', parameter('UTC', 'text'), value) : value;

const compileTruncate = ({ part, operand, type }: ExpressionOf<'truncate'>, value: SqlExpression): SqlExpression => {
  const wanted = parameter(part, 'text');
  if (type === 'timestamp') return callFunction('date_trunc', wanted, value, parameter('UTC', 'text'));
  const truncated = callFunction('date_trunc', wanted, compileCast(value, operand.type, 'datetime'));
  return compileCast(truncated, 'datetime', type);
};

export const isNullOnNullInput = (formula: TypedExpression): boolean => {
  switch (formula.kind) {
    case 'column':
      return true;
    case 'literal':
      return formula.value === null;
    case 'derived':
    case 'kpi':
      return isNullOnNullInput(formula.formula);
    case 'not':
    case 'negate':
    case 'in':
    case 'between':
    case 'like':
    case 'cast':
    case 'extract':
    case 'truncate':
      return isNullOnNullInput(formula.operand);
    case 'arithmetic':
    case 'comparison':
      return isNullOnNullInput(formula.left) || isNullOnNullInput(formula.right);
    case 'and':
    case 'or':
      return formula.operands.every(isNullOnNullInput);
    case 'call':
      return isCallNullOnNullInput(formula);
    case 'isNull':
    case 'case':
    case 'aggregate':
    case 'relatedCount':
      return false;
  }
};

const isCallNullOnNullInput = (formula: TypedExpression & { readonly kind: 'call' }): boolean => {
  switch (formula.function) {
    case 'concat':
      return false;
    case 'coalesce':
    case 'greatest':
    case 'least':
      return formula.arguments.every(isNullOnNullInput);
    case 'nullif':
      return formula.arguments.slice(0, 1).every(isNullOnNullInput);
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'round':
    case 'lower':
    case 'upper':
    case 'trim':
    case 'length':
    case 'substring':
    case 'replace':
    case 'indexof':
    case 'contains':
    case 'startswith':
    case 'endswith':
    case 'div':
      return formula.arguments.some(isNullOnNullInput);
  }
};

type Call = TypedExpression & { readonly kind: 'call' };

const compileCall = (formula: Call, values: readonly SqlExpression[]): SqlExpression => {
  switch (formula.function) {
    case 'lower':
    case 'upper':
    case 'replace':
    case 'concat':
    case 'abs':
    case 'coalesce':
    case 'nullif':
    case 'greatest':
    case 'least':
      return callFunction(formula.function, ...values);
    case 'trim':
      return callFunction('btrim', ...values);
    case 'length':
      return callFunction('char_length', ...values);
    case 'substring':
      return compileSubstring(formula, values);
    case 'floor':
    case 'ceil':
    case 'round':
      return compileRounding(formula, formula.function, values);
    case 'indexof':
      return binaryOperation(callFunction('strpos', ...values), '-', parameter('1', 'integer'));
    case 'contains':
      return binaryOperation(callFunction('strpos', ...values), '>', parameter('0', 'integer'));
    case 'startswith':
      return callFunction('starts_with', ...values);
    case 'endswith':
      return callFunction('starts_with', ...values.map((value) => callFunction('reverse', value)));
    case 'div':
      return compileQuotient(formula, values.map(castToNumeric));
  }
};

const compileQuotient = ({ arguments: [, divisor] }: Call, [left, right]: readonly SqlExpression[]): SqlExpression => {
  if (!left || !right || !divisor) throw new Error('div has no divisor.');
  return callFunction(
    'div',
    left,
    canBeZero(divisor) ? callFunction('nullif', right, parameter('0', 'bigint')) : right,
  );
};

/** Through `numeric`, because `double precision` would round halves to even; an integer is round already. */
const compileRounding = (
  formula: Call,
  name: 'floor' | 'ceil' | 'round',
  [value, places]: readonly SqlExpression[],
): SqlExpression => {
  const [operand, digits] = formula.arguments;
  if (!value || !operand) throw new Error(`${name} has no argument.`);
  if (operand.type === 'integer' && !places) return value;
  const number: SqlExpression = { kind: 'cast', operand: value, type: 'numeric' };
  return digits?.kind === 'literal'
    ? callFunction(name, number, parameter(digits.value, 'integer'))
    : callFunction(name, number);
};

const positionMax = '1000000000';
const lengthMax = '2000000000';

/** Places and lengths are cut to what an `integer` holds; a negative length is none. */
const compileSubstring = (formula: Call, [text, from, length]: readonly SqlExpression[]): SqlExpression => {
  if (!text || !from) throw new Error('substring has no place.');
  const [, place, count] = formula.arguments;
  const start = inRange(from, place, `-${positionMax}`, positionMax);
  return length
    ? callFunction('substr', text, start, inRange(length, count, '0', lengthMax))
    : callFunction('substr', text, start);
};

const inRange = (
  value: SqlExpression,
  written: TypedExpression | undefined,
  least: string,
  most: string,
): SqlExpression => {
  if (written?.kind === 'literal' && (written.value === null || String(written.value).length < positionMax.length))
    return parameter(written.value, 'integer');
  const [low, high] = [parameter(least, 'bigint'), parameter(most, 'bigint')];
  const branches = [
    { when: binaryOperation(value, '<', low), then: low },
    { when: binaryOperation(value, '>', high), then: high },
  ];
  return { kind: 'cast', operand: { kind: 'case', branches, otherwise: value }, type: 'integer' };
};
