/**
 * What the checks of a formula share: its scope, its faults, and the ways to say that a type does not fit.
 * A checked part that has a fault is undefined; the fault is noted once, where it is.
 */
import { nearestName } from '@tessera/failures';
import { type ExpressionFault, faultAt } from '@tessera/filter';
import type { OneRowAway } from '../model/to-one-records.js';
import type { Formula } from './formula.js';
import { momentExamples, readMoment } from './moments.js';
import { type FormulaType, literal, typedExpression, type TypedExpression } from './typed-expression.js';
import { commonType, isMoment } from './types.js';

/** What a name stands for; `faulty` when it is known and has faults of its own. */
export type NameMeaning =
  | { readonly kind: 'found'; readonly expression: TypedExpression }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'unknown'; readonly message: string; readonly suggestion?: string };

export type FormulaName = { readonly record?: string; readonly id: string };

export type FormulaScope = {
  readonly meaningOf: (name: FormulaName) => NameMeaning;
  /** The ids of the records of the model. */
  readonly records: readonly string[];
  /** By id; undefined when the value has a fault. */
  readonly parameters: ReadonlyMap<string, TypedExpression | undefined>;
  /** A KPI has one value for many rows; the formula of a field has one for each. */
  readonly aggregates: boolean;
  readonly toOneRecords: OneRowAway;
};

export type CheckContext = {
  readonly scope: FormulaScope;
  readonly faults: ExpressionFault[];
  /** The records read so far by the aggregate around. */
  readonly reads?: Set<string>;
};

/** Undefined when a fault was noted. */
export type CheckResult = TypedExpression | undefined;
export type CheckPart = (context: CheckContext, formula: Formula) => CheckResult;

export const refuse = (
  context: CheckContext,
  { start }: { readonly start: number },
  rule: string,
  message: string,
  suggestion?: string,
): undefined => {
  context.faults.push(faultAt(start, rule, message, suggestion));
  return undefined;
};

export const refuseUnknown = (
  context: CheckContext,
  at: { readonly start: number },
  what: string,
  name: string,
  known: readonly string[],
): undefined => {
  const suggestion = nearestName(name, known);
  const list =
    suggestion === undefined && known.length > 0 && known.length <= 20 ? `; expected one of ${known.join(', ')}` : '';
  return refuse(context, at, 'unknown', `Unknown ${what} "${name}"${list}.`, suggestion);
};

/** All of them, or undefined when one has a fault. */
export const allOf = (parts: readonly CheckResult[]): readonly TypedExpression[] | undefined => {
  const fine = parts.filter((part) => part !== undefined);
  return fine.length === parts.length ? fine : undefined;
};

export const withArticle = (type: FormulaType): string => {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
};

/** The value as that type; what was checked by `unify` or is of the type or null. */
export const widen = (value: TypedExpression, type: FormulaType): TypedExpression => {
  if (value.type === type || (value.type === 'integer' && type === 'float')) return value;
  if (value.kind === 'literal' && value.value === null) return literal(null, type);
  if (value.kind === 'literal' && typeof value.value === 'string' && isMoment(type) && isMoment(value.type))
    return literal(readMoment(type, value.value) ?? value.value, type);
  return typedExpression({ kind: 'cast', operand: value }, type, value.nullable, [value]);
};

/** The value, when it is of the type; a text that reads as a date is one where a date is needed. */
export const expectType =
  (context: CheckContext, formula: Formula, type: FormulaType, what: string): ((value: CheckResult) => CheckResult) =>
  (value) => {
    if (!value) return undefined;
    if (value.type === type || value.type === 'null' || (value.type === 'integer' && type === 'float'))
      return widen(value, type);
    const message = `${what} needs ${withArticle(type)}, but this is ${withArticle(value.type)}.`;
    return refuse(context, formula, 'type', message);
  };

/** All values as their common type; a fault names the first that does not go with those before it. */
export const unify = (
  context: CheckContext,
  formulas: readonly Formula[],
  values: readonly CheckResult[],
): readonly TypedExpression[] | undefined => {
  const fine = allOf(values);
  const read = fine && allOf(readTexts(context, formulas, fine));
  if (!read) return undefined;
  const type = commonType(read.map((value) => value.type));
  if (type !== undefined) return read.map((value) => widen(value, type));
  const types = read.map((value) => value.type);
  const wrong = types.findIndex((_, at) => commonType(types.slice(0, at + 1)) === undefined);
  const before = commonType(types.slice(0, wrong)) ?? 'null';
  const message = `This is ${withArticle(types[wrong] ?? 'null')}, which does not go with ${withArticle(before)} before it.`;
  return refuse(context, formulas[wrong] ?? { start: 0 }, 'type', message);
};

/** Beside dates, texts as written are dates. */
const readTexts = (
  context: CheckContext,
  formulas: readonly Formula[],
  values: readonly TypedExpression[],
): readonly CheckResult[] => {
  const moment = values.map(({ type }) => type).find(isMoment);
  if (!moment) return values;
  return values.map((value, at) => {
    if (value.type !== 'string' || value.kind !== 'literal' || typeof value.value !== 'string') return value;
    const text = readMoment(moment, value.value);
    if (text !== undefined) return literal(text, moment);
    const message = `This is no ${moment}; expected e.g. '${momentExamples[moment]}'.`;
    return refuse(context, formulas[at] ?? { start: 0 }, 'type', message);
  });
};
