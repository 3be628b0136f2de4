/**
 * The filter syntax for data (filterExpr, `$filter`, filters of models, row policies) -> the tree: `FIELD eq 'v'`,
 * `ne gt ge lt le`, `in ('a','b')`, `contains(FIELD,'v')`, `is null`, functions around a field, `not`, `and`, `or`.
 * Also read: `not eq`, `not in`, unquoted words as strings. Precedence: not, comparison, and, or.
 * Stops at the first fault.
 */
import {
  countNode,
  type Cursor,
  cursorAtStart,
  expected,
  isSymbol,
  lengthFault,
  parsingOf,
  peek,
  refuse,
  take,
} from '../cursor.js';
import type { DataCondition, DataExpression, DataField } from '../expression.js';
import { type ExpressionFault, faultAt, type Parsing } from '../fault.js';
import { filterLanguage, type LogicSyntax, parseLogic, standardFilterLimits } from '../filter-language.js';
import {
  type DataFilterOptions,
  isKeyword,
  parseField,
  parseList,
  parseLiteral,
  parseOperator,
  refuseCase,
  symbolFault,
} from './parse-operand.js';
import { scan } from './scan.js';
import { functionNames, joiningSymbols, matchFunctions, operatorNames, valueFunctions } from './words.js';

/** One condition of a parameter that can be repeated; positions count in the value of that number. */
type DataFilterPart = { readonly valueIndex: number; readonly expression: DataExpression };

type Step = DataExpression | undefined;
type Reading = { readonly cursor: Cursor; readonly options: DataFilterOptions };

const conditionExpected =
  "a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left";
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

type Conditions = readonly [DataExpression, ...DataExpression[]];

/** The condition of a text, or the conditions of a list with commas between them. */
const parseValue = (text: string, options: DataFilterOptions, isList: boolean): Parsing<Conditions> => {
  const unusable = text.search(unusableCharacter);
  if (unusable >= 0) return { ok: false, fault: unusableFault(text, unusable) };
  const cursor = cursorAtStart(language, scan(text), options.limits ?? standardFilterLimits);
  const reading = { cursor, options };
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

const unusableFault = (text: string, position: number): ExpressionFault => {
  const code = text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
  return faultAt(position, 'syntax', `The character U+${code} cannot be part of a filter.`);
};

const syntaxOf = (reading: Reading): LogicSyntax<DataCondition> => ({
  isKeyword,
  isNot: (cursor) => isKeyword(peek(cursor), 'not'),
  parseCondition: (_, depth) => parseCondition(reading, depth),
  takeClosing: (cursor) =>
    isSymbol(peek(cursor), ')') ? take(cursor, ')') : expectedNext(cursor, 'and, or or a closing parenthesis'),
});

const parseCondition = (reading: Reading, depth: number): Step => {
  const { cursor } = reading;
  const token = peek(cursor);
  if (token.kind !== 'word') return expected(cursor, conditionExpected);
  const next = peek(cursor, 1);
  const isOperated = next.kind === 'word' && (operatorNames.includes(next.text) || next.text === 'not');
  const isCall = isSymbol(next, '(');
  const keywords = isCall ? ['not', ...functionNames] : ['not'];
  if (!isOperated && refuseCase(cursor, keywords)) return undefined;
  if (!isCall || valueFunctions.has(token.text)) return parseComparison(reading, depth);
  const called = matchFunctions.get(token.text);
  if (!called) return expected(cursor, `one of the functions ${functionNames.join(' ')}`, functionNames);
  return parseMatch(reading, called, depth);
};

const parseMatch = (reading: Reading, called: 'contains' | 'startswith' | 'endswith', depth: number): Step => {
  const { cursor, options } = reading;
  cursor.index += 2;
  const field = parseField(cursor, options, depth + 1);
  const literal = field && take(cursor, ',', 'a comma and a string') && parseLiteral(cursor, options);
  if (!literal || !take(cursor, ')', 'a closing parenthesis')) return undefined;
  const match: Step = countNode(cursor, { kind: 'match', function: called, field, literal });
  return options.dialect === 'odata' && match ? parseTruth(cursor, match) : match;
};

/** What may stand behind a condition: `eq true`, `ne false` and their opposites. */
const parseTruth = (cursor: Cursor, condition: DataExpression): Step => {
  const isEqual = isKeyword(peek(cursor), 'eq');
  if (!isEqual && !isKeyword(peek(cursor), 'ne')) return condition;
  cursor.index++;
  const isTrue = isKeyword(peek(cursor), 'true');
  if (!isTrue && !isKeyword(peek(cursor), 'false')) return expected(cursor, 'true or false', ['true', 'false']);
  cursor.index++;
  return isTrue === isEqual ? condition : countNode(cursor, { kind: 'not', operand: condition });
};

const parseComparison = (reading: Reading, depth: number): Step => {
  const { cursor, options } = reading;
  const field = parseField(cursor, options, depth);
  if (field && standsAlone(reading, field)) {
    const { start, end } = field;
    return countNode(cursor, {
      kind: 'compare',
      operator: 'eq',
      field,
      literal: { kind: 'boolean', text: 'true', start, end },
    });
  }
  const operator = field && parseOperator(cursor);
  if (!operator) return undefined;
  if (typeof operator === 'object') return countNode(cursor, { kind: 'compare', field, ...operator });
  if (operator === 'in' || operator === 'not in') {
    const literals = parseList(cursor, options);
    const made: Step = literals && countNode(cursor, { kind: 'in', field, literals });
    return operator === 'in' ? made : made && countNode(cursor, { kind: 'not', operand: made });
  }
  const literal = parseLiteral(cursor, options);
  return literal && countNode(cursor, { kind: 'compare', operator, field, literal });
};

const standsAlone = ({ cursor, options }: Reading, { name, applied }: DataField): boolean => {
  const token = peek(cursor);
  const isBehind = token.kind === 'end' || isSymbol(token, ')') || isKeyword(token, 'and') || isKeyword(token, 'or');
  return isBehind && applied.length === 0 && options.isBoolean?.(name) === true;
};

/** What can follow a condition; `AND` and `&&` are told what they should be. */
const expectedNext = (cursor: Cursor, what: string): undefined => {
  const token = peek(cursor);
  const meant = token.kind === 'symbol' ? joiningSymbols.get(token.text) : undefined;
  if (meant !== undefined) return refuse(cursor, symbolFault(token, what, meant));
  return refuseCase(cursor, ['and', 'or']) ? undefined : expected(cursor, what, ['and', 'or']);
};
