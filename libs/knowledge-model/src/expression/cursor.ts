/**
 * Where the parser of formulas stands: tokens, budgets and the first fault, after which everything answers undefined.
 * Refuses: grammar (parse-formula.ts, parse-operand.ts).
 */
import { nearestName } from '@tessera/failures';
import type { Formula, FormulaNode } from './formula.js';
import type { FormulaFault } from './formula-fault.js';
import type { FormulaLimits } from './formula-limits.js';
import type { Token } from './scan-formula.js';

export type Cursor = {
  readonly tokens: readonly Token[];
  readonly limits: FormulaLimits;
  index: number;
  nodes: number;
  fault?: FormulaFault;
};

export type Step = Formula | undefined;

const endOfText: Token = { kind: 'end', start: 0, end: 0 };

export const peek = (cursor: Cursor, ahead = 0): Token =>
  cursor.tokens[cursor.index + ahead] ?? cursor.tokens.at(-1) ?? endOfText;

export const isWord = (token: Token, ...words: readonly string[]): token is Token & { kind: 'word'; text: string } =>
  token.kind === 'word' && words.includes(token.text.toLowerCase());

export const isSymbol = (token: Token, ...symbols: readonly string[]): boolean =>
  token.kind === 'symbol' && symbols.includes(token.text);

/** Steps over the symbol or word, or refuses because something else stands there. */
export const take = (cursor: Cursor, text: string, what = `"${text}"`): true | undefined => {
  const token = peek(cursor);
  if (!isSymbol(token, text) && !isWord(token, text)) return expected(cursor, what, /^[a-z]/.test(text) ? [text] : []);
  cursor.index++;
  return true;
};

/** The part that began at `start` and ends at the last token. */
export const part = (cursor: Cursor, start: number, made: FormulaNode): Step => {
  cursor.nodes++;
  if (cursor.nodes > cursor.limits.nodesMax) {
    const message = `A formula has at most ${cursor.limits.nodesMax} operators, names and values.`;
    return refuse(cursor, start, message, 'nodesMax');
  }
  return { ...made, start, end: peek(cursor, -1).end };
};

export const isTooDeep = (cursor: Cursor, depth: number): boolean => {
  if (depth < cursor.limits.depthMax) return false;
  const message = `Parentheses, functions, cases and signs go at most ${cursor.limits.depthMax} deep.`;
  refuse(cursor, peek(cursor).start, message, 'depthMax');
  return true;
};

export const expected = (cursor: Cursor, what: string, candidates: readonly string[] = []): undefined => {
  const token = peek(cursor);
  const found = token.kind === 'word' ? nearestName(token.text, candidates) : undefined;
  const hint = found === undefined ? '' : ` Did you mean ${found}?`;
  return refuse(cursor, token.start, `Expected ${what}, but ${nameOf(token)}.${hint}`, 'syntax', found);
};

const nameOf = (token: Token): string => {
  switch (token.kind) {
    case 'end':
      return 'the formula ends here';
    case 'illegal':
      return token.message;
    case 'string':
      return 'there is a text';
    case 'word':
    case 'quoted':
    case 'number':
    case 'symbol':
      return `there is ${JSON.stringify(token.text.slice(0, 40))}`;
  }
};

export const refuse = (
  cursor: Cursor,
  position: number,
  message: string,
  rule: string,
  suggestion?: string,
): undefined => {
  cursor.fault ??= { position, message, rule, ...(suggestion !== undefined && { suggestion }) };
  return undefined;
};
