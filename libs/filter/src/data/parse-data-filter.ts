/**
 * The filter syntax for data -> the tree. Stops at the first fault.
 */
import {
  type Cursor,
  cursorAtStart,
  expected,
  type ExpressionFault,
  faultAt,
  isSymbol,
  lengthFault,
  type Parsing,
  parsingOf,
  peek,
  refuse,
  take,
} from '../parser.js';
import type { DataCondition, DataExpression, DataValue } from '../expression.js';
import { filterLanguage, type LogicSyntax, parseLogic, standardFilterLimits } from '../filter-language.js';
import { type DataFilterOptions, isKeyword, refuseCase, symbolFault, tokenize } from './data-words.js';
import { conditionExpected, parseCondition } from './parse-condition.js';
import { parseODataCondition } from './parse-odata-condition.js';
import { beginsValue, parseDataValue, type ValueReading } from './parse-data-value.js';
import { comparisonOperators, joiningSymbols } from './words.js';

/** One condition of a parameter that can be repeated; positions count in the value of that number. */
type DataFilterPart = { readonly valueIndex: number; readonly expression: DataExpression };

const language = filterLanguage('Parentheses, functions and not');
/** What no filter holds: the character that PostgreSQL does not store, and halves of characters. */
const unusableCharacter = /[\0\p{Cs}]/u;

export const parseDataFilter = (text: string, options: DataFilterOptions = {}): Parsing<DataExpression> => {
  const tooLong = lengthFault(language, text.length, options.limits ?? standardFilterLimits);
  if (tooLong) return { ok: false, fault: tooLong };
  const parsed = parseValue(text, options, false);
  return parsed.ok ? { ok: true, value: parsed.value[0] } : parsed;
};

/** The values of a repeated parameter, each also split at commas outside quotes and parentheses; all of them must hold. */
export const parseDataFilters = (
  values: readonly string[],
  options: DataFilterOptions = {},
): Parsing<readonly DataFilterPart[], ExpressionFault & { readonly valueIndex: number }> => {
  const parts: DataFilterPart[] = [];
  let charactersBefore = 0;
  for (const [valueIndex, value] of values.entries()) {
    const tooLong = lengthFault(language, charactersBefore + value.length, options.limits ?? standardFilterLimits);
    if (tooLong) return { ok: false, fault: { ...tooLong, position: tooLong.position - charactersBefore, valueIndex } };
    charactersBefore += value.length;
    const parsed = parseValue(value, options, true);
    if (!parsed.ok) return { ok: false, fault: { ...parsed.fault, valueIndex } };
    parts.push(...parsed.value.map((expression) => ({ valueIndex, expression })));
  }
  return { ok: true, value: parts };
};

const orderLanguage: typeof language = { ...language, name: 'order' };

/** A value of OData to order by, or a comparison of two. */
export const parseDataOrder = (text: string, options: DataFilterOptions): Parsing<DataValue> => {
  const limits = options.limits ?? standardFilterLimits;
  const tooLong = lengthFault(orderLanguage, text.length, limits);
  const unusable = text.search(unusableCharacter);
  if (tooLong || unusable >= 0) return { ok: false, fault: tooLong ?? unusableFault(text, unusable) };
  const cursor = cursorAtStart(orderLanguage, tokenize(text, { ...options, dialect: 'odata' }), limits);
  const reading: ValueReading = { cursor, options: { ...options, dialect: 'odata' }, text, parseConditions };
  const left = parseDataValue(reading, 0, 'field');
  const token = peek(cursor);
  const operator = token.kind === 'word' ? comparisonOperators.get(token.text) : undefined;
  const isCompared = operator !== undefined && operator !== 'ne';
  if (isCompared) cursor.index++;
  const right = left && isCompared ? parseDataValue(reading, 0, 'fieldOrText') : undefined;
  const value: DataValue | undefined =
    left && right && isCompared
      ? { kind: 'comparison', operator, left, right, start: left.start, end: right.end }
      : left;
  if (!cursor.fault && peek(cursor).kind !== 'end') expected(cursor, 'an operator, asc or desc, a comma or the end');
  return parsingOf(cursor, value, 'a value to order by');
};

type Conditions = readonly [DataExpression, ...DataExpression[]];

/** The condition of a text, or the conditions of a list with commas between them. */
const parseValue = (text: string, options: DataFilterOptions, isList: boolean): Parsing<Conditions> => {
  const unusable = text.search(unusableCharacter);
  if (unusable >= 0) return { ok: false, fault: unusableFault(text, unusable) };
  const cursor = cursorAtStart(language, tokenize(text, options), options.limits ?? standardFilterLimits);
  const reading: ValueReading = { cursor, options, text, parseConditions };
  const first = parseLogic(cursor, syntaxOf(reading));
  const others: DataExpression[] = [];
  while (!cursor.fault && isList && isSymbol(peek(cursor), ',')) {
    cursor.index++;
    const next = parseLogic(cursor, syntaxOf(reading));
    if (next) others.push(next);
  }
  if (!cursor.fault && peek(cursor).kind !== 'end')
    expectedNext(cursor, isList ? 'and, or, a comma or the end of the filter' : 'and, or or the end of the filter');
  return parsingOf(cursor, first && ([first, ...others] as const), conditionExpected);
};

const parseConditions: ValueReading['parseConditions'] = (reading, depth) =>
  parseLogic(reading.cursor, syntaxOf(reading), depth);

const unusableFault = (text: string, position: number): ExpressionFault => {
  const code = text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
  return faultAt(position, 'syntax', `The character U+${code} cannot be part of a filter.`);
};

const syntaxOf = (reading: ValueReading): LogicSyntax<DataCondition> => ({
  isKeyword,
  isNot: (cursor) => isKeyword(peek(cursor), 'not'),
  isGroup: (cursor) => reading.options.dialect !== 'odata' || !beginsValue(cursor),
  parseCondition: (_, depth) =>
    reading.options.dialect === 'odata' ? parseODataCondition(reading, depth) : parseCondition(reading, depth),
  takeClosing: (cursor) =>
    isSymbol(peek(cursor), ')') ? take(cursor, ')') : expectedNext(cursor, 'and, or or a closing parenthesis'),
});

/** What can follow a condition; `AND` and `&&` are told what they should be. */
const expectedNext = (cursor: Cursor, what: string): undefined => {
  const token = peek(cursor);
  const meant = token.kind === 'symbol' ? joiningSymbols.get(token.text) : undefined;
  if (meant !== undefined) return refuse(cursor, symbolFault(token, what, meant));
  return refuseCase(cursor, ['and', 'or']) ? undefined : expected(cursor, what, ['and', 'or']);
};
