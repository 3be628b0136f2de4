/** Values of OData -> the tree: fields, literals, functions and arithmetic, by the precedence of the standard. */
import type { ArithmeticOperator, DataExpression, DataValue, Span } from '../expression.js';
import {
  countNode,
  type TokenCursor,
  refuseUnexpectedToken,
  createExpressionFault,
  isSymbol,
  refuseExcessiveDepth,
  peekToken,
  setFirstFault,
  expectSymbol,
} from '../parser.js';
import {
  type DataFilterOptions,
  isKeyword,
  parseLiteral,
  parseFieldName,
  refuseWrongKeywordCase,
  expectedValueText,
} from './data-words.js';
import { dataFunctionSignatures, matchFunctions, multiplicativeOperators, additiveOperators } from './words.js';

export type ValueParseContext = {
  readonly cursor: TokenCursor;
  readonly options: DataFilterOptions;
  readonly text: string;
  /** Conditions with what joins them, as they stand in parentheses. */
  readonly parseConditions: (reading: ValueParseContext, depth: number) => DataExpression | undefined;
};

/** What a word is: a field, or a field when there is one of this name, else a string without quotes. */
type WordMeaning = 'field' | 'fieldOrText';

type Step = DataValue | undefined;

export const dataFunctionNames = [...dataFunctionSignatures.keys(), 'now'];

export const parseDataValue = (reading: ValueParseContext, depth: number, words: WordMeaning): Step =>
  parseOperations(reading, additiveOperators, words, (meaning) =>
    parseOperations(reading, multiplicativeOperators, meaning, (inner) => parseNegation(reading, depth, inner)),
  );

/** Operands of arithmetic are never strings, so a word behind an operator is a field. */
const parseOperations = (
  { cursor }: ValueParseContext,
  operators: ReadonlyMap<string, ArithmeticOperator>,
  words: WordMeaning,
  parseOperand: (words: WordMeaning) => Step,
): Step => {
  let left = parseOperand(words);
  for (;;) {
    const token = peekToken(cursor);
    const operator = token.kind === 'word' ? operators.get(token.text) : undefined;
    if (!left || !operator) return left;
    cursor.index++;
    const right = parseOperand('field');
    left = right && countNode(cursor, { kind: 'arithmetic', operator, left, right, start: left.start, end: right.end });
  }
};

const parseNegation = (reading: ValueParseContext, depth: number, words: WordMeaning): Step => {
  const { cursor } = reading;
  const { start } = peekToken(cursor);
  if (!isSymbol(peekToken(cursor), '-')) return parsePrimary(reading, depth, words);
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  cursor.index++;
  const operand = parseNegation(reading, depth + 1, 'field');
  return operand && countNode(cursor, { kind: 'negate', operand, start, end: operand.end });
};

const parsePrimary = (reading: ValueParseContext, depth: number, words: WordMeaning): Step => {
  const { cursor, options } = reading;
  const token = peekToken(cursor);
  if (isSymbol(token, '(')) return parseParenthesis(reading, depth, words);
  if (token.kind !== 'word') return parseLiteralValue(reading);
  if (token.text.endsWith(countSuffix)) return parseCount(cursor, token);
  if (isSymbol(peekToken(cursor, 1), '(')) return parseCall(reading, token.text, depth);
  const isField = words === 'field' || options.isField?.(token.text.replaceAll('/', '.')) === true;
  if (!isField || token.text.startsWith('@') || namedValues.has(token.text)) return parseLiteralValue(reading);
  const field = parseFieldName(cursor, options);
  return field && { kind: 'field', ...field };
};

const countSuffix = '/$count';

const parseCount = (cursor: TokenCursor, { text, start, end }: Span & { readonly text: string }): Step => {
  cursor.index++;
  if (isSymbol(peekToken(cursor), '(')) {
    const message = '$count counts all related entries and takes no options; any and all look through them.';
    return setFirstFault(cursor, createExpressionFault(end, 'syntax', message));
  }
  const path = text.slice(0, -countSuffix.length).replaceAll('/', '.');
  return countNode(cursor, { kind: 'count', path, start, end }, start);
};

const namedValues: ReadonlySet<string> = new Set(['null', 'true', 'false']);

