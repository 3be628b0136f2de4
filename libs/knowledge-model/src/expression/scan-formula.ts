/** Text of a formula -> tokens with positions. */
import { illegal, matchAt, readQuoted, scanTokens, type Token, tokenAt } from '@tessera/filter';

const space = /[ \t\r\n]+/y;
const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const numberPattern = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?/y;
const gluedPattern = /[\p{L}\p{N}_]/uy;
const numberCharactersMax = 40;
const symbolPattern = /<>|<=|>=|!=|\|\||[=<>+\-*/%(),.:]/y;

export const scanFormula = (text: string): readonly Token[] =>
  scanTokens(text, space, (start) => readToken(text, start));

const readToken = (text: string, start: number): Token => {
  if (text.charAt(start) === "'") return readQuotedToken(text, start, 'string');
  if (text.charAt(start) === '"') return readQuotedToken(text, start, 'quoted');
  const word = tokenAt('word', wordPattern, text, start);
  if (word) return word;
  const number = matchAt(numberPattern, text, start);
  if (number) return readNumber(text, start, number);
  if (text.startsWith('--', start) || text.startsWith('/*', start))
    return illegal(start, 'a formula has no comments; write - (-x) for two signs');
  const symbol = matchAt(symbolPattern, text, start);
  if (symbol) return { kind: 'symbol', text: symbol === '!=' ? '<>' : symbol, start, end: start + symbol.length };
  return illegal(start, `${JSON.stringify(characterAt(text, start))} means nothing in a formula`);
};

const readNumber = (text: string, start: number, number: string): Token => {
  const end = start + number.length;
  if (number.length > numberCharactersMax)
    return illegal(start, `a number has at most ${numberCharactersMax} characters`);
  return matchAt(gluedPattern, text, end)
    ? illegal(end, `${JSON.stringify(characterAt(text, end))} cannot follow a number`)
    : { kind: 'number', text: number, start, end };
};

const readQuotedToken = (text: string, start: number, kind: 'string' | 'quoted'): Token => {
  const quoted = readQuoted(text, start);
  if (!quoted) {
    const quote = text.charAt(start);
    const doubled = `one that belongs to it is written ${quote}${quote}`;
    return illegal(start, `what begins here has no closing ${quote} (${doubled})`);
  }
  return quoted.text.isWellFormed() && !quoted.text.includes('\0')
    ? { kind, start, ...quoted }
    : illegal(start, 'this text holds a character that cannot be stored');
};

const characterAt = (text: string, start: number): string => String.fromCodePoint(text.codePointAt(start) ?? 0);
