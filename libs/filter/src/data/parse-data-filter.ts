/**
 * The filter syntax for data -> the tree. Stops at the first fault.
 */
import {
  type TokenCursor,
  createTokenCursor,
  refuseUnexpectedToken,
  type ExpressionFault,
  createExpressionFault,
  isSymbol,
  findLengthFault,
  type ExpressionParseResult,
  toExpressionParseResult,
  peekToken,
  setFirstFault,
  expectSymbol,
} from '../parser.js';
import type { DataCondition, DataExpression, DataValue } from '../expression.js';
import {
  createFilterLanguage,
  dataFilterLimits,
  type LogicalExpressionSyntax,
  parseLogicalExpression,
} from '../filter-language.js';
import {
  type DataFilterOptions,
  isKeyword,
  refuseWrongKeywordCase,
  createWrongSymbolFault,
  tokenizeDataFilter,
} from './data-words.js';
import { expectedConditionText, parseCondition } from './parse-condition.js';
import { parseODataCondition } from './parse-odata-condition.js';
import { isParenthesizedValue, parseDataValue, type ValueParseContext } from './parse-data-value.js';
import { comparisonOperators, logicalSymbols } from './words.js';

/** One condition of a parameter that can be repeated; positions count in the value of that number. */
type DataFilterPart = { readonly valueIndex: number; readonly expression: DataExpression };

const dataLanguage = createFilterLanguage('Parentheses, functions and not');
/** What no filter holds: the character that PostgreSQL does not store, and halves of characters. */
const unusableCharacter = /[\0\p{Cs}]/u;

export const parseDataFilter = (
  text: string,
  options: DataFilterOptions = {},
): ExpressionParseResult<DataExpression> => {
  const tooLong = findLengthFault(dataLanguage, text.length, options.limits ?? dataFilterLimits);
  if (tooLong) return { ok: false, fault: tooLong };
  const parsed = parseValue(text, options, false);
  return parsed.ok ? { ok: true, value: parsed.value[0] } : parsed;
};

/** The values of a repeated parameter, each also split at commas outside quotes and parentheses; all of them must hold. */
export const parseDataFilters = (
  values: readonly string[],
  options: DataFilterOptions = {},
): ExpressionParseResult<readonly DataFilterPart[], ExpressionFault & { readonly valueIndex: number }> => {
  const parts: DataFilterPart[] = [];
  let charactersBefore = 0;
  for (const [valueIndex, value] of values.entries()) {
    const tooLong = findLengthFault(dataLanguage, charactersBefore + value.length, options.limits ?? dataFilterLimits);
    if (tooLong) return { ok: false, fault: { ...tooLong, position: tooLong.position - charactersBefore, valueIndex } };
    charactersBefore += value.length;
    const parsed = parseValue(value, options, true);
    if (!parsed.ok) return { ok: false, fault: { ...parsed.fault, valueIndex } };
    parts.push(...parsed.value.map((expression) => ({ valueIndex, expression })));
  }
  return { ok: true, value: parts };
};

const orderLanguage: typeof dataLanguage = { ...dataLanguage, name: 'order' };

/** A value of OData to order by, or a comparison of two. */
export const parseDataOrder = (text: string, options: DataFilterOptions): ExpressionParseResult<DataValue> => {
  const limits = options.limits ?? dataFilterLimits;
  const tooLong = findLengthFault(orderLanguage, text.length, limits);
  const unusable = text.search(unusableCharacter);
  if (tooLong || unusable >= 0) return { ok: false, fault: tooLong ?? unusableFault(text, unusable) };
  const cursor = createTokenCursor(orderLanguage, tokenizeDataFilter(text, { ...options, dialect: 'odata' }), limits);
  const reading: ValueParseContext = { cursor, options: { ...options, dialect: 'odata' }, text, parseConditions };
  const left = parseDataValue(reading, 0, 'field');
  const token = peekToken(cursor);
  const operator = token.kind === 'word' ? comparisonOperators.get(token.text) : undefined;
  const isCompared = operator !== undefined && operator !== 'ne';
  if (isCompared) cursor.index++;
  const right = left && isCompared ? parseDataValue(reading, 0, 'fieldOrText') : undefined;
  const value: DataValue | undefined =
    left && right && isCompared
      ? { kind: 'comparison', operator, left, right, start: left.start, end: right.end }
      : left;
  if (!cursor.fault && peekToken(cursor).kind !== 'end')
    refuseUnexpectedToken(cursor, 'an operator, asc or desc, a comma or the end');
  return toExpressionParseResult(cursor, value, 'a value to order by');
};

type Conditions = readonly [DataExpression, ...DataExpression[]];

/** The condition of a text, or the conditions of a list with commas between them. */
const parseValue = (text: string, options: DataFilterOptions, isList: boolean): ExpressionParseResult<Conditions> => {
  const unusable = text.search(unusableCharacter);
  if (unusable >= 0) return { ok: false, fault: unusableFault(text, unusable) };
  const cursor = createTokenCursor(dataLanguage, tokenizeDataFilter(text, options), options.limits ?? dataFilterLimits);
  const reading: ValueParseContext = { cursor, options, text, parseConditions };
  const first = parseLogicalExpression(cursor, syntaxOf(reading));
  const others: DataExpression[] = [];
  while (!cursor.fault && isList && isSymbol(peekToken(cursor), ',')) {
    cursor.index++;
    const next = parseLogicalExpression(cursor, syntaxOf(reading));
    if (next) others.push(next);
  }
  if (!cursor.fault && peekToken(cursor).kind !== 'end')
    expectedNext(cursor, isList ? 'and, or, a comma or the end of the filter' : 'and, or or the end of the filter');
  return toExpressionParseResult(cursor, first && ([first, ...others] as const), expectedConditionText);
};

const parseConditions: ValueParseContext['parseConditions'] = (reading, depth) =>
  parseLogicalExpression(reading.cursor, syntaxOf(reading), depth);

const unusableFault = (text: string, position: number): ExpressionFault => {
  const code = text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
  return createExpressionFault(position, 'syntax', `The character U+${code} cannot be part of a filter.`);
};

const syntaxOf = (reading: ValueParseContext): LogicalExpressionSyntax<DataCondition> => ({
  isKeyword,
  isNot: (cursor) => isKeyword(peekToken(cursor), 'not'),
  isGroup: (cursor) => reading.options.dialect !== 'odata' || !isParenthesizedValue(cursor),
  parseCondition: (_, depth) =>
    reading.options.dialect === 'odata' ? parseODataCondition(reading, depth) : parseCondition(reading, depth),
  takeClosing: (cursor) =>
    isSymbol(peekToken(cursor), ')')
      ? expectSymbol(cursor, ')')
      : expectedNext(cursor, 'and, or or a closing parenthesis'),
});

/** What can follow a condition; `AND` and `&&` are told what they should be. */
const expectedNext = (cursor: TokenCursor, what: string): undefined => {
  const token = peekToken(cursor);
  const meant = token.kind === 'symbol' ? logicalSymbols.get(token.text) : undefined;
  if (meant !== undefined) return setFirstFault(cursor, createWrongSymbolFault(token, what, meant));
  return refuseWrongKeywordCase(cursor, ['and', 'or']) ? undefined : refuseUnexpectedToken(cursor, what, ['and', 'or']);
};
