/** The types of operators. */
import { dateTypes, isDateType } from '@tessera/contracts/knowledge-models';
import {
  allDefinedOrUndefined,
  type CheckContext,
  type CheckResult,
  type CheckSubformula,
  expectType,
  refuseFormula,
  unifyTypes,
  convertToType,
  withArticle,
} from './check-context.js';
import type { FormulaArithmeticOperator, Formula } from './formula.js';
import {
  isAnyNullable,
  type FormulaType,
  createTypedLiteral,
  canBeZero,
  createTypedExpression,
  type TypedExpression,
  type TypedNode,
} from './typed-expression.js';
import { isNumberOrNull } from './types.js';

type FormulaOf<Kind extends Formula['kind']> = Formula & { readonly kind: Kind };

export const checkLogic = (
  context: CheckContext,
  formula: FormulaOf<'not' | 'and' | 'or'>,
  check: CheckSubformula,
): CheckResult => {
  const formulas = formula.kind === 'not' ? [formula.operand] : formula.operands;
  const operands = allDefinedOrUndefined(
    formulas.map((part) => expectType(context, part, 'boolean', formula.kind)(check(context, part))),
  );
  const [operand] = operands ?? [];
  if (!operands || !operand) return undefined;
  const node: TypedNode = formula.kind === 'not' ? { kind: 'not', operand } : { kind: formula.kind, operands };
  return createTypedExpression(node, 'boolean', isAnyNullable(operands), operands);
};

export const checkNegation = (
  context: CheckContext,
  formula: FormulaOf<'negate'>,
  check: CheckSubformula,
): CheckResult => {
  const operand = check(context, formula.operand);
  if (!operand) return undefined;
  if (!isNumberOrNull(operand.type) && operand.type !== 'interval')
    return refuseFormula(context, formula, 'type', `A sign needs a number, but this is ${withArticle(operand.type)}.`);
  const { type, nullable } = operand.type === 'null' ? convertToType(operand, 'integer') : operand;
  return createTypedExpression({ kind: 'negate', operand: convertToType(operand, type) }, type, nullable, [operand]);
};

export const checkComparison = (
  context: CheckContext,
  formula: FormulaOf<'comparison'>,
  check: CheckSubformula,
): CheckResult => {
  const formulas = [formula.left, formula.right];
  const operands = unifyTypes(
    context,
    formulas,
    formulas.map((part) => check(context, part)),
  );
  const [left, right] = operands ?? [];
  if (!operands || !left || !right) return undefined;
  if (left.type === 'boolean' && formula.operator !== '=' && formula.operator !== '<>')
    return refuseFormula(
      context,
      formula.right,
      'type',
      `Booleans have no order; expected = or <>, not ${formula.operator}.`,
    );
  return createTypedExpression(
    { kind: 'comparison', operator: formula.operator, left, right },
    'boolean',
    isAnyNullable(operands),
    operands,
  );
};

export const checkBetweenOperator = (
  context: CheckContext,
  formula: FormulaOf<'between'>,
  check: CheckSubformula,
): CheckResult => {
  const formulas = [formula.operand, formula.low, formula.high];
  const operands = unifyTypes(
    context,
    formulas,
    formulas.map((part) => check(context, part)),
  );
  const [operand, low, high] = operands ?? [];
  if (!operands || !operand || !low || !high) return undefined;
  if (operand.type === 'boolean')
    return refuseFormula(context, formula, 'type', 'Booleans have no order, so nothing is between them.');
  return createTypedExpression(
    { kind: 'between', operand, low, high, negated: formula.negated },
    'boolean',
    isAnyNullable(operands),
    operands,
  );
};

/** The values of a list are written out, so that they are one parameter. */
export const checkInOperator = (
  context: CheckContext,
  formula: FormulaOf<'in'>,
  check: CheckSubformula,
): CheckResult => {
  const values = formula.items.map((item) => checkItem(context, item, check));
  const [operand, ...items] =
    unifyTypes(context, [formula.operand, ...formula.items], [check(context, formula.operand), ...values]) ?? [];
  if (!operand) return undefined;
  const valueType = items.some(({ type }) => type === 'float') ? 'float' : (items[0]?.type ?? operand.type);
  const node: TypedNode = {
    kind: 'in',
    operand,
    values: items.flatMap(valueOf),
    valueType,
    negated: formula.negated,
  };
  return createTypedExpression(node, 'boolean', operand.nullable, [operand, ...items]);
};

const checkItem = (context: CheckContext, item: Formula, check: CheckSubformula): CheckResult => {
  if (item.kind === 'null')
    return refuseFormula(context, item, 'type', 'A list holds no null, which equals nothing; write "is null".');
  const signed = item.kind === 'negate' ? item.operand : item;
  const written = signed.kind === 'number' || (item === signed && ['string', 'boolean', 'moment'].includes(item.kind));
  if (!written) return refuseFormula(context, item, 'type', 'A list holds written values only; compare with = and or.');
  const value = check(context, signed);
  return item === signed || value?.kind !== 'literal' || typeof value.value !== 'string'
    ? value
    : createTypedLiteral(`-${value.value}`, value.type);
};

