/** What a value computed by OData is for one row, in plain TypeScript: null where a part is null, except that nulls are equal. */
import type { DataLiteral, DataValue } from '@tessera/filter';
import { isMomentValue, isRational, compareValues, valueToText, type FormulaValue } from '../evaluate.js';
import * as numbers from '../rational.js';

type ValueOf = (name: string) => FormulaValue;

export const evaluateValue = (value: DataValue, valueOf: ValueOf): FormulaValue => {
  switch (value.kind) {
    case 'literal':
      return evaluateLiteral(value.literal);
    case 'field':
      return valueOf(value.name);
    case 'count':
      throw new Error('Random questions count no related rows.');
    case 'negate': {
      const operand = evaluateValue(value.operand, valueOf);
      return isRational(operand) ? numbers.negate(operand) : null;
    }
    case 'arithmetic': {
      const [left, right] = [evaluateValue(value.left, valueOf), evaluateValue(value.right, valueOf)];
      return isRational(left) && isRational(right) ? calculate(value, left, right) : null;
    }
    case 'comparison':
      return relate(value.operator, evaluateValue(value.left, valueOf), evaluateValue(value.right, valueOf));
    case 'call': {
      const values = value.arguments.map((argument) => evaluateValue(argument, valueOf));
      return values.includes(null) ? null : callFunction(value.function, values);
    }
  }
};

/** By its form; what stands in quotes is a text. */
export const evaluateLiteral = ({ kind, text }: DataLiteral): FormulaValue => {
  if (kind === 'null') return null;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return numbers.parseRational(text);
  return kind === 'date' ? { kind: 'date', at: Date.parse(text) / 86_400_000 } : text;
};

const calculate = (
  { operator, left: first, right: second }: DataValue & { readonly kind: 'arithmetic' },
  left: numbers.Rational,
  right: numbers.Rational,
): FormulaValue => {
  if (operator === 'add') return numbers.add(left, right);
  if (operator === 'sub') return numbers.add(left, numbers.negate(right));
  if (operator === 'mul') return numbers.multiply(left, right);
  if (right.over === 0n) return null;
  const quotient = numbers.divide(left, right);
  const whole = numbers.createRational(numbers.truncate(quotient));
  if (operator === 'mod') return numbers.add(left, numbers.negate(numbers.multiply(whole, right)));
  return operator === 'div' && isInteger(first) && isInteger(second) ? whole : quotient;
};

/** Literals and lengths are integers here; fields are not told apart, so none is divided by `div`. */
const isInteger = (value: DataValue): boolean => {
  if (value.kind === 'literal') return !value.literal.text.includes('.');
  return value.kind === 'call' && ['length', 'indexof', 'year', 'month', 'day'].includes(value.function);
};

const relate = (operator: string, left: FormulaValue, right: FormulaValue): FormulaValue => {
  if (operator === 'eq' && left === null && right === null) return true;
  if (left === null || right === null) return null;
  const [text, part] = [valueToText(left), valueToText(right)];
  const sign = compareValues(left, right);
  switch (operator) {
    case 'contains':
      return text.includes(part);
    case 'startswith':
      return text.startsWith(part);
    case 'endswith':
      return text.endsWith(part);
    case 'eq':
      return sign === 0;
    case 'gt':
      return sign > 0;
    case 'ge':
      return sign >= 0;
    case 'lt':
      return sign < 0;
    default:
      return sign <= 0;
  }
};

const callFunction = (
  name: string,
  [first = null, second = null, third = null]: readonly FormulaValue[],
): FormulaValue => {
  const text = valueToText(first);
  const characters = [...text];
  if (isRational(first)) {
    if (name === 'round') return numbers.round(first);
    return numbers.createRational(name === 'floor' ? numbers.floor(first) : numbers.ceil(first));
  }
  if (isMomentValue(first)) {
    const part = { year: text.slice(0, 4), month: text.slice(5, 7), day: text.slice(8, 10) }[name];
    return part === undefined ? first : numbers.parseRational(part);
  }
  switch (name) {
    case 'tolower':
      return text.toLowerCase();
    case 'toupper':
      return text.toUpperCase();
    case 'trim':
      return text.replace(/^ +/, '').replace(/ +$/, '');
    case 'concat':
      return text + valueToText(second);
    case 'length':
      return numbers.createRational(BigInt(characters.length));
    case 'indexof':
      return numbers.createRational(BigInt(characterIndex(text, valueToText(second))));
    default: {
      const [from, length] = [Number(valueToText(second)), third === null ? Infinity : Number(valueToText(third))];
      return characters.filter((_, at) => at >= from && at < from + length).join('');
    }
  }
};

const characterIndex = (text: string, part: string): number => {
  const at = text.indexOf(part);
  return at < 0 ? -1 : [...text.slice(0, at)].length;
};

/** The names in it, as often as they stand there. */
export const namesInValue = (value: DataValue): readonly string[] => {
  switch (value.kind) {
    case 'literal':
    case 'count':
      return [];
    case 'field':
      return [value.name];
    case 'negate':
      return namesInValue(value.operand);
    case 'arithmetic':
    case 'comparison':
      return [...namesInValue(value.left), ...namesInValue(value.right)];
    case 'call':
      return value.arguments.flatMap(namesInValue);
  }
};
