/** What both syntaxes of filters share: limits, strings and punctuation, and `and`, `or`, `not` and parentheses around conditions. */
import {
  countNode,
  type TokenCursor,
  createIllegalToken,
  isSymbol,
  refuseExcessiveDepth,
  type ExpressionLanguage,
  parseChain,
  peekToken,
  readQuotedText,
  scanTokens,
  type Token,
  readTokenAt,
} from './parser.js';
import type { LogicalExpression } from './expression.js';

/** Never weaken: beyond these a filter would cost the database its stack or its parameters. */
export type FilterLimits = {
  readonly charactersMax: number;
  /** Parentheses and negations inside each other. */
  readonly depthMax: number;
  readonly listValuesMax: number;
  /** Comparisons, functions and connectives together. */
  readonly nodesMax: number;
};

export const standardFilterLimits: FilterLimits = Object.freeze({
  charactersMax: 4_000,
  depthMax: 32,
  listValuesMax: 1_000,
  nodesMax: 500,
});

/** On data, as they come in bodies; who takes one out of a URL takes a shorter one. */
export const dataFilterLimits: FilterLimits = Object.freeze({
  ...standardFilterLimits,
  charactersMax: 64 * 1024,
  listValuesMax: 10_000,
});

export const createFilterLanguage = (nested: string): ExpressionLanguage => ({
  name: 'filter',
  nodes: 'conditions',
  nested,
  string: 'a string',
  suggestsForStrings: true,
});

const spacePattern = /\s+/uy;
const punctuationPattern = /[(),]/y;

/** By a syntax's own `readWord` for what is neither a string nor punctuation. */
export const scanFilter = (text: string, readWord: (start: number) => Token | undefined): readonly Token[] =>
  scanTokens(text, spacePattern, (start) => {
    const character = text.charAt(start);
    if (character === "'") return readString(text, start);
    const token = readTokenAt('symbol', punctuationPattern, text, start) ?? readWord(start);
    if (token) return token;
    const hint = character === '"' ? '; strings stand in single quotes' : '';
    return createIllegalToken(start, `${JSON.stringify(character)} means nothing here${hint}`);
  });

const readString = (text: string, start: number): Token => {
  const quoted = readQuotedText(text, start);
  if (!quoted)
    return createIllegalToken(start, "the string that begins here has no closing quote (a quote inside is written '')");
  const nul = text.slice(start, quoted.end).indexOf('\0');
  if (nul >= 0) return createIllegalToken(start + nul, 'the character U+0000 cannot be part of a value');
  return { kind: 'string', text: quoted.text, start, end: quoted.end };
};

export type LogicalExpressionSyntax<Condition> = {
  readonly isKeyword: (token: Token, keyword: 'and' | 'or') => boolean;
  readonly isNot: (cursor: TokenCursor) => boolean;
  /** Whether the parenthesis that stands here has conditions in it; always when absent. */
  readonly isGroup?: (cursor: TokenCursor) => boolean;
  readonly parseCondition: (cursor: TokenCursor, depth: number) => LogicalExpression<Condition> | undefined;
  readonly takeClosing: (cursor: TokenCursor) => true | undefined;
};

/** Precedence: not, and, or. */
export const parseLogicalExpression = <Condition>(
  cursor: TokenCursor,
  syntax: LogicalExpressionSyntax<Condition>,
  depth = 0,
): LogicalExpression<Condition> | undefined => {
  type Step = LogicalExpression<Condition> | undefined;
  const joined = (kind: 'and' | 'or', parseOperand: () => Step): Step => {
    const first = parseOperand();
    const isJoined = (token: Token): boolean => syntax.isKeyword(token, kind);
    const operands = first && parseChain(cursor, first, isJoined, parseOperand);
    if (!operands || operands.length === 1) return operands?.[0];
    return countNode(cursor, { kind, operands });
  };
  return joined('or', () => joined('and', () => parseNegation(cursor, syntax, depth)));
};

const parseNegation = <Condition>(
  cursor: TokenCursor,
  syntax: LogicalExpressionSyntax<Condition>,
  depth: number,
): LogicalExpression<Condition> | undefined => {
  const isOpen = isSymbol(peekToken(cursor), '(') && (syntax.isGroup?.(cursor) ?? true);
  if (!isOpen && !syntax.isNot(cursor)) return syntax.parseCondition(cursor, depth);
  if (refuseExcessiveDepth(cursor, depth)) return undefined;
  cursor.index++;
  if (isOpen) {
    const inner = parseLogicalExpression(cursor, syntax, depth + 1);
    return inner && syntax.takeClosing(cursor) && inner;
  }
  const operand = parseNegation(cursor, syntax, depth + 1);
  return operand && countNode(cursor, { kind: 'not', operand });
};
