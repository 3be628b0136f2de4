/**
 * A formula and what its names stand for -> a typed expression, or every fault of it with its position. A formula of a
 * field has one value per row and no aggregates; a KPI has each field inside exactly one aggregate.
 */
import type { ExpressionFault } from '@tessera/filter';
import { checkCall, checkExtract } from './check-calls.js';
import { checkCase, checkCast } from './check-case-and-cast.js';
import {
  type CheckContext,
  type CheckResult,
  expectType,
  type FormulaScope,
  refuseFormula,
  refuseUnknownName,
  withArticle,
} from './check-context.js';
import {
  checkArithmetic,
  checkBetweenOperator,
  checkComparison,
  checkInOperator,
  checkLikeOperator,
  checkLogic,
  checkNegation,
} from './check-operators.js';
import type { AggregateFunction, Formula } from './formula.js';
import { momentExamples, parseMoment } from './moments.js';
import {
  type FormulaType,
  createTypedLiteral,
  referencedRecords,
  createTypedExpression,
  type TypedExpression,
} from './typed-expression.js';
import { isNumberOrNull } from './types.js';

type FormulaOf<Kind extends Formula['kind']> = Formula & { readonly kind: Kind };

type FormulaCheck =
  | { readonly ok: true; readonly value: TypedExpression }
  | { readonly ok: false; readonly faults: readonly ExpressionFault[] };

/** Without faults and not `ok` when a name stands for something that has faults itself. */
export const checkFormula = (formula: Formula, scope: FormulaScope, weightMax: number): FormulaCheck => {
  const context: CheckContext = { scope, faults: [] };
  const value = checkNode(context, formula);
  if (value) checkResult(context, formula, value, weightMax);
  return value && context.faults.length === 0 ? { ok: true, value } : { ok: false, faults: context.faults };
};

const checkResult = (context: CheckContext, formula: Formula, value: TypedExpression, weightMax: number): void => {
  if (value.type === 'null')
    refuseFormula(context, formula, 'type', 'The type of null is not known; write cast(null as string).');
  if (value.type === 'interval')
    refuseFormula(
      context,
      formula,
      'type',
      'An interval is no value of a field; extract(epoch from ...) gives its seconds.',
    );
  if (value.weight > weightMax)
    refuseFormula(
      context,
      formula,
      'weightMax',
      `With what it names put in, this formula has ${value.weight} parts; at most ${weightMax} are accepted.`,
    );
  else if (context.scope.aggregates && referencedRecords(value).length === 0)
    refuseFormula(
      context,
      formula,
      'aggregate',
      'A KPI aggregates: it has at least one of sum, avg, min, max, count, or names another KPI.',
    );
};

const checkNode = (context: CheckContext, formula: Formula): CheckResult => {
  switch (formula.kind) {
    case 'number':
      return createTypedLiteral(formula.text, /^\d+$/.test(formula.text) ? 'integer' : 'float');
    case 'string':
      return createTypedLiteral(formula.text, 'string');
    case 'boolean':
      return createTypedLiteral(formula.value, 'boolean');
    case 'null':
      return createTypedLiteral(null, 'null');
    case 'moment':
      return checkMoment(context, formula);
    case 'name':
      return checkName(context, formula);
    case 'rows':
      return refuseFormula(context, formula, 'type', `Rows can only be counted: count(${formula.record}.*).`);
    case 'parameter':
      return checkParameter(context, formula);
    case 'not':
    case 'and':
    case 'or':
      return checkLogic(context, formula, checkNode);
    case 'negate':
      return checkNegation(context, formula, checkNode);
    case 'arithmetic':
      return checkArithmetic(context, formula, checkNode);
    case 'comparison':
      return checkComparison(context, formula, checkNode);
    case 'between':
      return checkBetweenOperator(context, formula, checkNode);
    case 'isNull': {
      const operand = checkNode(context, formula.operand);
      return (
        operand &&
        createTypedExpression({ kind: 'isNull', operand, negated: formula.negated }, 'boolean', false, [operand])
      );
    }
    case 'in':
      return checkInOperator(context, formula, checkNode);
    case 'like':
      return checkLikeOperator(context, formula, checkNode);
    case 'case':
      return checkCase(context, formula, checkNode);
    case 'cast':
      return checkCast(context, formula, checkNode);
    case 'extract':
      return checkExtract(context, formula, checkNode);
    case 'call':
      return checkCall(context, formula, checkNode);
    case 'aggregate':
      return checkAggregate(context, formula);
  }
};

const checkMoment = (context: CheckContext, formula: FormulaOf<'moment'>): CheckResult => {
  const text = parseMoment(formula.type, formula.text);
  if (text !== undefined) return createTypedLiteral(text, formula.type);
  return refuseFormula(
    context,
    formula,
    'type',
    `This is no ${formula.type}; expected e.g. ${formula.type} '${momentExamples[formula.type]}'.`,
  );
};

const checkParameter = (context: CheckContext, formula: FormulaOf<'parameter'>): CheckResult => {
  const { parameters } = context.scope;
  return parameters.has(formula.id)
    ? parameters.get(formula.id)
    : refuseUnknownName(context, formula, 'parameter', formula.id, [...parameters.keys()]);
};