const parseLiteralValue = ({ cursor, options }: ValueParseContext): Step => {
  const literal = parseLiteral(cursor, options);
  return literal && { kind: 'literal', literal, start: literal.start, end: literal.end };
};

const parseParenthesis = (reading: ValueParseContext, depth: number, words: WordMeaning): Step => {
  const { cursor } = reading;
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  const { start } = peekToken(cursor);
  cursor.index++;
  const value = parseDataValue(reading, depth + 1, words);
  const { end } = peekToken(cursor);
  if (!value || !expectSymbol(cursor, ')', 'an operator (add sub mul div divby mod) or a closing parenthesis'))
    return undefined;
  // Faults of a field are told where its name stands.
  return value.kind === 'field' ? value : { ...value, start, end };
};

const parseCall = (reading: ValueParseContext, name: string, depth: number): Step => {
  const { cursor, options } = reading;
  const { start } = peekToken(cursor);
  if (name === 'now') return parseNow(cursor, options);
  const [called, least, most] = dataFunctionSignatures.get(name) ?? [];
  if (called === undefined || least === undefined || most === undefined) return refuseCall(cursor, name);
  if (refuseExcessiveDepth(cursor, depth, 'Functions')) return undefined;
  cursor.index += 2;
  const values = parseArguments(reading, depth + 1);
  if (!values) return undefined;
  const { end } = peekToken(cursor, -1);
  if (values.length >= least && values.length <= most)
    return countNode(cursor, { kind: 'call', function: called, arguments: values, start, end });
  const wanted = least === most ? `${least} value${least === 1 ? '' : 's'}` : `${least} or ${most} values`;
  return setFirstFault(
    cursor,
    createExpressionFault(start, 'syntax', `${name} takes ${wanted}, but there are ${values.length}.`),
  );
};

const refuseCall = (cursor: TokenCursor, name: string): undefined => {
  const isCondition = matchFunctions.has(name);
  if (isCondition)
    return setFirstFault(
      cursor,
      createExpressionFault(
        peekToken(cursor).start,
        'syntax',
        `${name} is a condition, which is no part of a value; expected ${expectedValueText}.`,
      ),
    );
  const names = [...matchFunctions.keys(), ...dataFunctionNames];
  return refuseWrongKeywordCase(cursor, names)
    ? undefined
    : refuseUnexpectedToken(cursor, `one of the functions ${names.join(' ')}`, names);
};

/** `a, b)`: the first is a field as a rule, the others may be strings without quotes. */
export const parseArguments = (reading: ValueParseContext, depth: number): readonly DataValue[] | undefined => {
  const { cursor } = reading;
  const values: DataValue[] = [];
  for (;;) {
    const value = parseDataValue(reading, depth, values.length === 0 ? 'field' : 'fieldOrText');
    if (!value) return undefined;
    values.push(value);
    if (!isSymbol(peekToken(cursor), ',')) break;
    cursor.index++;
  }
  return expectSymbol(cursor, ')', 'a comma or a closing parenthesis') && values;
};

/** A moment like any other that is written. */
const parseNow = (cursor: TokenCursor, { now = new Date() }: DataFilterOptions): Step => {
  const { start } = peekToken(cursor);
  cursor.index += 2;
  const { end } = peekToken(cursor);
  if (!expectSymbol(cursor, ')', 'a closing parenthesis, since now takes no value')) return undefined;
  const literal = { kind: 'datetime', text: now.toISOString(), start, end } as const;
  return { kind: 'literal', literal, start, end };
};

/** Whether what the parenthesis that stands here encloses goes on as a value does. */
export const isParenthesizedValue = (cursor: TokenCursor): boolean => {
  let depth = 0;
  for (let ahead = 0; ; ahead++) {
    const token = peekToken(cursor, ahead);
    if (token.kind === 'end') return false;
    if (isSymbol(token, '(')) depth++;
    if (isSymbol(token, ')') && --depth === 0) return continuesAsValue(cursor, ahead + 1);
  }
};

const operatorsAfterValue = [
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'in',
  'is',
  'add',
  'sub',
  'mul',
  'div',
  'divby',
  'mod',
];

const continuesAsValue = (cursor: TokenCursor, ahead: number): boolean =>
  operatorsAfterValue.some((word) => isKeyword(peekToken(cursor, ahead), word));
