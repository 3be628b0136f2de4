/**
 * What a filter on data says of one row, a second time: the tree of its text is walked over values in plain TypeScript.
 * Null is a value: only `eq null` and `ne` hold for it.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { type DataExpression, type DataField, type DataLiteral, parseDataFilters } from '@tessera/filter';
import { isMomentValue, isRational, compareValues, valueToText, type FormulaValue } from '../evaluate.js';
import * as numbers from '../rational.js';
import { evaluateValue, namesInValue, evaluateLiteral } from './evaluate-value.js';

export type ConditionScope = {
  readonly valueOf: (name: string) => FormulaValue;
  readonly typeOf: (name: string) => ValueType;
  /** The texts of an attribute of the caller; undefined when it has none. */
  readonly attribute?: (name: string) => readonly string[] | undefined;
};

const parsedFilters = new Map<string, readonly DataExpression[]>();

/** The expressions that a text holds. */
export const parseSampleFilters = (text: string): readonly DataExpression[] => {
  const known = parsedFilters.get(text);
  if (known) return known;
  const parsed = parseDataFilters([text], { callerAttributes: true });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`);
  const expressions = parsed.value.map(({ expression }) => expression);
  parsedFilters.set(text, expressions);
  return expressions;
};

export const parseSampleFilter = (text: string): DataExpression => {
  const [expression] = parseSampleFilters(text);
  if (!expression) throw new Error('There is no filter.');
  return expression;
};

/** Conditions that all have to hold. */
export const conjunctsOf = (expression: DataExpression): readonly DataExpression[] =>
  expression.kind === 'and' ? expression.operands.flatMap(conjunctsOf) : [expression];

/** What compares something: what `and`, `or` and `not` are made of. */
type Leaf = DataExpression & { readonly kind: 'compare' | 'in' | 'match' };

const leavesOf = (expression: DataExpression): readonly Leaf[] => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands.flatMap(leavesOf);
    case 'not':
      return leavesOf(expression.operand);
    case 'compare':
    case 'in':
    case 'match':
      return [expression];
    case 'any':
      throw new Error('Related rows are not looked through here.');
  }
};

export const namesInFilter = (expression: DataExpression): readonly string[] =>
  leavesOf(expression).flatMap(({ field }) => (field.value ? namesInValue(field.value) : [field.name]));

/** Whether it holds; nothing does when what it asks of the caller is not known or does not fit. */
export const isConditionMet = (expression: DataExpression, scope: ConditionScope): boolean =>
  leavesOf(expression).every((leaf) => isAnswerable(leaf, scope)) && isTrue(expression, scope);

const isTrue = (expression: DataExpression, scope: ConditionScope): boolean => {
  switch (expression.kind) {
    case 'and':
      return expression.operands.every((operand) => isTrue(operand, scope));
    case 'or':
      return expression.operands.some((operand) => isTrue(operand, scope));
    case 'not':
      return !isTrue(expression.operand, scope);
    case 'compare':
    case 'in':
    case 'match':
      return matchesComparison(expression, scope);
    case 'any':
      throw new Error('Related rows are not looked through here.');
  }
};

const matchesComparison = (leaf: Leaf, scope: ConditionScope): boolean => {
  const { field } = leaf;
  const literals = leaf.kind === 'in' ? leaf.literals : [leaf.literal];
  const value = field.value ? evaluateValue(field.value, scope.valueOf) : applied(field, scope.valueOf(field.name));
  const values = field.value
    ? literals.map(evaluateLiteral)
    : literals.flatMap((literal) => readLiteral(literal, requestedType(field, scope), scope) ?? []);
  if (leaf.kind === 'compare' && leaf.literal.kind === 'null')
    return leaf.operator === 'eq' ? value === null : leaf.operator === 'ne' && value !== null;
  if (value === null) return leaf.kind === 'compare' && leaf.operator === 'ne';
  const signs = values.map((one) => compareValues(value, one));
  if (leaf.kind === 'in') return signs.includes(0);
  if (leaf.kind === 'match') return matches(leaf.function, valueToText(value), valueToText(values[0] ?? null));
  if (leaf.operator === 'eq') return signs.includes(0);
  if (leaf.operator === 'ne') return !signs.includes(0);
  const [sign = 0] = signs;
  return { gt: sign > 0, ge: sign >= 0, lt: sign < 0, le: sign <= 0 }[leaf.operator];
};

const matches = (kind: 'contains' | 'startswith' | 'endswith', text: string, part: string): boolean => {
  if (kind === 'contains') return text.includes(part);
  return kind === 'startswith' ? text.startsWith(part) : text.endsWith(part);
};

const isAnswerable = (leaf: Leaf, scope: ConditionScope): boolean => {
  const literals = leaf.kind === 'in' ? leaf.literals : [leaf.literal];
  const takesOne = leaf.kind === 'match' || (leaf.kind === 'compare' && !['eq', 'ne'].includes(leaf.operator));
  return literals.every((literal) => {
    if (literal.kind !== 'caller') return true;
    const values = readLiteral(literal, requestedType(leaf.field, scope), scope);
    return values !== undefined && (!takesOne || values.length === 1);
  });
};

const requestedType = ({ name, applied: functions }: DataField, { typeOf }: ConditionScope): ValueType =>
  functions.some((called) => called !== 'tolower' && called !== 'toupper') ? 'integer' : typeOf(name);

const applied = ({ applied: functions }: DataField, start: FormulaValue): FormulaValue => {
  let value = start;
  for (const called of functions) {
    if (value === null) return null;
    const text = typeof value === 'string' ? value : dayOf(value);
    if (called === 'tolower') value = text.toLowerCase();
    else if (called === 'toupper') value = text.toUpperCase();
    else if (called === 'length') value = numbers.createRational(BigInt([...text].length));
    else value = numbers.parseRational({ year: text.slice(0, 4), month: text.slice(5, 7), day: text.slice(8) }[called]);
  }
  return value;
};

const dayOf = (value: FormulaValue): string => {
  if (value === null || typeof value !== 'object' || !('at' in value)) throw new Error('This is no date.');
  return new Date(value.at * 86_400_000).toISOString().slice(0, 10);
};

/** One value, several of an attribute of the caller, undefined when it is not there or does not fit. */
const readLiteral = (
  { kind, text }: DataLiteral,
  type: ValueType,
  { attribute }: ConditionScope,
): readonly FormulaValue[] | undefined => {
  if (kind === 'null') return [];
  const texts = kind === 'caller' ? attribute?.(text) : [text];
  const values = texts?.map((one) => valueOfText(one, type));
  return values?.every((value) => value !== undefined) ? values : undefined;
};

/** As literals of a filter are written: numbers without sign `+` or exponent. */
export const valueOfText = (text: string, type: ValueType): FormulaValue | undefined => {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'float':
      return /^-?\d+(\.\d+)?$/.test(text) ? numbers.parseRational(text) : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? { kind: 'date', at: Date.parse(text) / 86_400_000 } : undefined;
    case 'time':
    case 'datetime':
    case 'timestamp':
      throw new Error(`A ${type} is not compared here.`);
  }
};

/** Of what has no declared type: the value says it, and nothing is compared with null. */
export const typeOfValue = (value: FormulaValue): ValueType => {
  if (isRational(value)) return 'float';
  if (isMomentValue(value)) return 'date';
  return typeof value === 'boolean' ? 'boolean' : 'string';
};
