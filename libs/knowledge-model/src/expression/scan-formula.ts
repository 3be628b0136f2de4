/**
 * Text of a formula -> tokens with positions, in one pass over the characters.
 * Refuses: nothing at once. What is no token becomes an `illegal` one, which the parser reports when it gets there.
 */
import type { Span } from './formula.js';

export type Token = Span &
  (
    | { readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol'; readonly text: string }
    | { readonly kind: 'end' }
    | { readonly kind: 'illegal'; readonly message: string }
  );

const spacePattern = /[ \t\r\n]+/y;
const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const numberPattern = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?/y;
const gluedPattern = /[\p{L}\p{N}_]/uy;
const numberCharactersMax = 40;
const symbolPattern = /<>|<=|>=|!=|\|\||[=<>+\-*/%(),.:]/y;

/** The tokens of `text`; the last one is always `end`, and what is behind an illegal one is not looked at. */
export const scanFormula = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  let start = skipSpace(text, 0);
  while (start < text.length) {
    const token = tokenAt(text, start);
    tokens.push(token);
    if (token.kind === 'illegal') break;
    start = skipSpace(text, token.end);
  }
  tokens.push({ kind: 'end', start: text.length, end: text.length });
  return tokens;
};

const tokenAt = (text: string, start: number): Token => {
  if (text.charAt(start) === "'") return quotedAt(text, start, 'string');
  if (text.charAt(start) === '"') return quotedAt(text, start, 'quoted');
  const word = matchAt(wordPattern, text, start);
  if (word) return { kind: 'word', text: word, start, end: start + word.length };
  const number = matchAt(numberPattern, text, start);
  if (number) return numberAt(text, start, number);
  if (text.startsWith('--', start) || text.startsWith('/*', start))
    return illegal(start, 'a formula has no comments; write - (-x) for two signs');
  const symbol = matchAt(symbolPattern, text, start);
  if (symbol) return { kind: 'symbol', text: symbol === '!=' ? '<>' : symbol, start, end: start + symbol.length };
  return illegal(start, `${JSON.stringify(characterAt(text, start))} means nothing in a formula`);
};

const numberAt = (text: string, start: number, number: string): Token => {
  const end = start + number.length;
  if (number.length > numberCharactersMax)
    return illegal(start, `a number has at most ${numberCharactersMax} characters`);
  return matchAt(gluedPattern, text, end)
    ? illegal(end, `${JSON.stringify(characterAt(text, end))} cannot follow a number`)
    : { kind: 'number', text: number, start, end };
};

const quotedAt = (text: string, start: number, kind: 'string' | 'quoted'): Token => {
  const quote = text.charAt(start);
  let value = '';
  let from = start + 1;
  for (;;) {
    const found = text.indexOf(quote, from);
    if (found < 0)
      return illegal(
        start,
        `what begins here has no closing ${quote} (one that belongs to it is written ${quote}${quote})`,
      );
    value += text.slice(from, found);
    if (text.charAt(found + 1) !== quote) {
      const storable = value.isWellFormed() && !value.includes('\0');
      if (!storable) return illegal(start, 'this text holds a character that cannot be stored');
      return { kind, text: value, start, end: found + 1 };
    }
    value += quote;
    from = found + 2;
  }
};

const illegal = (start: number, message: string): Token => ({ kind: 'illegal', message, start, end: start + 1 });

const characterAt = (text: string, start: number): string => String.fromCodePoint(text.codePointAt(start) ?? 0);

const skipSpace = (text: string, start: number): number => start + (matchAt(spacePattern, text, start)?.length ?? 0);

/** The match of a sticky pattern that begins exactly at `start`. */
const matchAt = (pattern: RegExp, text: string, start: number): string | undefined => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
};
