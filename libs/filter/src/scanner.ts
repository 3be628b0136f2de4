/**
 * Text -> tokens with positions, in one pass over the characters; each language says what a token is. What is none becomes
 * an `illegal` token, which ends the scan and is reported when the parser gets there.
 */
import type { Span } from './expression.js';

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

export const illegal = (start: number, message: string): Token => ({ kind: 'illegal', message, start, end: start + 1 });

/** The match of a sticky pattern that begins exactly at `start`. */
export const matchAt = (pattern: RegExp, text: string, start: number): string | undefined => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
};

export const tokenAt = (kind: TextKind, pattern: RegExp, text: string, start: number): Token | undefined => {
  const found = matchAt(pattern, text, start);
  return found === undefined ? undefined : { kind, text: found, start, end: start + found.length };
};

/** What stands between the quote at `start` and the next single one; a doubled quote is one of the text. Undefined: not closed. */
export const readQuoted = (
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
