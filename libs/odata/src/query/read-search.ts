/**
 * `$search` -> what the texts of an entry contain: `blue`, `"dark blue"`, `blue green` and `blue AND green`, `blue OR green`,
 * `NOT red`, parentheses; AND binds before OR. A word or phrase is found in any searchable property, whatever its case. The first
 * that has to be there is a search of the model, which indexes serve; the rest are conditions.
 */
import {
  countNode,
  type TokenCursor,
  createTokenCursor,
  type DataExpression,
  refuseUnexpectedToken,
  createIllegalToken,
  isSymbol,
  refuseExcessiveDepth,
  type ExpressionLanguage,
  findLengthFault,
  parseChain,
  type ExpressionParseResult,
  toExpressionParseResult,
  peekToken,
  readQuotedText,
  scanTokens,
  expectSymbol,
  type Token,
  readTokenAt,
} from '@tessera/filter';
import { type DataSearch, type ParsedFilter, unicodeFormsOf } from '@tessera/knowledge-model';
import type { EntityProperty, EntityType } from '../model/entity-model.js';
import type { OptionFaultCollector } from './option-fault.js';

/** All of it has to hold. */
export type SearchConditions = { readonly search?: DataSearch; readonly filters: readonly ParsedFilter[] };

export const readSearch = (
  type: EntityType,
  text: string | undefined,
  faults: OptionFaultCollector,
): SearchConditions => {
  const expression = text === undefined ? undefined : readExpression(type, text, faults);
  if (text === undefined || !expression) return { filters: [] };
  const properties = searchableProperties(type);
  const operands = expression.kind === 'and' ? expression.operands : [expression];
  const first = operands.find((operand) => operand.kind === 'text');
  const filters = operands.flatMap((operand): readonly ParsedFilter[] =>
    operand === first ? [] : [{ parameter: '$search', text, expression: conditionOn(properties, operand) }],
  );
  if (!first) return { filters };
  const fields = properties.map(({ id }) => id);
  return { search: { term: first.text, fields, precision: 100 }, filters };
};

/** The same as conditions alone, which may stand beside a search of the model. */
export const readSearchFilter = (
  type: EntityType,
  text: string,
  faults: OptionFaultCollector,
): readonly ParsedFilter[] => {
  const expression = readExpression(type, text, faults);
  return expression
    ? [{ parameter: '$search', text, expression: conditionOn(searchableProperties(type), expression) }]
    : [];
};

const readExpression = (type: EntityType, text: string, faults: OptionFaultCollector): SearchExpression | undefined => {
  if (searchableProperties(type).length === 0) {
    const message = `${type.name} has no property of type Edm.String to search.`;
    return void faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'search', message, position: 0 });
  }
  const parsing = parseSearch(text);
  return parsing.ok ? parsing.value : void faults.add('GENERAL_PARAMETER_ILLEGAL', parsing.fault);
};

export const searchableProperties = ({ properties }: Pick<EntityType, 'properties'>): readonly EntityProperty[] =>
  properties.filter(({ type, filterable }) => type === 'string' && filterable);

type SearchedText = { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number };

type SearchExpression =
  | SearchedText
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SearchExpression[] }
  | { readonly kind: 'not'; readonly operand: SearchExpression };

const conditionOn = (properties: readonly EntityProperty[], expression: SearchExpression): DataExpression => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map((operand) => conditionOn(properties, operand)) };
    case 'not':
      return { ...expression, operand: conditionOn(properties, expression.operand) };
    case 'text': {
      const { text, start, end } = expression;
      const likeness = { anyBefore: true, anyAfter: true, ignoreCase: true };
      const operands = properties.map(({ id }): DataExpression => ({
        kind: 'in',
        field: { name: id, applied: [], start, end },
        literals: unicodeFormsOf(text).map((form) => ({ kind: 'string', text: form, start, end })),
        likeness,
      }));
      return { kind: 'or', operands };
    }
  }
};

const searchLanguage: ExpressionLanguage = {
  name: 'search',
  nodes: 'words and phrases',
  nested: 'Parentheses and NOT',
  string: 'a phrase',
  suggestsForStrings: false,
};
const searchLimits = { charactersMax: 1_000, depthMax: 20, nodesMax: 24 };

const spacePattern = /\s+/y;
const symbolPattern = /[()]/y;
const wordPattern = /[^\s"'()][^\s"()]*/y;

