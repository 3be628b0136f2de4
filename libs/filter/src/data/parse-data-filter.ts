/**
 * The filter syntax for data (filterExpr, `$filter`, filters of models, row policies) -> the tree: `FIELD eq 'v'`,
 * `ne gt ge lt le`, `in ('a','b')`, `contains(FIELD,'v')`, `is null`, functions around a field, `not`, `and`, `or`.
 * Also read: `not eq`, `not in`, unquoted words as strings. Precedence: not, comparison, and, or.
 * Refuses: what is past a budget, and to guess. The first fault ends it, with its position and what was expected.
 */
import {
  beginWith,
  type Cursor,
  expected,
  lengthFault,
  node,
  parseChain,
  peek,
  refuse,
  take,
  tooDeep,
} from '../cursor.js';
import type { DataExpression, DataField } from '../expression.js';
import type { FilterFault, FilterParsing } from '../filter-fault.js';
import { standardFilterLimits } from '../limits.js';
import {
  type DataFilterOptions,
  isWord,
  parseField,
  parseList,
  parseLiteral,
  parseOperator,
  refuseCase,
} from './parse-operand.js';
import { scan } from './scan.js';
import { functionNames, joiningSymbols, matchFunctions, operatorNames, valueFunctions } from './words.js';

/** One condition of a parameter that can be repeated; positions count in the value of that number. */
export type DataFilterPart = { readonly valueIndex: number; readonly expression: DataExpression };

type Step = DataExpression | undefined;
type Reading = { readonly cursor: Cursor; readonly options: DataFilterOptions };

const conditionExpected =
  "a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left";
const nests = 'Parentheses, functions and not';
/** What no filter holds: the character that PostgreSQL does not store, and halves of characters. */
const unusableCharacter = /[\0\p{Cs}]/u;

export const parseDataFilter = (text: string, options: DataFilterOptions = {}): FilterParsing<DataExpression> => {
  const tooLong = lengthFault(text.length, options.limits ?? standardFilterLimits);
  if (tooLong) return { ok: false, fault: tooLong };
  const parsed = parseValue(text, options, false);
  if (!Array.isArray(parsed)) return { ok: false, fault: parsed };
  const [value] = parsed;
  return value
    ? { ok: true, value }
    : { ok: false, fault: { position: 0, message: `Expected ${conditionExpected}.`, rule: 'syntax' } };
};

/** The values of a repeated parameter, each also split at commas outside quotes and parentheses; all of them must hold. */
export const parseDataFilters = (
  values: readonly string[],
  options: DataFilterOptions = {},
): FilterParsing<readonly DataFilterPart[], FilterFault & { readonly valueIndex: number }> => {
  const parts: DataFilterPart[] = [];
  let charactersBefore = 0;
  for (const [valueIndex, value] of values.entries()) {
    const tooLong = lengthFault(charactersBefore + value.length, options.limits ?? standardFilterLimits);
    if (tooLong) return { ok: false, fault: { ...tooLong, position: tooLong.position - charactersBefore, valueIndex } };
    charactersBefore += value.length;
    const parsed = parseValue(value, options, true);
    if (!Array.isArray(parsed)) return { ok: false, fault: { ...parsed, valueIndex } };
    parts.push(...parsed.map((expression) => ({ valueIndex, expression })));
  }
  return { ok: true, value: parts };
};

/** The condition of a text, or the conditions of a list with commas between them. */
const parseValue = (text: string, options: DataFilterOptions, isList: boolean): DataExpression[] | FilterFault => {
  const unusable = text.search(unusableCharacter);
  if (unusable >= 0) return unusableFault(text, unusable);
  const reading = { cursor: beginWith(scan(text), options.limits ?? standardFilterLimits), options };
  const conditions: DataExpression[] = [];
  do {
    const condition = parseOr(reading, 0);
    if (condition) conditions.push(condition);
  } while (!reading.cursor.fault && isList && isTaken(reading.cursor, 'comma'));
  if (!reading.cursor.fault && peek(reading.cursor).kind !== 'end')
    expectedNext(
      reading.cursor,
      isList ? 'and, or, a comma or the end of the filter' : 'and, or or the end of the filter',
    );
  return reading.cursor.fault ?? conditions;
};

const unusableFault = (text: string, position: number): FilterFault => {
  const code = text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
  return { position, message: `The character U+${code} cannot be part of a filter.`, rule: 'syntax' };
};

const parseOr = (reading: Reading, depth: number): Step =>
  parseChain(
    reading.cursor,
    'or',
    (token) => isWord(token, 'or'),
    () => parseAnd(reading, depth),
  );
const parseAnd = (reading: Reading, depth: number): Step =>
  parseChain(
    reading.cursor,
    'and',
    (token) => isWord(token, 'and'),
    () => parseNot(reading, depth),
  );

