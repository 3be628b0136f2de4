/**
 * What a formula means, in plain TypeScript: the independent second opinion on what PostgreSQL answers. It reads the
 * formula as it was parsed, knows nothing of types and nothing of SQL, and computes exactly.
 */
import type { Formula } from '../expression/formula.js';
import * as numbers from './rational.js';
import type { Rational } from './rational.js';

/** Dates count days, datetimes seconds, both from 1970. */
type Moment = { readonly kind: 'date' | 'datetime' | 'interval'; readonly at: number };
export type FormulaValue = null | boolean | string | Rational | Moment;
/** What a name stands for, `RECORD.FIELD` when the record is said; a Map is one. */
export type FormulaRow = {
  readonly get: (name: string) => FormulaValue | undefined;
  /** What only a formula over many rows holds. */
  readonly ofRows?: (part: FormulaOf<'aggregate' | 'parameter'>) => FormulaValue;
};
type FormulaOf<Kind extends Formula['kind']> = Formula & { readonly kind: Kind };

const daySeconds = 86_400;

export const evaluateFormula = (formula: Formula, row: FormulaRow): FormulaValue => {
  const of = (part: Formula): FormulaValue => evaluateFormula(part, row);
  switch (formula.kind) {
    case 'number':
      return numbers.parseRational(formula.text);
    case 'string':
      return formula.text;
    case 'boolean':
      return formula.value;
    case 'null':
      return null;
    case 'moment':
      return readMoment(formula);
    case 'name':
      return row.get(formula.record === undefined ? formula.id : `${formula.record}.${formula.id}`) ?? null;
    case 'not':
      return not(asTruthValue(of(formula.operand)));
    case 'negate':
      return onNumbers(numbers.negate)(of(formula.operand));
    case 'arithmetic':
      return arithmetic(formula, of(formula.left), of(formula.right));
    case 'comparison':
      return relate(formula.operator, of(formula.left), of(formula.right));
    case 'and':
      return allTrue(formula.operands.map((part) => asTruthValue(of(part))));
    case 'or':
      return not(allTrue(formula.operands.map((part) => not(asTruthValue(of(part))))));
    case 'isNull':
      return (of(formula.operand) === null) !== formula.negated;
    case 'in': {
      const operand = of(formula.operand);
      if (operand === null) return null;
      return formula.items.some((item) => relate('=', operand, of(item)) === true) !== formula.negated;
    }
    case 'between': {
      const operand = of(formula.operand);
      const inside = allTrue([
        asTruthValue(relate('>=', operand, of(formula.low))),
        asTruthValue(relate('<=', operand, of(formula.high))),
      ]);
      return formula.negated ? not(inside) : inside;
    }
    case 'like':
      return like(formula, of(formula.operand));
    case 'case':
      return of(chosen(formula, of) ?? { kind: 'null', start: 0, end: 0 });
    case 'cast':
      return cast(of(formula.operand), formula.type);
    case 'extract':
      return extract(formula.part, of(formula.operand));
    case 'call':
      return callFunction(formula, formula.arguments.map(of));
    case 'parameter':
    case 'aggregate':
      if (row.ofRows) return row.ofRows(formula);
      throw new Error(`${formula.kind} is not evaluated here.`);
    case 'rows':
      throw new Error(`${formula.kind} is not evaluated here.`);
  }
};

export const isRational = (value: FormulaValue): value is Rational =>
  typeof value === 'object' && value !== null && 'over' in value;
export const isMomentValue = (value: FormulaValue): value is Moment =>
  typeof value === 'object' && value !== null && 'at' in value;
const rationalOf = (value: bigint | number): Rational => numbers.createRational(BigInt(value));

const asTruthValue = (value: FormulaValue): boolean | null => {
  if (value === null || typeof value === 'boolean') return value;
  throw new Error('This is neither true nor false.');
};
const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
const allTrue = (values: readonly (boolean | null)[]): boolean | null =>
  values.includes(false) ? false : values.includes(null) ? null : true;

const onNumbers =
  (compute: (value: Rational) => Rational) =>
  (value: FormulaValue): FormulaValue =>
    isRational(value) ? compute(value) : null;

const secondsOf = ({ kind, at }: Moment): number => (kind === 'date' ? at * daySeconds : at);
const epoch = (text: string): number => Date.parse(text) / 1_000;

