/**
 * The filter syntax of the content repository -> the tree: `key -eq 'v'`, `-ne -gt -ge -lt -le`, `-in ('a','b')`,
 * `Contains(key,'v')`, `StartsWith`, `EndsWith`, `IsNull(key)`, `NOT`, `AND`, `OR`, parentheses. `Equal` is `-eq`, as an
 * operator and as a function. A value of one word needs no quotes. Keywords are case-insensitive. Precedence: NOT, AND, OR.
 * Stops at the first fault.
 */
import {
  countNode,
  type TokenCursor,
  createTokenCursor,
  refuseUnexpectedToken,
  isSymbol,
  isWord,
  findLengthFault,
  matchAt,
  parseItems,
  type ExpressionParseResult,
  toExpressionParseResult,
  peekToken,
  expectSymbol,
  type Token,
  readTokenAt,
} from '../parser.js';
import type {
  ComparisonOperator,
  FilterCondition,
  FilterExpression,
  FilterField,
  FilterLiteral,
  MatchFunction,
} from '../expression.js';
import {
  createFilterLanguage,
  type FilterLimits,
  type LogicalExpressionSyntax,
  parseLogicalExpression,
  scanFilter,
  standardFilterLimits,
} from '../filter-language.js';

type Step = FilterExpression | undefined;

const operatorByWord: ReadonlyMap<string, ComparisonOperator | 'in'> = new Map([
  ['-eq', 'eq'],
  ['equal', 'eq'],
  ['-ne', 'ne'],
  ['-gt', 'gt'],
  ['-ge', 'ge'],
  ['-lt', 'lt'],
  ['-le', 'le'],
  ['-in', 'in'],
]);
const matchFunctions: ReadonlyMap<string, MatchFunction> = new Map([
  ['contains', 'contains'],
  ['startswith', 'startswith'],
  ['endswith', 'endswith'],
]);
const functionNames = ['Contains', 'StartsWith', 'EndsWith', 'IsNull', 'Equal'];
const conditionExpected = "a condition such as name -eq 'value', Contains(name, 'value'), NOT or a parenthesis";

const contentLanguage = createFilterLanguage('Parentheses and NOT');

export const parseContentFilter = (
  text: string,
  limits: FilterLimits = standardFilterLimits,
): ExpressionParseResult<FilterExpression> => {
  const tooLong = findLengthFault(contentLanguage, text.length, limits);
  if (tooLong) return { ok: false, fault: tooLong };
  const tokens = scanFilter(text, (start) => readWord(text, start));
  const cursor = createTokenCursor(contentLanguage, tokens, limits);
  const expression = parseLogicalExpression(cursor, contentSyntax);
  const next = peekToken(cursor);
  if (expression && next.kind !== 'end') {
    const quotes = next.kind === 'word' ? ', or quotes around a value of several words' : '';
    refuseUnexpectedToken(cursor, `AND, OR or the end of the filter${quotes}`, ['AND', 'OR']);
  }
  return toExpressionParseResult(cursor, expression, conditionExpected);
};

