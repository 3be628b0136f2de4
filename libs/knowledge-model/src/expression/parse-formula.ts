/**
 * Text of a formula -> tokens -> formula: operators by precedence, as SQL has them (or, and, not, is, comparison,
 * in/between/like, ||, + -, * / %, sign). Keywords and functions are case-insensitive, names are not. Stops at the first fault.
 */
import {
  type TokenCursor,
  createTokenCursor,
  refuseUnexpectedToken,
  createExpressionFault,
  createIllegalToken,
  isSymbol,
  refuseExcessiveDepth,
  isWord,
  type ExpressionLanguage,
  findLengthFault,
  matchAt,
  parseChain,
  parseItems,
  type ExpressionParseResult,
  toExpressionParseResult,
  peekToken,
  readQuotedText,
  setFirstFault,
  scanTokens,
  expectSymbol,
  type Token,
  readTokenAt,
} from '@tessera/filter';
import type { FormulaArithmeticOperator, FormulaComparisonOperator, Formula, FormulaNode } from './formula.js';
import { parseOperand, createCountedNode, type ParsedFormula } from './parse-operand.js';

/** How tightly operators bind; a higher one binds first. */
export const bindingPowers = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  comparison: 5,
  range: 6,
  text: 7,
  sum: 8,
  product: 9,
  sign: 10,
  operand: 11,
} as const;

const comparisonOperators: readonly FormulaComparisonOperator[] = ['=', '<>', '<', '<=', '>', '>='];
const arithmeticPowers: ReadonlyMap<FormulaArithmeticOperator, number> = new Map([
  ['||', bindingPowers.text],
  ['+', bindingPowers.sum],
  ['-', bindingPowers.sum],
  ['*', bindingPowers.product],
  ['/', bindingPowers.product],
  ['%', bindingPowers.product],
]);
const rangeWords = ['in', 'between', 'like'];

export const parseFormula = (
  text: string,
  limits: FormulaLimits = standardFormulaLimits,
): ExpressionParseResult<Formula> => {
  const tooLong = findLengthFault(formulaLanguage, text.length, limits);
  if (tooLong) return { ok: false, fault: tooLong };
  const cursor = createTokenCursor(formulaLanguage, scanFormula(text), limits);
  const formula = parseExpression(cursor, 0, 0);
  if (formula && peekToken(cursor).kind !== 'end')
    refuseUnexpectedToken(cursor, 'an operator or the end of the formula', ['and', 'or', 'is', ...rangeWords]);
  return toExpressionParseResult(cursor, formula, 'a formula');
};

/** Everything from here on whose operators bind at least as tightly as `least`. */
const parseExpression = (cursor: TokenCursor, least: number, depth: number): ParsedFormula => {
  const { start } = peekToken(cursor);
  let left = parsePrefix(cursor, least, depth);
  while (left) {
    const next = parseInfix(cursor, left, start, least, depth);
    if (next === 'none') return left;
    left = next;
  }
  return undefined;
};

const parsePrefix = (cursor: TokenCursor, least: number, depth: number): ParsedFormula => {
  const token = peekToken(cursor);
  const sign = isSymbol(token, '-');
  if (!sign && !(isWord(token, 'not') && least <= bindingPowers.not))
    return parseOperand(cursor, depth, parseExpression);
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  cursor.index++;
  const operand = parseExpression(cursor, sign ? bindingPowers.sign : bindingPowers.not, depth + 1);
  return operand && createCountedNode(cursor, token.start, { kind: sign ? 'negate' : 'not', operand });
};

/** What the next operator makes of `left`; `none` when no operator that binds tightly enough stands here. */
const parseInfix = (
  cursor: TokenCursor,
  left: Formula,
  start: number,
  least: number,
  depth: number,
): ParsedFormula | 'none' => {
  const token = peekToken(cursor);
  if (token.kind === 'symbol') return parseSymbol(cursor, left, start, least, depth);
  if (isWord(token, 'and', 'or')) {
    const kind = isWord(token, 'and') ? 'and' : 'or';
    return bindingPowers[kind] < least ? 'none' : parseLogicalChain(cursor, left, start, kind, depth);
  }
  if (isWord(token, 'is')) return bindingPowers.is < least ? 'none' : parseIs(cursor, left, start);
  const range = isWord(token, ...rangeWords) || (isWord(token, 'not') && isWord(peekToken(cursor, 1), ...rangeWords));
  if (!range || bindingPowers.range < least) return 'none';
  return rejectChained(cursor, parseRange(cursor, left, start, depth), () =>
    isWord(peekToken(cursor), 'not', ...rangeWords),
  );
};

const parseSymbol = (
  cursor: TokenCursor,
  left: Formula,
  start: number,
  least: number,
  depth: number,
): ParsedFormula | 'none' => {
  const token = peekToken(cursor);
  const compare = comparisonOperators.find((operator) => isSymbol(token, operator));
  const compute = [...arithmeticPowers.keys()].find((operator) => isSymbol(token, operator));
  const own = compare ? bindingPowers.comparison : compute && arithmeticPowers.get(compute);
  if (own === undefined || own < least) return 'none';
  cursor.index++;
  const right = parseExpression(cursor, own + 1, depth);
  if (!right) return undefined;
  if (compute) return createCountedNode(cursor, start, { kind: 'arithmetic', operator: compute, left, right });
  const made = compare && createCountedNode(cursor, start, { kind: 'comparison', operator: compare, left, right });
  return rejectChained(cursor, made, () => isSymbol(peekToken(cursor), ...comparisonOperators));
};

