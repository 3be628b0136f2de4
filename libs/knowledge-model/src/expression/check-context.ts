/**
 * What the checks of a formula share: its scope, its faults, and the ways to say that a type does not fit.
 * A checked part that has a fault is undefined; the fault is noted once, where it is.
 */
import { findNearestName } from '@tessera/failures';
import { type ExpressionFault, createExpressionFault } from '@tessera/filter';
import type { FindToOneRecords } from '../model/to-one-records.js';
import type { Formula } from './formula.js';
import { momentExamples, parseMoment } from './moments.js';
import {
  type FormulaType,
  createTypedLiteral,
  createTypedExpression,
  type TypedExpression,
} from './typed-expression.js';
import { findCommonType, isMomentType } from './types.js';

/** What a name stands for; `faulty` when it is known and has faults of its own. */
export type NameResolution =
  | { readonly kind: 'found'; readonly expression: TypedExpression }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'unknown'; readonly message: string; readonly suggestion?: string };

export type FormulaName = { readonly record?: string; readonly id: string };

export type FormulaScope = {
  readonly meaningOf: (name: FormulaName) => NameResolution;
  /** The ids of the records of the model. */
  readonly records: readonly string[];
  /** By id; undefined when the value has a fault. */
  readonly parameters: ReadonlyMap<string, TypedExpression | undefined>;
  /** A KPI has one value for many rows; the formula of a field has one for each. */
  readonly aggregates: boolean;
  readonly toOneRecords: FindToOneRecords;
};

export type CheckContext = {
  readonly scope: FormulaScope;
  readonly faults: ExpressionFault[];
  /** The records read so far by the aggregate around. */
  readonly reads?: Set<string>;
};

/** Undefined when a fault was noted. */
export type CheckResult = TypedExpression | undefined;
export type CheckSubformula = (context: CheckContext, formula: Formula) => CheckResult;

export const refuseFormula = (
  context: CheckContext,
  { start }: { readonly start: number },
  rule: string,
  message: string,
  suggestion?: string,
): undefined => {
  context.faults.push(createExpressionFault(start, rule, message, suggestion));
  return undefined;
};

export const refuseUnknownName = (
  context: CheckContext,
  at: { readonly start: number },
  what: string,
  name: string,
  known: readonly string[],
): undefined => {
  const suggestion = findNearestName(name, known);
  const list =
    suggestion === undefined && known.length > 0 && known.length <= 20 ? `; expected one of ${known.join(', ')}` : '';
  return refuseFormula(context, at, 'unknown', `Unknown ${what} "${name}"${list}.`, suggestion);
};

/** All of them, or undefined when one has a fault. */
export const allDefinedOrUndefined = (parts: readonly CheckResult[]): readonly TypedExpression[] | undefined => {
  const fine = parts.filter((part) => part !== undefined);
  return fine.length === parts.length ? fine : undefined;
};

export const withArticle = (type: FormulaType): string => {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/** The value as that type; what was checked by `unify` or is of the type or null. */
export const convertToType = (value: TypedExpression, type: FormulaType): TypedExpression => {
  if (value.type === type || (value.type === 'integer' && type === 'float')) return value;
  if (value.kind === 'literal' && value.value === null) return createTypedLiteral(null, type);
  if (value.kind === 'literal' && typeof value.value === 'string' && isMomentType(type) && isMomentType(value.type))
    return createTypedLiteral(parseMoment(type, value.value) ?? value.value, type);
  return createTypedExpression({ kind: 'cast', operand: value }, type, value.nullable, [value]);
};

/** The value, when it is of the type; a text that reads as a date is one where a date is needed. */
export const expectType =
  (context: CheckContext, formula: Formula, type: FormulaType, what: string): ((value: CheckResult) => CheckResult) =>
  (value) => {
    if (!value) return undefined;
    if (value.type === type || value.type === 'null' || (value.type === 'integer' && type === 'float'))
      return convertToType(value, type);
    const message = `${what} needs ${withArticle(type)}, but this is ${withArticle(value.type)}.`;
    return refuseFormula(context, formula, 'type', message);
  };

/** All values as their common type; a fault names the first that does not go with those before it. */
export const unifyTypes = (
  context: CheckContext,
  formulas: readonly Formula[],
  values: readonly CheckResult[],
): readonly TypedExpression[] | undefined => {
  const fine = allDefinedOrUndefined(values);
  const read = fine && allDefinedOrUndefined(readTexts(context, formulas, fine));
  if (!read) return undefined;
  const type = findCommonType(read.map((value) => value.type));
  if (type !== undefined) return read.map((value) => convertToType(value, type));
  const types = read.map((value) => value.type);
  const wrong = types.findIndex((_, at) => findCommonType(types.slice(0, at + 1)) === undefined);
  const before = findCommonType(types.slice(0, wrong)) ?? 'null';
  const message = `This is ${withArticle(types[wrong] ?? 'null')}, which does not go with ${withArticle(before)} before it.`;
  return refuseFormula(context, formulas[wrong] ?? { start: 0 }, 'type', message);
};

/** Beside dates, texts as written are dates. */
const readTexts = (
  context: CheckContext,
  formulas: readonly Formula[],
  values: readonly TypedExpression[],
): readonly CheckResult[] => {
  const moment = values.map(({ type }) => type).find(isMomentType);
  if (!moment) return values;
  return values.map((value, at) => {
    if (value.type !== 'string' || value.kind !== 'literal' || typeof value.value !== 'string') return value;
    const text = parseMoment(moment, value.value);
    if (text !== undefined) return createTypedLiteral(text, moment);
    const message = `This is no ${moment}; expected e.g. '${momentExamples[moment]}'.`;
    return refuseFormula(context, formulas[at] ?? { start: 0 }, 'type', message);
  });
};
