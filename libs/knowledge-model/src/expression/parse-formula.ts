/**
 * Text -> formula: operators by precedence, as SQL has them (or, and, not, is, comparison, in/between/like, ||, + -,
 * * / %, sign). Keywords and functions are case-insensitive, names are not.
 * Stops at the first fault.
 */
import {
  type Cursor,
  cursorAtStart,
  expected,
  faultAt,
  isSymbol,
  isTooDeep,
  isWord,
  lengthFault,
  parseChain,
  parseItems,
  type Parsing,
  parsingOf,
  peek,
  refuse,
  take,
} from '@tessera/filter';
import type { ArithmeticOperator, ComparisonOperator, Formula, FormulaNode } from './formula.js';
import { formulaLanguage, type FormulaLimits, standardFormulaLimits } from './formula-limits.js';
import { parseOperand, part, type Step } from './parse-operand.js';
import { scanFormula } from './scan-formula.js';

/** How tightly operators bind; a higher one binds first. */
export const power = {
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

const comparisons: readonly ComparisonOperator[] = ['=', '<>', '<', '<=', '>', '>='];
const arithmetic: ReadonlyMap<ArithmeticOperator, number> = new Map([
  ['||', power.text],
  ['+', power.sum],
  ['-', power.sum],
  ['*', power.product],
  ['/', power.product],
  ['%', power.product],
]);
const rangeWords = ['in', 'between', 'like'];

export const parseFormula = (text: string, limits: FormulaLimits = standardFormulaLimits): Parsing<Formula> => {
  const tooLong = lengthFault(formulaLanguage, text.length, limits);
  if (tooLong) return { ok: false, fault: tooLong };
  const cursor = cursorAtStart(formulaLanguage, scanFormula(text), limits);
  const formula = parseExpression(cursor, 0, 0);
  if (formula && peek(cursor).kind !== 'end')
    expected(cursor, 'an operator or the end of the formula', ['and', 'or', 'is', ...rangeWords]);
  return parsingOf(cursor, formula, 'a formula');
};

/** Everything from here on whose operators bind at least as tightly as `least`. */
const parseExpression = (cursor: Cursor, least: number, depth: number): Step => {
  const { start } = peek(cursor);
  let left = parsePrefix(cursor, least, depth);
  while (left) {
    const next = parseInfix(cursor, left, start, least, depth);
    if (next === 'none') return left;
    left = next;
  }
  return undefined;
};

const parsePrefix = (cursor: Cursor, least: number, depth: number): Step => {
  const token = peek(cursor);
  const sign = isSymbol(token, '-');
  if (!sign && !(isWord(token, 'not') && least <= power.not)) return parseOperand(cursor, depth, parseExpression);
  if (isTooDeep(cursor, depth)) return undefined;
  cursor.index++;
  const operand = parseExpression(cursor, sign ? power.sign : power.not, depth + 1);
  return operand && part(cursor, token.start, { kind: sign ? 'negate' : 'not', operand });
};

/** What the next operator makes of `left`; `none` when no operator that binds tightly enough stands here. */
const parseInfix = (cursor: Cursor, left: Formula, start: number, least: number, depth: number): Step | 'none' => {
  const token = peek(cursor);
  if (token.kind === 'symbol') return parseSymbol(cursor, left, start, least, depth);
  if (isWord(token, 'and', 'or')) {
    const kind = isWord(token, 'and') ? 'and' : 'or';
    return power[kind] < least ? 'none' : parseJoined(cursor, left, start, kind, depth);
  }
  if (isWord(token, 'is')) return power.is < least ? 'none' : parseIs(cursor, left, start);
  const range = isWord(token, ...rangeWords) || (isWord(token, 'not') && isWord(peek(cursor, 1), ...rangeWords));
  if (!range || power.range < least) return 'none';
  return alone(cursor, parseRange(cursor, left, start, depth), () => isWord(peek(cursor), 'not', ...rangeWords));
};

const parseSymbol = (cursor: Cursor, left: Formula, start: number, least: number, depth: number): Step | 'none' => {
  const token = peek(cursor);
  const compare = comparisons.find((operator) => isSymbol(token, operator));
  const compute = [...arithmetic.keys()].find((operator) => isSymbol(token, operator));
  const own = compare ? power.comparison : compute && arithmetic.get(compute);
  if (own === undefined || own < least) return 'none';
  cursor.index++;
  const right = parseExpression(cursor, own + 1, depth);
  if (!right) return undefined;
  if (compute) return part(cursor, start, { kind: 'arithmetic', operator: compute, left, right });
  const made = compare && part(cursor, start, { kind: 'comparison', operator: compare, left, right });
  return alone(cursor, made, () => isSymbol(peek(cursor), ...comparisons));
};

/** Comparisons do not chain: `a < b < c` means nothing. */
const alone = (cursor: Cursor, made: Step, follows: () => boolean): Step => {
  if (!made || !follows()) return made;
  const message = 'Comparisons cannot be chained; join them by and, or use parentheses.';
  return refuse(cursor, faultAt(peek(cursor).start, 'syntax', message));
};

/** Operands joined by the same word are one node, however many. */
const parseJoined = (cursor: Cursor, first: Formula, start: number, kind: 'and' | 'or', depth: number): Step => {
  const parseNext = (): Step => parseExpression(cursor, power[kind] + 1, depth);
  const operands = parseChain(cursor, first, (token) => isWord(token, kind), parseNext);
  return operands && part(cursor, start, { kind, operands });
};

const parseIs = (cursor: Cursor, operand: Formula, start: number): Step => {
  cursor.index++;
  const negated = isWord(peek(cursor), 'not');
  if (negated) cursor.index++;
  return (
    take(cursor, 'null', negated ? 'null' : 'null or not null') &&
    part(cursor, start, { kind: 'isNull', operand, negated })
  );
};

const parseRange = (cursor: Cursor, operand: Formula, start: number, depth: number): Step => {
  const negated = isWord(peek(cursor), 'not');
  if (negated) cursor.index++;
  const token = peek(cursor);
  cursor.index++;
  if (isWord(token, 'in')) {
    const items = parseList(cursor, depth);
    return items && part(cursor, start, { kind: 'in', operand, items, negated });
  }
  const first = parseExpression(cursor, power.text, depth);
  if (!first) return undefined;
  if (isWord(token, 'like')) return part(cursor, start, { kind: 'like', operand, pattern: first, negated });
  const high = take(cursor, 'and') && parseExpression(cursor, power.text, depth);
  const made: FormulaNode | undefined = high && { kind: 'between', operand, low: first, high, negated };
  return made && part(cursor, start, made);
};

const parseList = (cursor: Cursor, depth: number): readonly Formula[] | undefined => {
  if (isTooDeep(cursor, depth) || !take(cursor, '(', "a list such as ('a', 'b')")) return undefined;
  return parseItems(cursor, () => parseExpression(cursor, 0, depth + 1), 'a comma or ")"');
};
