/**
 * Text of the content repository's filter syntax -> tokens with positions, in one pass over the characters.
 * Refuses: nothing at once. What is no token becomes an `illegal` one, which the parser reports when it gets there.
 */
import type { Span } from '../expression.js';

export type Token = Span &
  (
    | { readonly kind: 'word' | 'operator' | 'number' | 'string'; readonly text: string }
    | { readonly kind: 'open' | 'close' | 'comma' | 'end' }
    | { readonly kind: 'illegal'; readonly message: string }
  );

const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy;
/** An operator at the end of a word; behind it stands an operand (`name-eq'a'`), else it belongs to the name (`follow-in`). */
const gluedOperatorPattern = /-(?:eq|ne|gt|ge|lt|le|in)$/i;
const operandPattern = /\s*(?:['(\p{L}\p{N}]|[+-]\d)/uy;
const numberPattern = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y;
const operatorPattern = /-\p{L}+/uy;
const spacePattern = /\s+/uy;
const punctuation: Readonly<Record<string, 'open' | 'close' | 'comma'>> = { '(': 'open', ')': 'close', ',': 'comma' };

/** The tokens of `text`; the last one is always `end`. */
export const scan = (text: string): readonly Token[] => {
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
  const character = text.charAt(start);
  if (character === "'") return stringAt(text, start);
  const mark = punctuation[character];
  if (mark) return { kind: mark, start, end: start + 1 };
  const number = matchAt(numberPattern, text, start);
  if (number) return { kind: 'number', text: number, start, end: start + number.length };
  const operator = matchAt(operatorPattern, text, start);
  if (operator) return { kind: 'operator', text: operator.toLowerCase(), start, end: start + operator.length };
  const word = wordAt(text, start);
  if (word) return { kind: 'word', text: word, start, end: start + word.length };
  const hint = character === '"' ? '; strings stand in single quotes' : '';
  return illegal(start, `${JSON.stringify(character)} means nothing here${hint}`);
};

const wordAt = (text: string, start: number): string | undefined => {
  const word = matchAt(wordPattern, text, start);
  const glued = word && gluedOperatorPattern.exec(word);
  return glued && matchAt(operandPattern, text, start + word.length) ? word.slice(0, glued.index) : word;
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
      const nul = text.indexOf('\0', start);
      if (nul >= 0 && nul < quote) return illegal(nul, 'the character U+0000 cannot be part of a value');
      return { kind: 'string', text: value, start, end: quote + 1 };
    }
    value += "'";
    from = quote + 2;
  }
};

const illegal = (start: number, message: string): Token => ({ kind: 'illegal', message, start, end: start + 1 });

const skipSpace = (text: string, start: number): number => start + (matchAt(spacePattern, text, start)?.length ?? 0);

/** The match of a sticky pattern that begins exactly at `start`. */
const matchAt = (pattern: RegExp, text: string, start: number): string | undefined => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
};
