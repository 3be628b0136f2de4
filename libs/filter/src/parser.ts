/**
 * What the parsers of filters, formulas and OData options share: tokens with positions, a cursor over them that counts
 * against limits, and the one fault of a text.
 */
import { findNearestName } from '@tessera/failures';
import type { Span } from './expression.js';

/** Why a text of one of the languages (filters, formulas, OData options) was refused. Each group of interfaces has its own code for it. */
export type ExpressionFault = {
  /** Zero-based character position in the text. */
  readonly position: number;
  /** One sentence: what stands there and what was expected. */
  readonly message: string;
  /** What was broken: `syntax`, `type`, the name of a limit, ... */
  readonly rule: string;
  readonly suggestion?: string;
};

export type ExpressionParseResult<T, Fault = ExpressionFault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

/** The suggestion, when there is one, is part of the message too. */
export const createExpressionFault = (
  position: number,
  rule: string,
  message: string,
  suggestion?: string,
): ExpressionFault => ({
  position,
  message: withSuggestion(message, suggestion),
  rule,
  ...(suggestion !== undefined && { suggestion }),
});

export const withSuggestion = (message: string, suggestion: string | undefined): string =>
  suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`;

export type Token = Span &
  (
    | {
        readonly kind: 'word' | 'symbol' | 'number' | 'string' | 'quoted' | 'date' | 'datetime' | 'time';
        readonly text: string;
      }
    | { readonly kind: 'end' }
    | { readonly kind: 'illegal'; readonly message: string }
  );
type TextKind = Extract<Token, { readonly text: string }>['kind'];

/** The tokens of `text`; the last is always `end`. `space` is sticky; `readToken` is called where no space is. */
export const scanTokens = (text: string, space: RegExp, readToken: (start: number) => Token): readonly Token[] => {
  const tokens: Token[] = [];
  const skipSpace = (start: number): number => start + (matchAt(space, text, start)?.length ?? 0);
  let start = skipSpace(0);
  while (start < text.length) {
    const token = readToken(start);
    tokens.push(token);
    if (token.kind === 'illegal') break;
    start = skipSpace(token.end);
  }
  tokens.push({ kind: 'end', start: text.length, end: text.length });
  return tokens;
};

export const createIllegalToken = (start: number, message: string): Token => ({
  kind: 'illegal',
  message,
  start,
  end: start + 1,
});

/** The match of a sticky pattern that begins exactly at `start`. */
export const matchAt = (pattern: RegExp, text: string, start: number): string | undefined => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
};

export const readTokenAt = (kind: TextKind, pattern: RegExp, text: string, start: number): Token | undefined => {
  const found = matchAt(pattern, text, start);
  return found === undefined ? undefined : { kind, text: found, start, end: start + found.length };
};

/** What stands between the quote at `start` and the next single one; a doubled quote is one of the text. Undefined: not closed. */
export const readQuotedText = (
  text: string,
  start: number,
): { readonly text: string; readonly end: number } | undefined => {
  const quote = text.charAt(start);
  let value = '';
  let from = start + 1;
  for (;;) {
    const found = text.indexOf(quote, from);
    if (found < 0) return undefined;
    value += text.slice(from, found);
    if (text.charAt(found + 1) !== quote) return { text: value, end: found + 1 };
    value += quote;
    from = found + 2;
  }
};

/** How faults speak of a language. */
export type ExpressionLanguage = {
  readonly name: 'filter' | 'formula' | 'order' | 'search';
  /** What counts against `nodesMax`. */
  readonly nodes: string;
  /** What counts against `maxJsonDepth`. */
  readonly nested: string;
  readonly string: string;
  /** Whether a string may be a misspelt keyword. */
  readonly suggestsForStrings: boolean;
};

type ParserLimits = {
  readonly charactersMax: number;
  readonly depthMax: number;
  readonly nodesMax: number;
  readonly listValuesMax?: number;
};

export type TokenCursor = {
  readonly language: ExpressionLanguage;
  readonly tokens: readonly Token[];
  readonly limits: ParserLimits;
  index: number;
  nodes: number;
  fault?: ExpressionFault;
};

export const createTokenCursor = (
  language: ExpressionLanguage,
  tokens: readonly Token[],
  limits: ParserLimits,
): TokenCursor => ({
  language,
  tokens,
  limits,
  index: 0,
  nodes: 0,
});

/** To be checked before a text is scanned. */
export const findLengthFault = (
  { name }: ExpressionLanguage,
  characters: number,
  { charactersMax }: ParserLimits,
): ExpressionFault | undefined =>
  characters <= charactersMax
    ? undefined
    : createExpressionFault(
        charactersMax,
        'charactersMax',
        `The ${name} has ${characters} characters; at most ${charactersMax} are accepted.`,
      );

/** `what` was expected when nothing was parsed and nothing was refused. */
export const toExpressionParseResult = <T>(
  { fault }: TokenCursor,
  value: T | undefined,
  what: string,
): ExpressionParseResult<T> => {
  if (fault) return { ok: false, fault };
  return value === undefined
    ? { ok: false, fault: createExpressionFault(0, 'syntax', `Expected ${what}.`) }
    : { ok: true, value };
};

const endOfText: Token = { kind: 'end', start: 0, end: 0 };

export const peekToken = (cursor: TokenCursor, ahead = 0): Token =>
  cursor.tokens[cursor.index + ahead] ?? cursor.tokens.at(-1) ?? endOfText;

/** In whatever case. */
export const isWord = (token: Token, ...words: readonly string[]): token is Token & { kind: 'word'; text: string } =>
  token.kind === 'word' && words.includes(token.text.toLowerCase());

export const isSymbol = (token: Token, ...symbols: readonly string[]): boolean =>
  token.kind === 'symbol' && symbols.includes(token.text);

/** Steps over the symbol or word, or refuses what stands there instead. */
export const expectSymbol = (cursor: TokenCursor, text: string, what = `"${text}"`): true | undefined => {
  const token = peekToken(cursor);
  if (!isSymbol(token, text) && !isWord(token, text))
    return refuseUnexpectedToken(cursor, what, /^[a-z]/.test(text) ? [text] : []);
  cursor.index++;
  return true;
};

/** Items with commas between them, up to the closing parenthesis, which is taken too. */
export const parseItems = <Item>(
  cursor: TokenCursor,
  parseItem: () => Item | undefined,
  what: string,
): readonly Item[] | undefined => {
  const { listValuesMax = Number.MAX_SAFE_INTEGER } = cursor.limits;
  const items: Item[] = [];
  for (;;) {
    const { start } = peekToken(cursor);
    const item = parseItem();
    if (!item) return undefined;
    if (items.push(item) > listValuesMax)
      return setFirstFault(
        cursor,
        createExpressionFault(start, 'listValuesMax', `A list has at most ${listValuesMax} values.`),
      );
    if (!isSymbol(peekToken(cursor), ',')) break;
    cursor.index++;
  }
  return expectSymbol(cursor, ')', what) && items;
};

/** `first` and the operands behind it, as long as `isJoined` finds the joining word before them. */
export const parseChain = <Operand>(
  cursor: TokenCursor,
  first: Operand,
  isJoined: (token: Token) => boolean,
  parseOperand: () => Operand | undefined,
): readonly Operand[] | undefined => {
  const operands = [first];
  while (isJoined(peekToken(cursor))) {
    cursor.index++;
    const next = parseOperand();
    if (!next) return undefined;
    operands.push(next);
  }
  return operands;
};

/** The node, unless it is one too many; that fault is told at `position`. */
export const countNode = <Node>(
  cursor: TokenCursor,
  node: Node,
  position = peekToken(cursor).start,
): Node | undefined => {
  const { language, limits } = cursor;
  cursor.nodes++;
  if (cursor.nodes <= limits.nodesMax) return node;
  return setFirstFault(
    cursor,
    createExpressionFault(position, 'nodesMax', `A ${language.name} has at most ${limits.nodesMax} ${language.nodes}.`),
  );
};

export const refuseExcessiveDepth = (cursor: TokenCursor, depth: number, what = cursor.language.nested): boolean => {
  const { depthMax } = cursor.limits;
  if (depth < depthMax) return false;
  setFirstFault(
    cursor,
    createExpressionFault(peekToken(cursor).start, 'depthMax', `${what} go at most ${depthMax} deep.`),
  );
  return true;
};

export const refuseUnexpectedToken = (
  cursor: TokenCursor,
  what: string,
  candidates: readonly string[] = [],
): undefined => {
  const token = peekToken(cursor);
  const isString = token.kind === 'string' || token.kind === 'quoted';
  const hasHint = 'text' in token && (cursor.language.suggestsForStrings || !isString);
  const suggestion = hasHint ? findNearestName(token.text, candidates) : undefined;
  const message = `Expected ${what}, but ${describeToken(cursor.language, token)}.`;
  return setFirstFault(cursor, createExpressionFault(token.start, 'syntax', message, suggestion));
};

/** The first fault stays. */
export const setFirstFault = (cursor: TokenCursor, fault: ExpressionFault): undefined => {
  cursor.fault ??= fault;
  return undefined;
};

const describeToken = (language: ExpressionLanguage, token: Token): string => {
  switch (token.kind) {
    case 'end':
      return `the ${language.name} ends here`;
    case 'illegal':
      return token.message;
    case 'string':
      return `there is ${language.string}`;
    case 'word':
    case 'quoted':
    case 'symbol':
    case 'number':
    case 'date':
    case 'datetime':
    case 'time':
      return `there is ${JSON.stringify(token.text.slice(0, 40))}`;
  }
};