/** A phrase in double quotes has `\"` and `\\` for a quote and a backslash, one in single quotes `''` for a quote. */
const phrasePattern = /"((?:[^"\\]|\\["\\])*)"/y;

const readPhrase = (text: string, start: number): { readonly text: string; readonly end: number } | undefined => {
  if (text.charAt(start) === "'") return readQuotedText(text, start);
  phrasePattern.lastIndex = start;
  const written = phrasePattern.exec(text)?.[1];
  return written === undefined ? undefined : { text: written.replaceAll(/\\(.)/g, '$1'), end: phrasePattern.lastIndex };
};

const readToken = (text: string, start: number): Token => {
  const isPhrase = /["']/.test(text.charAt(start));
  const phrase = isPhrase ? readPhrase(text, start) : undefined;
  if (phrase) return { kind: 'string', start, ...phrase };
  if (isPhrase) {
    const hint = text.includes('\\', start) ? String.raw`; a backslash in it is written \\` : '';
    return createIllegalToken(start, `the phrase that begins here has no end${hint}`);
  }
  return (
    readTokenAt('symbol', symbolPattern, text, start) ??
    readTokenAt('word', wordPattern, text, start) ??
    createIllegalToken(start, 'no word')
  );
};

const parseSearch = (text: string): ExpressionParseResult<SearchExpression> => {
  const tooLong = findLengthFault(searchLanguage, text.trimStart().length, searchLimits);
  if (tooLong) return { ok: false, fault: tooLong };
  const cursor = createTokenCursor(
    searchLanguage,
    scanTokens(text, spacePattern, (start) => readToken(text, start)),
    searchLimits,
  );
  const expression = parseOr(cursor, 0);
  if (expression && peekToken(cursor).kind !== 'end')
    refuseUnexpectedToken(cursor, 'a word, a phrase, AND, OR or the end');
  return toExpressionParseResult(cursor, expression, operandExpected);
};

const operandExpected = 'a word, a phrase in quotes, NOT or a parenthesis';

const isKeyword = (token: Token, keyword: 'AND' | 'OR' | 'NOT'): boolean =>
  token.kind === 'word' && token.text === keyword;

const parseOr = (cursor: TokenCursor, depth: number): SearchExpression | undefined => {
  const first = parseAnd(cursor, depth);
  const operands =
    first &&
    parseChain(
      cursor,
      first,
      (token) => isKeyword(token, 'OR'),
      () => parseAnd(cursor, depth),
    );
  return operands && joinOperands('or', operands);
};

const parseAnd = (cursor: TokenCursor, depth: number): SearchExpression | undefined => {
  const first = parseOperand(cursor, depth);
  if (!first) return undefined;
  const operands = [first];
  while (continuesConjunction(peekToken(cursor))) {
    if (isKeyword(peekToken(cursor), 'AND')) cursor.index++;
    const next = parseOperand(cursor, depth);
    if (!next) return undefined;
    operands.push(next);
  }
  return joinOperands('and', operands);
};

/** What stands side by side has to be there together. */
const continuesConjunction = (token: Token): boolean =>
  (token.kind === 'word' && !isKeyword(token, 'OR')) || token.kind === 'string' || isSymbol(token, '(');

const joinOperands = (kind: 'and' | 'or', operands: readonly SearchExpression[]): SearchExpression | undefined =>
  operands.length === 1 ? operands[0] : { kind, operands };

const parseOperand = (cursor: TokenCursor, depth: number): SearchExpression | undefined => {
  const token = peekToken(cursor);
  if (isKeyword(token, 'NOT') || isSymbol(token, '(')) {
    if (refuseExcessiveDepth(cursor, depth)) return undefined;
    cursor.index++;
    return token.kind === 'symbol' ? parseEnclosed(cursor, depth + 1) : parseNegated(cursor, depth + 1);
  }
  const isText =
    token.kind === 'string' || (token.kind === 'word' && !isKeyword(token, 'AND') && !isKeyword(token, 'OR'));
  if (!isText || token.text.trim() === '') return refuseUnexpectedToken(cursor, operandExpected);
  cursor.index++;
  const { text, start, end } = token;
  return countNode(cursor, { kind: 'text', text, start, end }, start);
};

const parseEnclosed = (cursor: TokenCursor, depth: number): SearchExpression | undefined => {
  const inner = parseOr(cursor, depth);
  return inner && expectSymbol(cursor, ')') && inner;
};

const parseNegated = (cursor: TokenCursor, depth: number): SearchExpression | undefined => {
  const operand = parseOperand(cursor, depth);
  return operand && { kind: 'not', operand };
};