const readMoment = ({ type, text }: FormulaOf<'moment'>): Moment => {
  if (type === 'date') return { kind: 'date', at: epoch(`${text}T00:00:00Z`) / daySeconds };
  if (type === 'datetime') return { kind: 'datetime', at: epoch(`${text}Z`) };
  const [amount, unit = ''] = text.split(' ');
  const size = unit.startsWith('day') ? daySeconds : unit.startsWith('hour') ? 3_600 : 60;
  return { kind: 'interval', at: Number(amount) * size };
};

const arithmetic = ({ operator }: FormulaOf<'arithmetic'>, left: FormulaValue, right: FormulaValue): FormulaValue => {
  if (left === null || right === null) return null;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isRational(left) && isRational(right)) return compute(operator, left, right);
  if (isMomentValue(left) && isMomentValue(right)) return shiftMoment(operator, left, right);
  const [date, days] = isMomentValue(left) ? [left, right] : [right, left];
  if (!isMomentValue(date) || !isRational(days)) throw new Error('These do not go together.');
  const by = Number(days.over);
  if (Math.abs(by) > 1_000_000) return null;
  return { kind: 'date', at: date.at + (operator === '-' ? -by : by) };
};

const shiftMoment = (operator: string, left: Moment, right: Moment): FormulaValue => {
  const by = operator === '-' ? -secondsOf(right) : secondsOf(right);
  if (right.kind === 'interval') return { kind: 'datetime', at: secondsOf(left) + by };
  if (left.kind === 'date' && right.kind === 'date') return rationalOf(left.at - right.at);
  return { kind: 'interval', at: secondsOf(left) + by };
};

const compute = (operator: string, left: Rational, right: Rational): Rational | null => {
  switch (operator) {
    case '+':
      return numbers.add(left, right);
    case '-':
      return numbers.add(left, numbers.negate(right));
    case '*':
      return numbers.multiply(left, right);
    case '/':
      return right.over === 0n ? null : numbers.divide(left, right);
    default: {
      if (right.over === 0n) return null;
      const times = rationalOf(numbers.truncate(numbers.divide(left, right)));
      return numbers.add(left, numbers.negate(numbers.multiply(times, right)));
    }
  }
};

/** Texts by code point, false before true. */
export const compareValues = (left: FormulaValue, right: FormulaValue): number => {
  if (isRational(left) && isRational(right)) return numbers.compare(left, right);
  if (isMomentValue(left) && isMomentValue(right)) return secondsOf(left) - secondsOf(right);
  return Buffer.compare(Buffer.from(valueToText(left)), Buffer.from(valueToText(right)));
};

const relate = (operator: string, left: FormulaValue, right: FormulaValue): boolean | null => {
  if (left === null || right === null) return null;
  const ordered = compareValues(left, right);
  switch (operator) {
    case '=':
      return ordered === 0;
    case '<>':
      return ordered !== 0;
    case '<':
      return ordered < 0;
    case '<=':
      return ordered <= 0;
    case '>':
      return ordered > 0;
    default:
      return ordered >= 0;
  }
};

const like = ({ pattern, negated }: FormulaOf<'like'>, value: FormulaValue): FormulaValue => {
  if (typeof value !== 'string' || pattern.kind !== 'string') return null;
  return matches([...value], [...pattern.text]) !== negated;
};

const matches = ([character, ...others]: readonly string[], [wanted, ...rest]: readonly string[]): boolean => {
  if (wanted === undefined) return character === undefined;
  const text = character === undefined ? [] : [character, ...others];
  if (wanted === '%') return matches(text, rest) || (character !== undefined && matches(others, [wanted, ...rest]));
  if (character === undefined) return false;
  if (wanted === '_') return matches(others, rest);
  return wanted === '\\'
    ? character === rest[0] && matches(others, rest.slice(1))
    : character === wanted && matches(others, rest);
};

const chosen = (
  { operand, branches, otherwise }: FormulaOf<'case'>,
  of: (part: Formula) => FormulaValue,
): Formula | undefined =>
  branches.find(({ when }) => (operand ? relate('=', of(operand), of(when)) : of(when)) === true)?.then ?? otherwise;

const isoOf = (moment: Moment): string => new Date(secondsOf(moment) * 1_000).toISOString();

export const valueToText = (value: FormulaValue): string => {
  if (isRational(value)) return String(value.over);
  if (isMomentValue(value)) return isoOf(value).slice(0, value.kind === 'date' ? 10 : 19);
  return String(value);
};