const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy;
/** An operator at the end of a word; with an operand behind it (`name-eq'a'`) it is one, else part of the name (`follow-in`). */
const gluedOperatorPattern = /-(?:eq|ne|gt|ge|lt|le|in)$/i;
const operandPattern = /\s*(?:['(\p{L}\p{N}]|[+-]\d)/uy;
const numberPattern = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y;
const operatorPattern = /-\p{L}+/uy;

const readWord = (text: string, start: number): Token | undefined => {
  const number = readTokenAt('number', numberPattern, text, start);
  if (number) return number;
  const operator = matchAt(operatorPattern, text, start);
  if (operator) return { kind: 'symbol', text: operator.toLowerCase(), start, end: start + operator.length };
  const word = matchAt(wordPattern, text, start);
  if (word === undefined) return undefined;
  const glued = gluedOperatorPattern.exec(word);
  const name = glued && matchAt(operandPattern, text, start + word.length) ? word.slice(0, glued.index) : word;
  return { kind: 'word', text: name, start, end: start + name.length };
};

const parseCondition = (cursor: TokenCursor): Step => {
  const token = peekToken(cursor);
  if (token.kind !== 'word') return refuseUnexpectedToken(cursor, conditionExpected);
  return isSymbol(peekToken(cursor, 1), '(') ? parseFunction(cursor, token.text) : parseComparison(cursor);
};

const parseFunction = (cursor: TokenCursor, name: string): Step => {
  const called = name.toLowerCase();
  const matching = matchFunctions.get(called);
  if (!matching && called !== 'isnull' && called !== 'equal')
    return refuseUnexpectedToken(cursor, `one of the functions ${functionNames.join(', ')}`, functionNames);
  cursor.index += 2;
  const field = parseField(cursor);
  if (!field) return undefined;
  if (called === 'isnull')
    return expectSymbol(cursor, ')', 'a closing parenthesis') && countNode(cursor, { kind: 'blank', field });
  const literal = expectSymbol(cursor, ',', 'a comma and a value') && parseLiteral(cursor);
  if (!literal || !expectSymbol(cursor, ')', 'a closing parenthesis')) return undefined;
  return countNode<FilterExpression>(
    cursor,
    matching
      ? { kind: 'match', function: matching, field, literal }
      : { kind: 'compare', operator: 'eq', field, literal },
  );
};

const parseComparison = (cursor: TokenCursor): Step => {
  const field = parseField(cursor);
  if (!field) return undefined;
  const token = peekToken(cursor);
  const operator = 'text' in token && isOperator(token) ? operatorByWord.get(token.text.toLowerCase()) : undefined;
  if (!operator) {
    const names = [...operatorByWord.keys()].filter((name) => name.startsWith('-'));
    return refuseUnexpectedToken(cursor, `an operator (${names.join(' ')})`, names);
  }
  cursor.index++;
  if (operator === 'in') {
    const literals = parseList(cursor);
    return literals && countNode(cursor, { kind: 'in', field, literals });
  }
  const literal = parseLiteral(cursor);
  return literal && countNode(cursor, { kind: 'compare', operator, field, literal });
};

const parseList = (cursor: TokenCursor): readonly FilterLiteral[] | undefined =>
  expectSymbol(cursor, '(', "a list such as ('a','b')") &&
  parseItems(cursor, () => parseLiteral(cursor), 'a comma or a closing parenthesis');

const parseField = (cursor: TokenCursor): FilterField | undefined => {
  const token = peekToken(cursor);
  if (token.kind !== 'word')
    return refuseUnexpectedToken(cursor, 'the name of an attribute, type, state or stereotype');
  cursor.index++;
  return { name: token.text, start: token.start, end: token.end };
};

const parseLiteral = (cursor: TokenCursor): FilterLiteral | undefined => {
  const token = peekToken(cursor);
  const { start, end } = token;
  switch (token.kind) {
    case 'string':
    case 'number':
      cursor.index++;
      return { kind: token.kind, text: token.text, start, end };
    case 'word':
      if (isWord(token, 'and', 'or', 'not')) break;
      cursor.index++;
      return isWord(token, 'true', 'false')
        ? { kind: 'boolean', text: token.text.toLowerCase(), start, end }
        : { kind: 'string', text: token.text, start, end };
    default:
  }
  return refuseUnexpectedToken(
    cursor,
    "a value: a string in single quotes ('it''s') or of one word, a number, true or false",
  );
};

const isOperator = (token: Token): boolean =>
  (token.kind === 'symbol' && token.text.startsWith('-')) || isWord(token, 'equal');

/** `Equal` may be a field as well (`NOT Equal -eq 'a'`); it is an operator when a value follows. */
const isOperatorOf = (cursor: TokenCursor, ahead: number): boolean => {
  const [token, next] = [peekToken(cursor, ahead), peekToken(cursor, ahead + 1)];
  const isValue = next.kind === 'string' || next.kind === 'number' || isWord(next, 'true', 'false');
  return isWord(token, 'equal') ? isValue : isOperator(token);
};

const contentSyntax: LogicalExpressionSyntax<FilterCondition> = {
  isKeyword: isWord,
  isNot: (cursor) => isWord(peekToken(cursor), 'not') && !isOperatorOf(cursor, 1),
  parseCondition,
  takeClosing: (cursor) => expectSymbol(cursor, ')', 'AND, OR or a closing parenthesis'),
};
