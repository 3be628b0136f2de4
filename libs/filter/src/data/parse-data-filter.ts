/**
 * The filter syntax for data -> the tree. Stops at the first fault.
 */
import {
  countNode,
  type Cursor,
  cursorAtStart,
  expected,
  type ExpressionFault,
  faultAt,
  isSymbol,
  isTooDeep,
  lengthFault,
  matchAt,
  parseItems,
  type Parsing,
  parsingOf,
  peek,
  refuse,
  take,
  type Token,
  tokenAt,
} from '../parser.js';
import type {
  ComparisonOperator,
  DataCondition,
  DataExpression,
  DataField,
  DataLiteral,
  Span,
  ValueFunction,
} from '../expression.js';
import {
  filterLanguage,
  type FilterLimits,
  type LogicSyntax,
  parseLogic,
  scanFilter,
  standardFilterLimits,
} from '../filter-language.js';
import {
  comparingSymbols,
  comparisonOperators,
  functionNames,
  joiningSymbols,
  matchFunctions,
  operatorNames,
  reservedWords,
  valueFunctions,
} from './words.js';

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
  const cursor = cursorAtStart(language, tokenize(text), options.limits ?? standardFilterLimits);
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

export type DataFilterOptions = {
  /** `odata` also takes `RECORD/FIELD` and `contains(FIELD,'v') eq true`. */
  readonly dialect?: 'expression' | 'odata';
  /** Fields that may stand alone for `FIELD eq true`, by their names as they will be in the tree. */
  readonly isBoolean?: (name: string) => boolean;
  /** Row policies compare with attributes of the caller: `COMPANY_CODE in caller.companyCodes`. */
  readonly callerAttributes?: boolean;
  readonly limits?: FilterLimits;
};

/** What an operator asks for next: a value, a list, or nothing more. */
type ReadOperator = ComparisonOperator | 'in' | 'not in' | { operator: 'eq' | 'ne'; literal: DataLiteral };