const valueOf = (item: TypedExpression): readonly (string | boolean)[] =>
  item.kind === 'literal' && item.value !== null ? [item.value] : [];

export const checkLikeOperator = (
  context: CheckContext,
  formula: FormulaOf<'like'>,
  check: CheckSubformula,
): CheckResult => {
  const operand = expectType(context, formula.operand, 'string', 'like')(check(context, formula.operand));
  const { pattern } = formula;
  if (pattern.kind !== 'string')
    return refuseFormula(context, pattern, 'type', "like needs a written text, e.g. 'A%'.");
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(pattern.text))
    return refuseFormula(context, pattern, 'type', 'The pattern ends in an escape (\\) that escapes nothing.');
  const node: TypedNode | undefined = operand && {
    kind: 'like',
    operand,
    pattern: pattern.text,
    negated: formula.negated,
  };
  return operand && node && createTypedExpression(node, 'boolean', operand.nullable, [operand]);
};

export const checkArithmetic = (
  context: CheckContext,
  formula: FormulaOf<'arithmetic'>,
  check: CheckSubformula,
): CheckResult => {
  const operands = allDefinedOrUndefined([check(context, formula.left), check(context, formula.right)]);
  const [left, right] = operands ?? [];
  if (!operands || !left || !right) return undefined;
  const { operator } = formula;
  const found = resultOf(operator, left.type, right.type);
  if (!found) {
    const hint = operator === '+' && [left.type, right.type].includes('string') ? ' Texts are joined by ||.' : '';
    const message = `${withArticle(left.type)} ${operator} ${withArticle(right.type)} means nothing.${hint}`;
    return refuseFormula(context, formula.right, 'type', message.charAt(0).toUpperCase() + message.slice(1));
  }
  const parts = [convertToType(left, found.left), convertToType(right, found.right)] as const;
  const repeated = movesByColumn(found, parts) ? [...parts, ...parts] : parts;
  const node: TypedNode = { kind: 'arithmetic', operator, left: parts[0], right: parts[1] };
  const divides = operator === '/' || operator === '%';
  const nullable = (divides && canBeZero(parts[1])) || repeated !== parts || isAnyNullable(parts);
  return createTypedExpression(node, found.type, nullable, repeated);
};

type Arithmetic = { readonly left: FormulaType; readonly right: FormulaType; readonly type: FormulaType };

/** A date that is moved by something else than a written number is checked for leaving the calendar. */
const movesByColumn = ({ type }: Arithmetic, [left, right]: readonly [TypedExpression, TypedExpression]): boolean =>
  type === 'date' && [left, right].some((part) => part.type === 'integer' && part.kind !== 'literal');

/** The types that the operands become, and that of the result. */
const resultOf = (
  operator: FormulaArithmeticOperator,
  left: FormulaType,
  right: FormulaType,
): Arithmetic | undefined => {
  if (operator === '||')
    return [left, right].every((type) => type === 'string' || type === 'null')
      ? { left: 'string', right: 'string', type: 'string' }
      : undefined;
  if (isNumberOrNull(left) && isNumberOrNull(right)) {
    const type = operator === '/' || left === 'float' || right === 'float' ? 'float' : 'integer';
    return { left: left === 'null' ? type : left, right: right === 'null' ? type : right, type };
  }
  if (operator !== '+' && operator !== '-') return undefined;
  return operator === '+'
    ? (shiftedMoment(left, right) ?? swapOperands(shiftedMoment(right, left)))
    : (shiftedMoment(left, right) ?? typeOfDifference(left, right));
};

/** A date moved by days, or a moment by an interval. */
const shiftedMoment = (from: FormulaType, by: FormulaType): Arithmetic | undefined => {
  if (from === 'date' && (by === 'integer' || by === 'null')) return { left: 'date', right: 'integer', type: 'date' };
  if (by !== 'interval') return undefined;
  if (from === 'date') return { left: 'datetime', right: by, type: 'datetime' };
  return from === 'datetime' || from === 'timestamp' || from === by ? { left: from, right: by, type: from } : undefined;
};

const swapOperands = (found: Arithmetic | undefined): Arithmetic | undefined =>
  found && { left: found.right, right: found.left, type: found.type };

const typeOfDifference = (left: FormulaType, right: FormulaType): Arithmetic | undefined => {
  if (left === 'date' && right === 'date') return { left, right, type: 'integer' };
  const common = [left, right].every(isDateType)
    ? dateTypes.findLast((type) => type === left || type === right)
    : undefined;
  return common && { left: common, right: common, type: 'interval' };
};