const cast = (value: FormulaValue, type: string): FormulaValue => {
  if (value === null) return null;
  if (type === 'string') return valueToText(value);
  if (type === 'integer') return toInteger(value);
  if (isMomentValue(value)) {
    const at = secondsOf(value);
    return type === 'date' ? { kind: 'date', at: Math.floor(at / daySeconds) } : { kind: 'datetime', at };
  }
  const isDate =
    /^\d{4}-\d\d-\d\d$/.test(valueToText(value)) && !Number.isNaN(epoch(`${valueToText(value)}T00:00:00Z`));
  return isDate ? { kind: 'date', at: epoch(`${valueToText(value)}T00:00:00Z`) / daySeconds } : null;
};

/** PostgreSQL takes blanks around a number and single underscores inside. */
const toInteger = (value: FormulaValue): FormulaValue => {
  if (typeof value === 'boolean') return rationalOf(value ? 1 : 0);
  if (isRational(value)) return numbers.round(value);
  const text = valueToText(value).trim();
  return /^[+-]?\d+(?:_\d+)*$/.test(text) ? rationalOf(BigInt(text.replaceAll(/[+_]/g, ''))) : null;
};

const extract = (part: string, value: FormulaValue): FormulaValue => {
  if (!isMomentValue(value)) return null;
  const date = new Date(secondsOf(value) * 1_000);
  switch (part) {
    case 'year':
      return rationalOf(date.getUTCFullYear());
    case 'month':
      return rationalOf(date.getUTCMonth() + 1);
    case 'day':
      return rationalOf(date.getUTCDate());
    case 'isodow':
      return rationalOf(((date.getUTCDay() + 6) % 7) + 1);
    case 'hour':
      return rationalOf(date.getUTCHours());
    case 'epoch':
      return rationalOf(secondsOf(value));
    default:
      throw new Error(`${part} is not evaluated here.`);
  }
};

const callFunction = ({ function: name }: FormulaOf<'call'>, values: readonly FormulaValue[]): FormulaValue => {
  const [first = null, second = null, third = null] = values;
  const present = values.filter((value) => value !== null);
  switch (name) {
    case 'coalesce':
      return present[0] ?? null;
    case 'greatest':
      return [...present].sort(compareValues).at(-1) ?? null;
    case 'least':
      return [...present].sort(compareValues)[0] ?? null;
    case 'concat':
      return present.map(valueToText).join('');
    case 'nullif':
      return relate('=', first, second) === true ? null : first;
    case 'year':
    case 'month':
    case 'day':
      return extract(name, first);
    case 'date_trunc':
      return truncate(valueToText(first), second);
    case 'substring':
      return values.includes(null)
        ? null
        : substring(valueToText(first), second, values.length > 2 ? third : undefined);
    default:
      return values.includes(null) ? null : presentValue(name, first, valueToText(second), valueToText(third));
  }
};

const presentValue = (name: string, first: FormulaValue, second: string, third: string): FormulaValue => {
  if (isRational(first)) {
    if (name === 'floor') return rationalOf(numbers.floor(first));
    if (name === 'ceil') return rationalOf(numbers.ceil(first));
    if (name === 'abs') return first.over < 0n ? numbers.negate(first) : first;
    return numbers.round(first, second === 'null' ? 0 : Number(second));
  }
  const text = valueToText(first);
  if (name === 'lower') return text.toLowerCase();
  if (name === 'upper') return text.toUpperCase();
  if (name === 'trim') return text.replace(/^ +/, '').replace(/ +$/, '');
  if (name === 'length') return rationalOf([...text].length);
  return second === '' ? text : text.split(second).join(third);
};

const substring = (text: string, from: FormulaValue, length: FormulaValue | undefined): FormulaValue => {
  const start = Number(valueToText(from));
  const end = length === undefined ? Infinity : start + Math.max(0, Number(valueToText(length)));
  return [...text].filter((_, at) => at + 1 >= start && at + 1 < end).join('');
};

const truncate = (part: string, value: FormulaValue): FormulaValue => {
  if (!isMomentValue(value)) return null;
  const text = isoOf(value);
  const start = { year: `${text.slice(0, 4)}-01-01`, month: `${text.slice(0, 7)}-01`, day: text.slice(0, 10) }[part];
  const at = epoch(`${start}T00:00:00Z`);
  return value.kind === 'date' ? { kind: 'date', at: at / daySeconds } : { kind: 'datetime', at };
};
