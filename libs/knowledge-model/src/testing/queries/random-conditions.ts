/**
 * Random filters over fields and KPIs, as text, near enough to the values of random rows to match often.
 */
import { reservedWords } from '@tessera/filter';
import type { RandomChoices } from './choices.js';
import type { SampleType } from './random-model.js';
import { sampleValuesByType } from './random-rows.js';

/** `name`: as filters name it. */
export type FilterOperand = { readonly name: string; readonly type: SampleType };

const orders = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'not eq', 'ge', 'ne', 'le'];

/** Attributes of the caller that conditions may compare with; only policies do. */
const callerAttributes = ['tags', 'numbers', 'one', 'none', 'missing', 'odd'];

export type ConditionOptions = {
  readonly withCaller?: boolean;
  /** Filters compare texts in the order of their column, which is not known here. */
  readonly areTextsUnordered?: boolean;
};

export const createRandomFilter = (
  choices: RandomChoices,
  operands: readonly FilterOperand[],
  options: ConditionOptions = {},
  depth = 0,
): string => {
  const inner = (): string => `(${createRandomFilter(choices, operands, options, depth + 1)})`;
  const kind = depth > 2 ? 0 : choices.below(8);
  if (kind < 5) return createRandomCondition(choices, choices.oneOf(operands), options);
  if (kind === 5) return `not ${inner()}`;
  return `${inner()} ${kind === 6 ? 'and' : 'or'} ${inner()}`;
};

export const createRandomCondition = (
  choices: RandomChoices,
  operand: FilterOperand,
  { withCaller = false, areTextsUnordered = false }: ConditionOptions = {},
): string => {
  const { name, type } = operand;
  const literal = (): string => literalOf(choices, type);
  const isUnordered = type === 'boolean' || (type === 'string' && areTextsUnordered);
  const order = choices.oneOf(isUnordered ? ['eq', 'ne'] : orders);
  if (withCaller && choices.chance(35)) {
    const fitting = type === 'string' ? 'tags' : type === 'integer' ? 'numbers' : 'none';
    const attribute = `caller.${choices.chance(60) ? fitting : choices.oneOf(callerAttributes)}`;
    return `${name} ${choices.oneOf(['in', order === 'not eq' ? 'ne' : order])} ${attribute}`;
  }
  const form = choices.below(12);
  if (form < 5) return `${name} ${order} ${literal()}`;
  if (form < 7) return `${name} ${choices.oneOf(['eq null', 'ne null', 'is null', 'is not null'])}`;
  if (form < 9 || choices.chance(60)) return `${name} ${choices.oneOf(['in', 'not in'])} (${literal()}, ${literal()})`;
  if (type === 'string') return textCondition(choices, name, literal());
  if (type === 'date')
    return `${choices.oneOf(['year', 'month', 'day'])}(${name}) ${order} ${choices.oneOf(['2024', '2', '31'])}`;
  return type === 'boolean' ? `${name} eq null` : `${name} gt null`;
};

const textCondition = (choices: RandomChoices, name: string, text: string): string => {
  const form = choices.below(5);
  if (form < 3) return `${['contains', 'startswith', 'endswith'][form]}(${name}, ${text})`;
  return form === 3 ? `tolower(${name}) eq ${text}` : `length(${name}) ge 1`;
};

const literalOf = (choices: RandomChoices, type: SampleType): string => {
  const value = choices.oneOf(choices.chance(60) ? sampleValuesByType[type].slice(0, 3) : sampleValuesByType[type]);
  if (type === 'string') return `'${value.replaceAll("'", "''")}'`;
  return choices.chance(20) ? `'${value}'` : value;
};

/** A field of the record that is asked is named alone where it may be. */
export const printFilterName = (
  choices: RandomChoices,
  level: string | undefined,
  record: string,
  id: string,
): string => (level === record && !reservedWords.has(id) && choices.chance(60) ? id : `${record}.${id}`);
