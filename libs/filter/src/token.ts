/**
 * What scanners make of a filter's text, and the parts that all syntaxes write alike: strings, spaces, punctuation.
 * Refuses: nothing at once. What is no token becomes an `illegal` one, which the parser reports when it gets there.
 */
import type { Span } from './expression.js';

export type Token = Span &
  (
    | { readonly kind: 'word' | 'operator' | 'number' | 'string' | 'date' | 'datetime' | 'time'; readonly text: string }
    | { readonly kind: 'open' | 'close' | 'comma' | 'end' }
    | { readonly kind: 'illegal'; readonly message: string }
  );

const spacePattern = /\s+/uy;
const punctuation: Readonly<Record<string, 'open' | 'close' | 'comma'>> = { '(': 'open', ')': 'close', ',': 'comma' };

/** The tokens of `text` by a syntax's own `readWord` for what is neither a string nor punctuation; the last is `end`. */
export const scanTokens = (text: string, readWord: (start: number) => Token | undefined): readonly Token[] => {
  const tokens: Token[] = [];
  let start = skipSpace(text, 0);
  while (start < text.length) {
    const token = tokenAt(text, start, readWord);
    tokens.push(token);
    if (token.kind === 'illegal') break;
    start = skipSpace(text, token.end);
  }
  tokens.push({ kind: 'end', start: text.length, end: text.length });
  return tokens;
};

export const illegal = (start: number, message: string): Token => ({ kind: 'illegal', message, start, end: start + 1 });

/** The match of a sticky pattern that begins exactly at `start`. */
export const matchAt = (pattern: RegExp, text: string, start: number): string | undefined => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
};

const tokenAt = (text: string, start: number, readWord: (start: number) => Token | undefined): Token => {
  const character = text.charAt(start);
  if (character === "'") return stringAt(text, start);
  const mark = punctuation[character];
  if (mark) return { kind: mark, start, end: start + 1 };
  const word = readWord(start);
  if (word) return word;
  const hint = character === '"' ? '; strings stand in single quotes' : '';
  return illegal(start, `${JSON.stringify(character)} means nothing here${hint}`);
};

const stringAt = (text: string, start: number): Token => {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote < 0)
      return illegal(start, "the string that begins here has no closing quote (a quote inside is written '')");
    value += text.slice(from, quote);
    if (text.charAt(quote + 1) !== "'") {
      const nul = text.slice(start, quote).indexOf('\0');
      if (nul >= 0) return illegal(start + nul, 'the character U+0000 cannot be part of a value');
      return { kind: 'string', text: value, start, end: quote + 1 };
    }
    value += "'";
    from = quote + 2;
  }
};

const skipSpace = (text: string, start: number): number => start + (matchAt(spacePattern, text, start)?.length ?? 0);
