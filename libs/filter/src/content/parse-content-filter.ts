/**
 * The filter syntax of the content repository -> the tree: `key -eq 'v'`, `-ne -gt -ge -lt -le`, `-in ('a','b')`,
 * `Contains(key,'v')`, `StartsWith`, `EndsWith`, `IsNull(key)`, `NOT`, `AND`, `OR`, parentheses. `Equal` is `-eq`, as an
 * operator and as a function. Keywords are case-insensitive. Precedence: NOT, AND, OR.
 * Refuses: what is past a budget, and to guess. The first fault ends it, with its position and what was expected.
 */
import { nearestName } from '@tessera/failures';
import type { ComparisonOperator, FilterExpression, FilterField, FilterLiteral, MatchFunction } from '../expression.js';
import type { FilterFault, FilterParsing } from '../filter-fault.js';
import { type FilterLimits, standardFilterLimits } from '../limits.js';
import { scan, type Token } from './scan.js';

/** Where the parser stands. `fault` is set once; everything returns undefined from then on. */
type Cursor = {
  readonly tokens: readonly Token[];
  readonly limits: FilterLimits;
  index: number;
  nodes: number;
  fault?: FilterFault;
};

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
  if (text.length > limits.charactersMax) {
    const message = `The filter has ${text.length} characters; at most ${limits.charactersMax} are accepted.`;
    return { ok: false, fault: { position: limits.charactersMax, message, rule: 'charactersMax' } };
  }
  const cursor: Cursor = { tokens: scan(text), limits, index: 0, nodes: 0 };
  const expression = parseOr(cursor, 0);
  if (expression && peek(cursor).kind !== 'end') expected(cursor, 'AND, OR or the end of the filter', ['AND', 'OR']);
  if (cursor.fault) return { ok: false, fault: cursor.fault };
  return expression
    ? { ok: true, value: expression }
    : { ok: false, fault: { position: 0, message: `Expected ${conditionExpected}.`, rule: 'syntax' } };
};

const parseOr = (cursor: Cursor, depth: number): Step => parseChain(cursor, 'or', () => parseAnd(cursor, depth));
const parseAnd = (cursor: Cursor, depth: number): Step => parseChain(cursor, 'and', () => parseNot(cursor, depth));

/** One or more operands joined by the same keyword; a chain is one node, however long. */
const parseChain = (cursor: Cursor, keyword: 'and' | 'or', parseOperand: () => Step): Step => {
  const first = parseOperand();
  if (!first) return undefined;
  const operands = [first];
  while (isWord(peek(cursor), keyword)) {
    cursor.index++;
    const next = parseOperand();
    if (!next) return undefined;
    operands.push(next);
  }
  return operands.length === 1 ? first : node(cursor, { kind: keyword, operands });
};

const parseNot = (cursor: Cursor, depth: number): Step => {
  const token = peek(cursor);
  if (!isWord(token, 'not') || isOperatorOf(cursor, 1)) return parseCondition(cursor, depth);
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor);
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
  if (depth >= cursor.limits.depthMax) return tooDeep(cursor);
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
  return node(
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

const parseList = (cursor: Cursor): readonly FilterLiteral[] | undefined => {
  if (!take(cursor, 'open', "a list such as ('a','b')")) return undefined;
  const literals: FilterLiteral[] = [];
  for (;;) {
    const { start } = peek(cursor);
    const literal = parseLiteral(cursor);
    if (!literal) return undefined;
    if (literals.push(literal) > cursor.limits.listValuesMax)
      return refuse(cursor, start, `A list has at most ${cursor.limits.listValuesMax} values.`, 'listValuesMax');
    if (peek(cursor).kind !== 'comma') break;
    cursor.index++;
  }
  return take(cursor, 'close', 'a comma or a closing parenthesis') && literals;
};

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

const node = (cursor: Cursor, made: FilterExpression): Step => {
  cursor.nodes++;
  if (cursor.nodes <= cursor.limits.nodesMax) return made;
  return refuse(cursor, peek(cursor).start, `A filter has at most ${cursor.limits.nodesMax} conditions.`, 'nodesMax');
};

const take = (cursor: Cursor, kind: Token['kind'], what: string): true | undefined => {
  if (peek(cursor).kind !== kind) return expected(cursor, what);
  cursor.index++;
  return true;
};

const endOfText: Token = { kind: 'end', start: 0, end: 0 };
const peek = (cursor: Cursor, ahead = 0): Token =>
  cursor.tokens[cursor.index + ahead] ?? cursor.tokens.at(-1) ?? endOfText;

const isWord = (token: Token, keyword: string): token is Token & { kind: 'word'; text: string } =>
  token.kind === 'word' && token.text.toLowerCase() === keyword;
const isOperator = (token: Token): boolean => token.kind === 'operator' || isWord(token, 'equal');

/** `Equal` may be a field as well (`NOT Equal -eq 'a'`); it is an operator when a value follows. */
const isOperatorOf = (cursor: Cursor, ahead: number): boolean => {
  const [token, next] = [peek(cursor, ahead), peek(cursor, ahead + 1)];
  const isValue = next.kind === 'string' || next.kind === 'number' || isWord(next, 'true') || isWord(next, 'false');
  return token.kind === 'operator' || (isWord(token, 'equal') && isValue);
};

const tooDeep = (cursor: Cursor): undefined => {
  const message = `Parentheses and NOT go at most ${cursor.limits.depthMax} deep.`;
  return refuse(cursor, peek(cursor).start, message, 'depthMax');
};

const expected = (cursor: Cursor, what: string, candidates: readonly string[] = []): undefined => {
  const token = peek(cursor);
  const found = 'text' in token ? nearestName(token.text, candidates) : undefined;
  const hint = found ? ` Did you mean ${found}?` : '';
  return refuse(cursor, token.start, `Expected ${what}, but ${nameOf(token)}.${hint}`, 'syntax', found);
};

const nameOf = (token: Token): string => {
  switch (token.kind) {
    case 'end':
      return 'the filter ends here';
    case 'illegal':
      return token.message;
    case 'open':
      return 'there is "("';
    case 'close':
      return 'there is ")"';
    case 'comma':
      return 'there is ","';
    case 'string':
      return 'there is a string';
    case 'word':
    case 'operator':
    case 'number':
      return `there is ${JSON.stringify(token.text.slice(0, 40))}`;
  }
};

const refuse = (cursor: Cursor, position: number, message: string, rule: string, suggestion?: string): undefined => {
  cursor.fault ??= { position, message, rule, ...(suggestion === undefined ? {} : { suggestion }) };
  return undefined;
};