/** Comparisons do not chain: `a < b < c` means nothing. */
const rejectChained = (cursor: TokenCursor, made: ParsedFormula, follows: () => boolean): ParsedFormula => {
  if (!made || !follows()) return made;
  const message = 'Comparisons cannot be chained; join them by and, or use parentheses.';
  return setFirstFault(cursor, createExpressionFault(peekToken(cursor).start, 'syntax', message));
};

/** Operands joined by the same word are one node, however many. */
const parseLogicalChain = (
  cursor: TokenCursor,
  first: Formula,
  start: number,
  kind: 'and' | 'or',
  depth: number,
): ParsedFormula => {
  const parseNext = (): ParsedFormula => parseExpression(cursor, bindingPowers[kind] + 1, depth);
  const operands = parseChain(cursor, first, (token) => isWord(token, kind), parseNext);
  return operands && createCountedNode(cursor, start, { kind, operands });
};

const parseIs = (cursor: TokenCursor, operand: Formula, start: number): ParsedFormula => {
  cursor.index++;
  const negated = isWord(peekToken(cursor), 'not');
  if (negated) cursor.index++;
  return (
    expectSymbol(cursor, 'null', negated ? 'null' : 'null or not null') &&
    createCountedNode(cursor, start, { kind: 'isNull', operand, negated })
  );
};

const parseRange = (cursor: TokenCursor, operand: Formula, start: number, depth: number): ParsedFormula => {
  const negated = isWord(peekToken(cursor), 'not');
  if (negated) cursor.index++;
  const token = peekToken(cursor);
  cursor.index++;
  if (isWord(token, 'in')) {
    const items = parseList(cursor, depth);
    return items && createCountedNode(cursor, start, { kind: 'in', operand, items, negated });
  }
  const first = parseExpression(cursor, bindingPowers.text, depth);
  if (!first) return undefined;
  if (isWord(token, 'like'))
    return createCountedNode(cursor, start, { kind: 'like', operand, pattern: first, negated });
  const high = expectSymbol(cursor, 'and') && parseExpression(cursor, bindingPowers.text, depth);
  const made: FormulaNode | undefined = high && { kind: 'between', operand, low: first, high, negated };
  return made && createCountedNode(cursor, start, made);
};

const parseList = (cursor: TokenCursor, depth: number): readonly Formula[] | undefined => {
  if (refuseExcessiveDepth(cursor, depth) || !expectSymbol(cursor, '(', "a list such as ('a', 'b')")) return undefined;
  return parseItems(cursor, () => parseExpression(cursor, 0, depth + 1), 'a comma or ")"');
};

const spacePattern = /[ \t\r\n]+/y;
const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const numberPattern = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?/y;
const wordCharacter = /[\p{L}\p{N}_]/uy;
const numberCharactersMax = 40;
const symbolPattern = /<>|<=|>=|!=|\|\||[=<>+\-*/%(),.:]/y;

export const scanFormula = (text: string): readonly Token[] =>
  scanTokens(text, spacePattern, (start) => readToken(text, start));

const readToken = (text: string, start: number): Token => {
  if (text.charAt(start) === "'") return readQuotedToken(text, start, 'string');
  if (text.charAt(start) === '"') return readQuotedToken(text, start, 'quoted');
  const word = readTokenAt('word', wordPattern, text, start);
  if (word) return word;
  const number = matchAt(numberPattern, text, start);
  if (number) return readNumber(text, start, number);
  if (text.startsWith('--', start) || text.startsWith('/*', start))
    return createIllegalToken(start, 'a formula has no comments; write - (-x) for two signs');
  const symbol = matchAt(symbolPattern, text, start);
  if (symbol) return { kind: 'symbol', text: symbol === '!=' ? '<>' : symbol, start, end: start + symbol.length };
  return createIllegalToken(start, `${JSON.stringify(characterAt(text, start))} means nothing in a formula`);
};

const readNumber = (text: string, start: number, number: string): Token => {
  const end = start + number.length;
  if (number.length > numberCharactersMax)
    return createIllegalToken(start, `a number has at most ${numberCharactersMax} characters`);
  return matchAt(wordCharacter, text, end)
    ? createIllegalToken(end, `${JSON.stringify(characterAt(text, end))} cannot follow a number`)
    : { kind: 'number', text: number, start, end };
};

const readQuotedToken = (text: string, start: number, kind: 'string' | 'quoted'): Token => {
  const quoted = readQuotedText(text, start);
  if (!quoted) {
    const quote = text.charAt(start);
    const doubled = `one that belongs to it is written ${quote}${quote}`;
    return createIllegalToken(start, `what begins here has no closing ${quote} (${doubled})`);
  }
  return quoted.text.isWellFormed() && !quoted.text.includes('\0')
    ? { kind, start, ...quoted }
    : createIllegalToken(start, 'this text holds a character that cannot be stored');
};

const characterAt = (text: string, start: number): string => String.fromCodePoint(text.codePointAt(start) ?? 0);

export const formulaLanguage: ExpressionLanguage = {
  name: 'formula',
  nodes: 'operators, names and values',
  nested: 'Parentheses, functions, cases and signs',
  string: 'a text',
  suggestsForStrings: false,
};

/**
 * Never weaken: beyond these a formula would cost the database its stack, whether it is written out or made of formulas
 * that name each other.
 */
export type FormulaLimits = {
  readonly charactersMax: number;
  /** Parentheses, functions, cases and signs inside each other. */
  readonly depthMax: number;
  /** Everything that has operands, and names and literals. */
  readonly nodesMax: number;
  /** Nodes of the SQL, with every formula that is named put in place of its name. */
  readonly weightMax: number;
};

export const standardFormulaLimits: FormulaLimits = Object.freeze({
  charactersMax: 4_000,
  depthMax: 32,
  nodesMax: 1_000,
  weightMax: 5_000,
});
