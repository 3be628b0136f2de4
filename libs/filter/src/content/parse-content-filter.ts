/**
 * The filter syntax of the content repository -> the tree: `key -eq 'v'`, `-ne -gt -ge -lt -le`, `-in ('a','b')`,
 * `Contains(key,'v')`, `StartsWith`, `EndsWith`, `IsNull(key)`, `NOT`, `AND`, `OR`, parentheses. `Equal` is `-eq`, as an
 * operator and as a function. Keywords are case-insensitive. Precedence: NOT, AND, OR.
 * Refuses: what is past a budget, and to guess. The first fault ends it, with its position and what was expected.
 */
import {
  beginWith,
  type Cursor,
  expected,
  lengthFault,
  node,
  parseChain,
  parseValues,
  peek,
  take,
  tooDeep,
} from '../cursor.js';
import type { ComparisonOperator, FilterExpression, FilterField, FilterLiteral, MatchFunction } from '../expression.js';
import type { FilterParsing } from '../filter-fault.js';
import { type FilterLimits, standardFilterLimits } from '../limits.js';
import type { Token } from '../token.js';
import { scan } from './scan.js';

type Step = FilterExpression | undefined;

const operators: ReadonlyMap<string, ComparisonOperator | 'in'> = new Map([
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

export const parseContentFilter = (
  text: string,
  limits: FilterLimits = standardFilterLimits,
): FilterParsing<FilterExpression> => {
  const tooLong = lengthFault(text.length, limits);
  if (tooLong) return { ok: false, fault: tooLong };
  const cursor = beginWith(scan(text), limits);
  const expression = parseOr(cursor, 0);
  if (expression && peek(cursor).kind !== 'end') expected(cursor, 'AND, OR or the end of the filter', ['AND', 'OR']);
  if (cursor.fault) return { ok: false, fault: cursor.fault };
  return expression
    ? { ok: true, value: expression }
    : { ok: false, fault: { position: 0, message: `Expected ${conditionExpected}.`, rule: 'syntax' } };
};

const parseOr = (cursor: Cursor, depth: number): Step =>
  parseChain(
    cursor,
    'or',
    (token) => isWord(token, 'or'),
    () => parseAnd(cursor, depth),
  );
const parseAnd = (cursor: Cursor, depth: number): Step =>
  parseChain(
    cursor,
    'and',
    (token) => isWord(token, 'and'),
    () => parseNot(cursor, depth),
  );

const parseNot = (cursor: Cursor, depth: number): Step => {
  const token = peek(cursor);
  if (!isWord(token, 'not') || isOperatorOf(cursor, 1)) return parseCondition(cursor, depth);
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor, 'Parentheses and NOT');
  cursor.index++;
  const operand = parseNot(cursor, depth + 1);
  return operand && node(cursor, { kind: 'not', operand });
};

const parseCondition = (cursor: Cursor, depth: number): Step => {
  const token = peek(cursor);
  if (token.kind === 'open') return parseParenthesis(cursor, depth);
  if (token.kind !== 'word') return expected(cursor, conditionExpected);
  return peek(cursor, 1).kind === 'open' ? parseFunction(cursor, token.text) : parseComparison(cursor);
};

const parseParenthesis = (cursor: Cursor, depth: number): Step => {
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor, 'Parentheses and NOT');
  cursor.index++;
  const inner = parseOr(cursor, depth + 1);
  return inner && take(cursor, 'close', 'AND, OR or a closing parenthesis') && inner;
};

const parseFunction = (cursor: Cursor, name: string): Step => {
  const called = name.toLowerCase();
  const matching = matchFunctions.get(called);
  if (!matching && called !== 'isnull' && called !== 'equal')
    return expected(cursor, `one of the functions ${functionNames.join(', ')}`, functionNames);
  cursor.index += 2;
  const field = parseField(cursor);
  if (!field) return undefined;
  if (called === 'isnull')
    return take(cursor, 'close', 'a closing parenthesis') && node(cursor, { kind: 'blank', field });
  const literal = take(cursor, 'comma', 'a comma and a value') && parseLiteral(cursor);
  if (!literal || !take(cursor, 'close', 'a closing parenthesis')) return undefined;
  return node<FilterExpression>(
    cursor,
    matching
      ? { kind: 'match', function: matching, field, literal }
      : { kind: 'compare', operator: 'eq', field, literal },
  );
};

const parseComparison = (cursor: Cursor): Step => {
  const field = parseField(cursor);
  if (!field) return undefined;
  const token = peek(cursor);
  const operator = 'text' in token && isOperator(token) ? operators.get(token.text.toLowerCase()) : undefined;
  if (!operator) {
    const names = [...operators.keys()].filter((name) => name.startsWith('-'));
    return expected(cursor, `an operator (${names.join(' ')})`, names);
  }
  cursor.index++;
  if (operator === 'in') {
    const literals = parseList(cursor);
    return literals && node(cursor, { kind: 'in', field, literals });
  }
  const literal = parseLiteral(cursor);
  return literal && node(cursor, { kind: 'compare', operator, field, literal });
};

const parseList = (cursor: Cursor): readonly FilterLiteral[] | undefined =>
  take(cursor, 'open', "a list such as ('a','b')") && parseValues(cursor, () => parseLiteral(cursor));

const parseField = (cursor: Cursor): FilterField | undefined => {
  const token = peek(cursor);
  if (token.kind !== 'word') return expected(cursor, 'the name of an attribute, type, state or stereotype');
  cursor.index++;
  return { name: token.text, start: token.start, end: token.end };
};

const parseLiteral = (cursor: Cursor): FilterLiteral | undefined => {
  const token = peek(cursor);
  const { start, end } = token;
  switch (token.kind) {
    case 'string':
    case 'number':
      cursor.index++;
      return { kind: token.kind, text: token.text, start, end };
    case 'word':
      if (!isWord(token, 'true') && !isWord(token, 'false')) break;
      cursor.index++;
      return { kind: 'boolean', text: token.text.toLowerCase(), start, end };
    default:
  }
  return expected(cursor, "a value: a string in single quotes ('it''s'), a number, true or false");
};

const isWord = (token: Token, keyword: string): token is Token & { kind: 'word'; text: string } =>
  token.kind === 'word' && token.text.toLowerCase() === keyword;
const isOperator = (token: Token): boolean => token.kind === 'operator' || isWord(token, 'equal');

/** `Equal` may be a field as well (`NOT Equal -eq 'a'`); it is an operator when a value follows. */
const isOperatorOf = (cursor: Cursor, ahead: number): boolean => {
  const [token, next] = [peek(cursor, ahead), peek(cursor, ahead + 1)];
  const isValue = next.kind === 'string' || next.kind === 'number' || isWord(next, 'true') || isWord(next, 'false');
  return token.kind === 'operator' || (isWord(token, 'equal') && isValue);
};
