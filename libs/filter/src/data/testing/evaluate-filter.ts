/**
 * What a filter means, a second time and in another way: rows are tested one by one in plain TypeScript. Moments are text
 * of one form, cut to the length of the literal; numbers are whole numbers of the smallest unit that occurs.
 */
import type { MatchFunction, ValueFunction } from '../../expression.js';
import { sampleFields, type SampleRow } from './sample-table.js';

/** A literal as it is written, without quotes, and whether it is written in quotes although it need not be. */
export type SampleLiteral = { readonly text: string; readonly isQuoted: boolean };

/** `spelling` chooses among the ways to write the same. */
export type SampleFilter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SampleFilter[]; readonly spelling: number }
  | { readonly kind: 'not'; readonly operand: SampleFilter; readonly spelling: number }
  | {
      readonly kind: 'compare';
      readonly operator: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
      readonly field: string;
      readonly applied?: ValueFunction;
      readonly literal: SampleLiteral | null;
      readonly spelling: number;
    }
  | {
      readonly kind: 'in';
      readonly field: string;
      readonly applied?: ValueFunction;
      readonly literals: readonly SampleLiteral[];
      readonly spelling: number;
    }
  | {
      readonly kind: 'match';
      readonly function: MatchFunction;
      readonly field: string;
      readonly applied?: ValueFunction;
      readonly literal: SampleLiteral;
      readonly spelling: number;
    };

export const matchesFilter = (filter: SampleFilter, row: SampleRow): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => matchesFilter(operand, row));
    case 'or':
      return filter.operands.some((operand) => matchesFilter(operand, row));
    case 'not':
      return !matchesFilter(filter.operand, row);
    case 'compare':
      return matchesComparison(filter, row);
    case 'in': {
      const order = orderOf(filter, row);
      return order !== undefined && filter.literals.some((literal) => order(literal) === 0);
    }
    case 'match': {
      const value = valueOf(filter, row);
      const { text } = filter.literal;
      if (value === null) return false;
      const at = {
        contains: value.indexOf(text),
        startswith: value.startsWith(text) ? 0 : -1,
        endswith: value.endsWith(text) ? 0 : -1,
      };
      return at[filter.function] >= 0;
    }
  }
};

type RequestedField = { readonly field: string; readonly applied?: ValueFunction };

const matchesComparison = (filter: SampleFilter & { kind: 'compare' }, row: SampleRow): boolean => {
  const order = orderOf(filter, row);
  const { operator, literal } = filter;
  if (literal === null) return operator === 'eq' ? order === undefined : operator === 'ne' && order !== undefined;
  if (order === undefined) return operator === 'ne';
  const sign = order(literal);
  return { eq: sign === 0, ne: sign !== 0, gt: sign > 0, ge: sign >= 0, lt: sign < 0, le: sign <= 0 }[operator];
};

const valueOf = ({ field, applied }: RequestedField, row: SampleRow): string | null => {
  const value = row[field] ?? null;
  if (value === null) return null;
  const text = String(value);
  if (applied === undefined) return text;
  switch (applied) {
    case 'tolower':
      return text.toLowerCase();
    case 'toupper':
      return text.toUpperCase();
    case 'length':
      return String([...text].length);
    case 'year':
      return text.slice(0, 4);
    case 'month':
      return text.slice(5, 7);
    case 'day':
      return text.slice(8, 10);
  }
};

/** How the row's value stands to a literal: negative, 0 or positive; undefined when there is no value. */
const orderOf = (asked: RequestedField, row: SampleRow): ((literal: SampleLiteral) => number) | undefined => {
  const value = valueOf(asked, row);
  if (value === null) return undefined;
  const { type, sqlType } = sampleFields.get(asked.field) ?? { type: 'string', sqlType: '' };
  if (asked.applied !== undefined && asked.applied !== 'tolower' && asked.applied !== 'toupper')
    return ({ text }) => signOf(unitsOf(value) - unitsOf(text));
  switch (type) {
    case 'string':
      return ({ text }) => orderOfTexts(value, text);
    case 'boolean':
      return ({ text }) => (value === text ? 0 : 1);
    case 'integer':
      return ({ text }) => signOf(unitsOf(value) - unitsOf(text));
    case 'float':
      return sqlType === 'numeric'
        ? ({ text }) => signOf(unitsOf(value) - unitsOf(text))
        : ({ text }) => Math.sign(Number(value) - Number(text));
    case 'date':
      return ({ text }) => orderOfTexts(value, utcOf(text).replace(/T.*$/, ''));
    case 'time':
      return ({ text }) => orderOfTexts(value.slice(0, text.length), text);
    case 'datetime':
    case 'timestamp':
      return ({ text }) => {
        const inUtc = utcOf(text);
        return orderOfTexts(value.slice(0, inUtc.length), inUtc);
      };
  }
};

/** By code points. */
const orderOfTexts = (left: string, right: string): number => {
  const [a, b] = [[...left], [...right]];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

const unitDigits = 40;

/** In units of 10^-40: `-12.5e1` is -125 * 10^40. */
const unitsOf = (text: string): bigint => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace('+', '').split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const units = BigInt(whole + fraction) * 10n ** BigInt(unitDigits + Number(exponent) - fraction.length);
  return mantissa.startsWith('-') ? -units : units;
};

const signOf = (difference: bigint): number => (difference > 0n ? 1 : difference < 0n ? -1 : 0);

/** The literal at the same precision without zone: a zone only moves what stands before the seconds. */
const utcOf = (text: string): string => {
  const [, day = '', minute, rest = '', zone] = /^(.{10})(?:T(.{5})(:[\d.]+)?)?(Z|[+-].{5})?$/.exec(text) ?? [];
  if (minute === undefined) return day;
  return `${new Date(`${day}T${minute}${zone ?? 'Z'}`).toISOString().slice(0, 16)}${rest}`;
};
