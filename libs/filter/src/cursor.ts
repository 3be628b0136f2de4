/**
 * What the parsers of filters and formulas share: looking at tokens, spending the limits, and the one fault. After the
 * fault everything answers undefined.
 */
import { nearestName } from '@tessera/failures';
import { type ExpressionFault, faultAt, type Parsing } from './fault.js';
import type { Token } from './scanner.js';

/** How faults speak of a language. */
export type Language = {
  readonly name: 'filter' | 'formula';
  /** What counts against `nodesMax`. */
  readonly nodes: string;
  /** What counts against `depthMax`. */
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

export type Cursor = {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly limits: ParserLimits;
  index: number;
  nodes: number;
  fault?: ExpressionFault;
};

export const cursorAtStart = (language: Language, tokens: readonly Token[], limits: ParserLimits): Cursor => ({
  language,
  tokens,
  limits,
  index: 0,
  nodes: 0,
});

/** To be checked before a text is scanned. */
export const lengthFault = (
  { name }: Language,
  characters: number,
  { charactersMax }: ParserLimits,
): ExpressionFault | undefined =>
  characters <= charactersMax
    ? undefined
    : faultAt(
        charactersMax,
        'charactersMax',
        `The ${name} has ${characters} characters; at most ${charactersMax} are accepted.`,
      );

/** `what` was expected when nothing was parsed and nothing was refused. */
export const parsingOf = <T>({ fault }: Cursor, value: T | undefined, what: string): Parsing<T> => {
  if (fault) return { ok: false, fault };
  return value === undefined ? { ok: false, fault: faultAt(0, 'syntax', `Expected ${what}.`) } : { ok: true, value };
};

const endOfText: Token = { kind: 'end', start: 0, end: 0 };

export const peek = (cursor: Cursor, ahead = 0): Token =>
  cursor.tokens[cursor.index + ahead] ?? cursor.tokens.at(-1) ?? endOfText;

/** In whatever case. */
export const isWord = (token: Token, ...words: readonly string[]): token is Token & { kind: 'word'; text: string } =>
  token.kind === 'word' && words.includes(token.text.toLowerCase());

export const isSymbol = (token: Token, ...symbols: readonly string[]): boolean =>
  token.kind === 'symbol' && symbols.includes(token.text);

/** Steps over the symbol or word, or refuses what stands there instead. */
export const take = (cursor: Cursor, text: string, what = `"${text}"`): true | undefined => {
  const token = peek(cursor);
  if (!isSymbol(token, text) && !isWord(token, text)) return expected(cursor, what, /^[a-z]/.test(text) ? [text] : []);
  cursor.index++;
  return true;
};

/** Items with commas between them, up to the closing parenthesis, which is taken too. */
export const parseItems = <Item>(
  cursor: Cursor,
  parseItem: () => Item | undefined,
  what: string,
): readonly Item[] | undefined => {
  const { listValuesMax = Number.MAX_SAFE_INTEGER } = cursor.limits;
  const items: Item[] = [];
  for (;;) {
    const { start } = peek(cursor);
    const item = parseItem();
    if (!item) return undefined;
    if (items.push(item) > listValuesMax)
      return refuse(cursor, faultAt(start, 'listValuesMax', `A list has at most ${listValuesMax} values.`));
    if (!isSymbol(peek(cursor), ',')) break;
    cursor.index++;
  }
  return take(cursor, ')', what) && items;
};

/** `first` and the operands behind it, as long as `isJoined` finds the joining word before them. */
export const parseChain = <Operand>(
  cursor: Cursor,
  first: Operand,
  isJoined: (token: Token) => boolean,
  parseOperand: () => Operand | undefined,
): readonly Operand[] | undefined => {
  const operands = [first];
  while (isJoined(peek(cursor))) {
    cursor.index++;
    const next = parseOperand();
    if (!next) return undefined;
    operands.push(next);
  }
  return operands;
};

/** The node, unless it is one too many; that fault is told at `position`. */
export const countNode = <Node>(cursor: Cursor, node: Node, position = peek(cursor).start): Node | undefined => {
  const { language, limits } = cursor;
  cursor.nodes++;
  if (cursor.nodes <= limits.nodesMax) return node;
  return refuse(
    cursor,
    faultAt(position, 'nodesMax', `A ${language.name} has at most ${limits.nodesMax} ${language.nodes}.`),
  );
};

export const isTooDeep = (cursor: Cursor, depth: number, what = cursor.language.nested): boolean => {
  const { depthMax } = cursor.limits;
  if (depth < depthMax) return false;
  refuse(cursor, faultAt(peek(cursor).start, 'depthMax', `${what} go at most ${depthMax} deep.`));
  return true;
};

export const expected = (cursor: Cursor, what: string, candidates: readonly string[] = []): undefined => {
  const token = peek(cursor);
  const isString = token.kind === 'string' || token.kind === 'quoted';
  const hasHint = 'text' in token && (cursor.language.suggestsForStrings || !isString);
  const suggestion = hasHint ? nearestName(token.text, candidates) : undefined;
  const message = `Expected ${what}, but ${describeToken(cursor.language, token)}.`;
  return refuse(cursor, faultAt(token.start, 'syntax', message, suggestion));
};

/** The first fault stays. */
export const refuse = (cursor: Cursor, fault: ExpressionFault): undefined => {
  cursor.fault ??= fault;
  return undefined;
};

const describeToken = (language: Language, token: Token): string => {
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