const parseNot = (reading: Reading, depth: number): Step => {
  const { cursor } = reading;
  if (!isWord(peek(cursor), 'not')) return parseCondition(reading, depth);
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor, nests);
  cursor.index++;
  const operand = parseNot(reading, depth + 1);
  return operand && node(cursor, { kind: 'not', operand });
};

const parseCondition = (reading: Reading, depth: number): Step => {
  const { cursor } = reading;
  const token = peek(cursor);
  if (token.kind === 'open') return parseParenthesis(reading, depth);
  if (token.kind !== 'word') return expected(cursor, conditionExpected);
  const next = peek(cursor, 1);
  const isOperated = next.kind === 'word' && (operatorNames.includes(next.text) || next.text === 'not');
  const keywords = next.kind === 'open' ? ['not', ...functionNames] : ['not'];
  if (!isOperated && refuseCase(cursor, keywords)) return undefined;
  if (next.kind !== 'open' || valueFunctions.has(token.text)) return parseComparison(reading, depth);
  const called = matchFunctions.get(token.text);
  if (!called) return expected(cursor, `one of the functions ${functionNames.join(' ')}`, functionNames);
  return parseMatch(reading, called, depth);
};

const parseParenthesis = (reading: Reading, depth: number): Step => {
  const { cursor } = reading;
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor, nests);
  cursor.index++;
  const inner = parseOr(reading, depth + 1);
  if (!inner) return undefined;
  return isTaken(cursor, 'close') ? inner : expectedNext(cursor, 'and, or or a closing parenthesis');
};

const parseMatch = (reading: Reading, called: 'contains' | 'startswith' | 'endswith', depth: number): Step => {
  const { cursor, options } = reading;
  cursor.index += 2;
  const field = parseField(cursor, options, depth + 1);
  const literal = field && take(cursor, 'comma', 'a comma and a string') && parseLiteral(cursor, options);
  if (!literal || !take(cursor, 'close', 'a closing parenthesis')) return undefined;
  const match: Step = node(cursor, { kind: 'match', function: called, field, literal });
  return options.dialect === 'odata' && match ? parseTruth(cursor, match) : match;
};

/** What may stand behind a condition: `eq true`, `ne false` and their opposites. */
const parseTruth = (cursor: Cursor, condition: DataExpression): Step => {
  const isEqual = isWord(peek(cursor), 'eq');
  if (!isEqual && !isWord(peek(cursor), 'ne')) return condition;
  cursor.index++;
  const isTrue = isWord(peek(cursor), 'true');
  if (!isTrue && !isWord(peek(cursor), 'false')) return expected(cursor, 'true or false', ['true', 'false']);
  cursor.index++;
  return isTrue === isEqual ? condition : node(cursor, { kind: 'not', operand: condition });
};

const parseComparison = (reading: Reading, depth: number): Step => {
  const { cursor, options } = reading;
  const field = parseField(cursor, options, depth);
  if (field && standsAlone(reading, field)) {
    const { start, end } = field;
    return node(cursor, {
      kind: 'compare',
      operator: 'eq',
      field,
      literal: { kind: 'boolean', text: 'true', start, end },
    });
  }
  const operator = field && parseOperator(cursor);
  if (!operator) return undefined;
  if (typeof operator === 'object') return node(cursor, { kind: 'compare', field, ...operator });
  if (operator === 'in' || operator === 'not in') {
    const literals = parseList(cursor, options);
    const made: Step = literals && node(cursor, { kind: 'in', field, literals });
    return operator === 'in' ? made : made && node(cursor, { kind: 'not', operand: made });
  }
  const literal = parseLiteral(cursor, options);
  return literal && node(cursor, { kind: 'compare', operator, field, literal });
};

const standsAlone = ({ cursor, options }: Reading, { name, applied }: DataField): boolean => {
  const token = peek(cursor);
  const isBehind = token.kind === 'end' || token.kind === 'close' || isWord(token, 'and') || isWord(token, 'or');
  return isBehind && applied.length === 0 && options.isBoolean?.(name) === true;
};

const isTaken = (cursor: Cursor, kind: 'comma' | 'close'): boolean => {
  const isThere = peek(cursor).kind === kind;
  if (isThere) cursor.index++;
  return isThere;
};

/** What can follow a condition; `AND` and `&&` are told what they should be. */
const expectedNext = (cursor: Cursor, what: string): undefined => {
  const token = peek(cursor);
  const meant = token.kind === 'operator' ? joiningSymbols.get(token.text) : undefined;
  if (meant) return refuse(cursor, token.start, `Expected ${what}; write ${meant} for the symbol.`, 'syntax', meant);
  return refuseCase(cursor, ['and', 'or']) ? undefined : expected(cursor, what, ['and', 'or']);
};
