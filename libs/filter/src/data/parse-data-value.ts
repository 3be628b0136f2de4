/** Values of OData -> the tree: fields, literals, functions and arithmetic, by the precedence of the standard. */
import type { ArithmeticOperator, DataExpression, DataValue } from '../expression.js';
import { countNode, type Cursor, expected, faultAt, isSymbol, isTooDeep, peek, refuse, take } from '../parser.js';
import { type DataFilterOptions, isKeyword, parseLiteral, parseName, refuseCase, valueExpected } from './data-words.js';
import { dataFunctions, matchFunctions, productOperators, sumOperators } from './words.js';

export type ValueReading = {
  readonly cursor: Cursor;
  readonly options: DataFilterOptions;
  readonly text: string;
  /** Conditions with what joins them, as they stand in parentheses. */
  readonly parseConditions: (reading: ValueReading, depth: number) => DataExpression | undefined;
};

/** What a word is: a field, or a field when there is one of this name, else a string without quotes. */
type WordMeaning = 'field' | 'fieldOrText';

type Step = DataValue | undefined;

export const dataFunctionNames = [...dataFunctions.keys(), 'now'];

export const parseDataValue = (reading: ValueReading, depth: number, words: WordMeaning): Step =>
  parseOperations(reading, sumOperators, words, (meaning) =>
    parseOperations(reading, productOperators, meaning, (inner) => parseNegation(reading, depth, inner)),
  );

/** Operands of arithmetic are never strings, so a word behind an operator is a field. */
const parseOperations = (
  { cursor }: ValueReading,
  operators: ReadonlyMap<string, ArithmeticOperator>,
  words: WordMeaning,
  parseOperand: (words: WordMeaning) => Step,
): Step => {
  let left = parseOperand(words);
  for (;;) {
    const token = peek(cursor);
    const operator = token.kind === 'word' ? operators.get(token.text) : undefined;
    if (!left || !operator) return left;
    cursor.index++;
    const right = parseOperand('field');
    left = right && countNode(cursor, { kind: 'arithmetic', operator, left, right, start: left.start, end: right.end });
  }
};

const parseNegation = (reading: ValueReading, depth: number, words: WordMeaning): Step => {
  const { cursor } = reading;
  const { start } = peek(cursor);
  if (!isSymbol(peek(cursor), '-')) return parsePrimary(reading, depth, words);
  if (isTooDeep(cursor, depth)) return undefined;
  cursor.index++;
  const operand = parseNegation(reading, depth + 1, 'field');
  return operand && countNode(cursor, { kind: 'negate', operand, start, end: operand.end });
};

const parsePrimary = (reading: ValueReading, depth: number, words: WordMeaning): Step => {
  const { cursor, options } = reading;
  const token = peek(cursor);
  if (isSymbol(token, '(')) return parseParenthesis(reading, depth, words);
  if (token.kind !== 'word') return parseLiteralValue(reading);
  if (isSymbol(peek(cursor, 1), '(')) return parseCall(reading, token.text, depth);
  const isField = words === 'field' || options.isField?.(token.text.replaceAll('/', '.')) === true;
  if (!isField || token.text.startsWith('@') || namedValues.has(token.text)) return parseLiteralValue(reading);
  const field = parseName(cursor, options);
  return field && { kind: 'field', ...field };
};

const namedValues: ReadonlySet<string> = new Set(['null', 'true', 'false']);

const parseLiteralValue = ({ cursor, options }: ValueReading): Step => {
  const literal = parseLiteral(cursor, options);
  return literal && { kind: 'literal', literal, start: literal.start, end: literal.end };
};

const parseParenthesis = (reading: ValueReading, depth: number, words: WordMeaning): Step => {
  const { cursor } = reading;
  if (isTooDeep(cursor, depth)) return undefined;
  const { start } = peek(cursor);
  cursor.index++;
  const value = parseDataValue(reading, depth + 1, words);
  const { end } = peek(cursor);
  if (!value || !take(cursor, ')', 'an operator (add sub mul div divby mod) or a closing parenthesis'))
    return undefined;
  // Faults of a field are told where its name stands.
  return value.kind === 'field' ? value : { ...value, start, end };
};

const parseCall = (reading: ValueReading, name: string, depth: number): Step => {
  const { cursor, options } = reading;
  const { start } = peek(cursor);
  if (name === 'now') return parseNow(cursor, options);
  const [called, least, most] = dataFunctions.get(name) ?? [];
  if (called === undefined || least === undefined || most === undefined) return refuseCall(cursor, name);
  if (isTooDeep(cursor, depth, 'Functions')) return undefined;
  cursor.index += 2;
  const values = parseArguments(reading, depth + 1);
  if (!values) return undefined;
  const { end } = peek(cursor, -1);
  if (values.length >= least && values.length <= most)
    return countNode(cursor, { kind: 'call', function: called, arguments: values, start, end });
  const wanted = least === most ? `${least} value${least === 1 ? '' : 's'}` : `${least} or ${most} values`;
  return refuse(cursor, faultAt(start, 'syntax', `${name} takes ${wanted}, but there are ${values.length}.`));
};

const refuseCall = (cursor: Cursor, name: string): undefined => {
  const isCondition = matchFunctions.has(name);
  if (isCondition)
    return refuse(
      cursor,
      faultAt(
        peek(cursor).start,
        'syntax',
        `${name} is a condition, which is no part of a value; expected ${valueExpected}.`,
      ),
    );
  const names = [...matchFunctions.keys(), ...dataFunctionNames];
  return refuseCase(cursor, names) ? undefined : expected(cursor, `one of the functions ${names.join(' ')}`, names);
};

/** `a, b)`: the first is a field as a rule, the others may be strings without quotes. */
export const parseArguments = (reading: ValueReading, depth: number): readonly DataValue[] | undefined => {
  const { cursor } = reading;
  const values: DataValue[] = [];
  for (;;) {
    const value = parseDataValue(reading, depth, values.length === 0 ? 'field' : 'fieldOrText');
    if (!value) return undefined;
    values.push(value);
    if (!isSymbol(peek(cursor), ',')) break;
    cursor.index++;
  }
  return take(cursor, ')', 'a comma or a closing parenthesis') && values;
};

/** A moment like any other that is written. */
const parseNow = (cursor: Cursor, { now = new Date() }: DataFilterOptions): Step => {
  const { start } = peek(cursor);
  cursor.index += 2;
  const { end } = peek(cursor);
  if (!take(cursor, ')', 'a closing parenthesis, since now takes no value')) return undefined;
  const literal = { kind: 'datetime', text: now.toISOString(), start, end } as const;
  return { kind: 'literal', literal, start, end };
};

/** Whether what the parenthesis that stands here encloses goes on as a value does. */
export const beginsValue = (cursor: Cursor): boolean => {
  let depth = 0;
  for (let ahead = 0; ; ahead++) {
    const token = peek(cursor, ahead);
    if (token.kind === 'end') return false;
    if (isSymbol(token, '(')) depth++;
    if (isSymbol(token, ')') && --depth === 0) return goesOnAsValue(cursor, ahead + 1);
  }
};

const behindValues = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'is', 'add', 'sub', 'mul', 'div', 'divby', 'mod'];

const goesOnAsValue = (cursor: Cursor, ahead: number): boolean =>
  behindValues.some((word) => isKeyword(peek(cursor, ahead), word));