const paths = {
  expression: /^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*$/u,
  odata: /^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:[./][\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*$/u,
};
const callerPattern = /^caller\.([\p{L}_][\p{L}\p{M}\p{N}_-]*)$/u;
const namedValues = ['null', 'true', 'false'];
const valueExpected = "a value: a string in single quotes ('it''s'), a number, a date, true, false or null";
const operatorExpected = `an operator (${operatorNames.join(' ')})`;

const isKeyword = (token: Token, keyword: string): boolean => token.kind === 'word' && token.text === keyword;

/** Whether the word that stands here is one of the keywords but for its case, which is then the fault. */
const refuseCase = (cursor: Cursor, keywords: readonly string[]): boolean => {
  const token = peek(cursor);
  const keyword = token.kind === 'word' ? token.text.toLowerCase() : undefined;
  if (token.kind !== 'word' || keyword === undefined || token.text === keyword || !keywords.includes(keyword))
    return false;
  const quoted = namedValues.includes(keyword) ? `, or '${token.text}' in quotes for the text` : '';
  const message = `Keywords are in lower case: write ${keyword}${quoted}.`;
  refuse(cursor, { position: token.start, message, rule: 'syntax', suggestion: keyword });
  return true;
};

/** A symbol stands where this syntax has the word that is `meant`. */
const symbolFault = ({ start }: Token, what: string, meant: string): ExpressionFault => ({
  position: start,
  message: `Expected ${what}; write ${meant} for the symbol.`,
  rule: 'syntax',
  suggestion: meant,
});

/** `CITY`, `SUPPLIER.CITY`, `length(tolower(CITY))`. */
const parseField = (cursor: Cursor, options: DataFilterOptions, depth: number): DataField | undefined => {
  const outermostFirst: ValueFunction[] = [];
  while (isSymbol(peek(cursor, 1), '(')) {
    const token = peek(cursor);
    const called = 'text' in token ? valueFunctions.get(token.text) : undefined;
    if (!called) {
      const names = [...valueFunctions.keys()];
      return refuseCase(cursor, functionNames) ? undefined : expected(cursor, `a field or ${names.join(' ')}`, names);
    }
    if (isTooDeep(cursor, depth + outermostFirst.length, 'Functions')) return undefined;
    outermostFirst.push(called);
    cursor.index += 2;
  }
  const field = parseName(cursor, options);
  if (!field) return undefined;
  for (const called of outermostFirst) if (!take(cursor, ')', `a closing parenthesis of ${called}`)) return undefined;
  return { ...field, applied: outermostFirst.reverse() };
};

const parseName = (cursor: Cursor, { dialect = 'expression' }: DataFilterOptions) => {
  const token = peek(cursor);
  if (token.kind !== 'word' || reservedWords.has(token.text) || !paths[dialect].test(token.text))
    return expected(cursor, dialect === 'odata' ? 'a field or RECORD/FIELD' : 'a field or RECORD.FIELD');
  cursor.index++;
  return { name: token.text.replaceAll('/', '.'), start: token.start, end: token.end };
};

const parseOperator = (cursor: Cursor): ReadOperator | undefined => {
  const token = peek(cursor);
  const text = token.kind === 'word' ? token.text : '';
  const operator = comparisonOperators.get(text);
  if (operator || text === 'in') {
    cursor.index++;
    return operator ?? 'in';
  }
  if (text === 'is') return parseIsNull(cursor);
  if (text === 'not') return parseNegated(cursor);
  const meant = token.kind === 'symbol' ? comparingSymbols.get(token.text) : undefined;
  if (meant !== undefined) return refuse(cursor, symbolFault(token, operatorExpected, meant));
  return refuseCase(cursor, [...operatorNames, 'not']) ? undefined : expected(cursor, operatorExpected, operatorNames);
};

/** `is null`, `is not null`. */
const parseIsNull = (cursor: Cursor): ReadOperator | undefined => {
  cursor.index++;
  const isNegated = isKeyword(peek(cursor), 'not');
  if (isNegated) cursor.index++;
  const { start, end } = peek(cursor);
  if (!isKeyword(peek(cursor), 'null'))
    return refuseCase(cursor, ['not', 'null']) ? undefined : expected(cursor, isNegated ? 'null' : 'null or not null');
  cursor.index++;
  return { operator: isNegated ? 'ne' : 'eq', literal: { kind: 'null', text: 'null', start, end } };
};

/** `not eq` and `not in`. */
const parseNegated = (cursor: Cursor): ReadOperator | undefined => {
  cursor.index++;
  const [isEqual, isIn] = [isKeyword(peek(cursor), 'eq'), isKeyword(peek(cursor), 'in')];
  if (!isEqual && !isIn)
    return refuseCase(cursor, ['eq', 'in']) ? undefined : expected(cursor, 'eq or in', ['eq', 'in']);
  cursor.index++;
  return isEqual ? 'ne' : 'not in';
};

/** `('a', 'b')`, or the values of one attribute of the caller. */
const parseList = (cursor: Cursor, options: DataFilterOptions): readonly DataLiteral[] | undefined => {
  const token = peek(cursor);
  if (token.kind === 'word' && callerPattern.test(token.text)) {
    const literal = parseLiteral(cursor, options);
    return literal && [literal];
  }
  return (
    take(cursor, '(', "a list such as ('a','b')") &&
    parseItems(cursor, () => parseLiteral(cursor, options), 'a comma or a closing parenthesis')
  );
};

const parseLiteral = (cursor: Cursor, options: DataFilterOptions): DataLiteral | undefined => {
  const token = peek(cursor);
  switch (token.kind) {
    case 'string':
    case 'number':
    case 'date':
    case 'datetime':
    case 'time':
      cursor.index++;
      return { kind: token.kind, text: token.text, start: token.start, end: token.end };
    case 'word':
      return parseWord(cursor, token, options);
    default:
      return expected(cursor, valueExpected);
  }
};

const parseWord = (
  cursor: Cursor,
  { text, start, end }: Span & { readonly text: string },
  { callerAttributes = false }: DataFilterOptions,
): DataLiteral | undefined => {
  const isNamed = namedValues.includes(text);
  if (refuseCase(cursor, namedValues)) return undefined;
  if (isSymbol(peek(cursor, 1), '(') || (!isNamed && reservedWords.has(text))) return expected(cursor, valueExpected);
  const attribute = callerPattern.exec(text)?.[1];
  if (attribute !== undefined && !callerAttributes)
    return refuse(cursor, faultAt(start, 'syntax', 'Only row policies compare with attributes of the caller.'));
  cursor.index++;
  if (attribute !== undefined) return { kind: 'caller', text: attribute, start, end };
  return { kind: isNamed ? (text === 'null' ? 'null' : 'boolean') : 'word', text, start, end };
};

const runPattern = /[\p{L}\p{M}\p{N}_.:+/-]+/uy;
/** No operator of this syntax, but what stands for one elsewhere; the parser names the right one. */
const symbolPattern = /[=<>!&|]+/y;
const forms = [
  ['number', /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['datetime', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})?$/],
  ['time', /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?$/],
] as const;

/** The tokens of `text`; the last one is always `end`. */
const tokenize = (text: string): readonly Token[] => scanFilter(text, (start) => readWord(text, start));

const readWord = (text: string, start: number): Token | undefined => {
  const run = matchAt(runPattern, text, start);
  if (run) return { kind: formOf(run) ?? 'word', text: run, start, end: start + run.length };
  return tokenAt('symbol', symbolPattern, text, start);
};

/** The form that the text of a literal has, quoted or not. */
export const formOf = (text: string): (typeof forms)[number][0] | undefined =>
  forms.find(([, pattern]) => pattern.test(text))?.[0];