const checkName = (context: CheckContext, formula: FormulaOf<'name'>): CheckResult => {
  const meaning = context.scope.meaningOf(formula);
  if (meaning.kind === 'faulty') return undefined;
  if (meaning.kind === 'unknown')
    return refuseFormula(context, formula, 'unknown', meaning.message, meaning.suggestion);
  const { expression } = meaning;
  if (expression.kind === 'kpi') {
    return context.reads
      ? refuseFormula(context, formula, 'aggregate', `${expression.id} is a KPI, which is aggregated already.`)
      : expression;
  }
  if (!context.scope.aggregates || (expression.kind !== 'column' && expression.kind !== 'derived')) return expression;
  if (context.reads) {
    context.reads.add(expression.record);
    return expression;
  }
  const name = `${expression.record}.${expression.field}`;
  return refuseFormula(
    context,
    formula,
    'aggregate',
    `${name} is not aggregated; write e.g. ${isNumberOrNull(expression.type) ? 'sum' : 'count'}(${name}).`,
  );
};

const checkAggregate = (context: CheckContext, formula: FormulaOf<'aggregate'>): CheckResult => {
  if (!context.scope.aggregates)
    return refuseFormula(
      context,
      formula,
      'aggregate',
      `${formula.function} makes one value of many rows; that is for KPIs, a field has a value per row.`,
    );
  if (context.reads)
    return refuseFormula(context, formula, 'aggregate', 'An aggregate cannot stand inside another one.');
  const inside: CheckContext = { ...context, reads: new Set() };
  if (formula.argument.kind === 'rows') return checkRowCount(inside, formula, formula.argument);
  const argument = checkNode(inside, formula.argument);
  const aggregated = [...(inside.reads ?? [])];
  const filter = checkFilter(inside, formula);
  const type = argument && aggregateType(context, formula, argument);
  if (!argument || filter === 'faulty' || !type) return undefined;
  if (inside.reads?.size === 0)
    return refuseFormula(
      context,
      formula,
      'aggregate',
      'This aggregate reads no field, so it is not known which rows it is over.',
    );
  return hasRows(inside, formula, aggregated) ? aggregateOf(inside, formula, type, argument, filter) : undefined;
};

/**
 * Whether one of the records that it reads has the rows, and each of the others one row for each of them. What is
 * aggregated says over which rows; a filter alone must not repeat them.
 */
const hasRows = (inside: CheckContext, formula: FormulaOf<'aggregate'>, aggregated: readonly string[]): boolean => {
  const records = [...(inside.reads ?? [])];
  const leads = (from: string) => records.every((record) => inside.scope.toOneRecords(from).has(record));
  if ((aggregated.length > 0 ? aggregated : records).some(leads)) return true;
  const message = records.some(leads)
    ? `This aggregate is over rows of ${aggregated.join(', ')}, so its filter can only read records that are one row away.`
    : `This aggregate reads ${records.join(', ')}, but none of them has one row of the others for each of its own; no relationships lead there.`;
  refuseFormula(inside, formula, 'join', message);
  return false;
};

const checkRowCount = (
  inside: CheckContext,
  formula: FormulaOf<'aggregate'>,
  { record, start }: FormulaOf<'rows'>,
): CheckResult => {
  if (!inside.scope.records.includes(record))
    return refuseUnknownName(inside, { start }, 'record', record, inside.scope.records);
  if (formula.function !== 'count' || formula.distinct)
    return refuseFormula(inside, { start }, 'type', `Rows can only be counted: count(${record}.*).`);
  inside.reads?.add(record);
  const filter = checkFilter(inside, formula);
  if (filter === 'faulty' || !hasRows(inside, formula, [record])) return undefined;
  return aggregateOf(inside, formula, 'integer', undefined, filter);
};

const checkFilter = (
  inside: CheckContext,
  { filter }: FormulaOf<'aggregate'>,
): TypedExpression | undefined | 'faulty' =>
  filter && (expectType(inside, filter, 'boolean', 'filter')(checkNode(inside, filter)) ?? 'faulty');

const aggregateOf = (
  { reads }: CheckContext,
  formula: FormulaOf<'aggregate'>,
  type: FormulaType,
  argument: TypedExpression | undefined,
  filter: TypedExpression | undefined,
): TypedExpression =>
  createTypedExpression(
    {
      kind: 'aggregate',
      function: formula.function,
      distinct: formula.distinct,
      ...(argument && { argument }),
      ...(filter && { filter }),
      records: [...(reads ?? [])],
    },
    type,
    formula.function !== 'count',
    [argument, filter].filter((part) => part !== undefined),
  );

const aggregateType = (
  context: CheckContext,
  formula: FormulaOf<'aggregate'>,
  { type }: TypedExpression,
): FormulaType | undefined => {
  const name = formula.function;
  if (formula.distinct && name !== 'count')
    return refuseFormula(context, formula, 'type', `distinct is for count; ${name} takes every row.`);
  if (fitsAggregate(name, type)) return name === 'count' ? 'integer' : name === 'avg' ? 'float' : type;
  const hint =
    type === 'boolean' ? ' The rows for which it holds are counted by count(RECORD.*) filter (where ...).' : '';
  return refuseFormula(context, formula.argument, 'type', `There is no ${name} of ${withArticle(type)}.${hint}`);
};

const fitsAggregate = (name: AggregateFunction, type: FormulaType): boolean => {
  if (name === 'count') return true;
  if (name === 'sum' || name === 'avg') return isNumberOrNull(type) && type !== 'null';
  return type !== 'boolean' && type !== 'null' && type !== 'interval';
};
