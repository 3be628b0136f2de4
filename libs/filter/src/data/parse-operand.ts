/** The small parts of a condition on data: the field with the functions around it, the operator, literals and lists. */
import { type Cursor, expected, isSymbol, isTooDeep, parseItems, peek, refuse, take } from '../cursor.js';
import type { ComparisonOperator, DataField, DataLiteral, Span, ValueFunction } from '../expression.js';
import { type ExpressionFault, faultAt } from '../fault.js';
import type { FilterLimits } from '../filter-language.js';
import type { Token } from '../scanner.js';
import {
  comparisonOperators,
  functionNames,
  operatorNames,
  comparingSymbols,
  reservedWords,
  valueFunctions,
} from './words.js';

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

export const isKeyword = (token: Token, keyword: string): boolean => token.kind === 'word' && token.text === keyword;

/** Whether the word that stands here is one of the keywords but for its case, which is then the fault. */
export const refuseCase = (cursor: Cursor, keywords: readonly string[]): boolean => {
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
export const symbolFault = ({ start }: Token, what: string, meant: string): ExpressionFault => ({
  position: start,
  message: `Expected ${what}; write ${meant} for the symbol.`,
  rule: 'syntax',
  suggestion: meant,
});

/** `CITY`, `SUPPLIER.CITY`, `length(tolower(CITY))`. */
export const parseField = (cursor: Cursor, options: DataFilterOptions, depth: number): DataField | undefined => {
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

export const parseOperator = (cursor: Cursor): ReadOperator | undefined => {
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
export const parseList = (cursor: Cursor, options: DataFilterOptions): readonly DataLiteral[] | undefined => {
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

export const parseLiteral = (cursor: Cursor, options: DataFilterOptions): DataLiteral | undefined => {
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
