/**
 * Text of the content repository's filter syntax -> tokens with positions, in one pass over the characters.
 * Refuses: nothing at once. What is no token becomes an `illegal` one, which the parser reports when it gets there.
 */
import { matchAt, scanTokens, type Token } from '../token.js';

const wordPattern = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy;
/** An operator at the end of a word; behind it stands an operand (`name-eq'a'`), else it belongs to the name (`follow-in`). */
const gluedOperatorPattern = /-(?:eq|ne|gt|ge|lt|le|in)$/i;
const operandPattern = /\s*(?:['(\p{L}\p{N}]|[+-]\d)/uy;
const numberPattern = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y;
const operatorPattern = /-\p{L}+/uy;

/** The tokens of `text`; the last one is always `end`. */
export const scan = (text: string): readonly Token[] => scanTokens(text, (start) => readWord(text, start));

const readWord = (text: string, start: number): Token | undefined => {
  const number = matchAt(numberPattern, text, start);
  if (number) return { kind: 'number', text: number, start, end: start + number.length };
  const operator = matchAt(operatorPattern, text, start);
  if (operator) return { kind: 'operator', text: operator.toLowerCase(), start, end: start + operator.length };
  const word = wordAt(text, start);
  return word ? { kind: 'word', text: word, start, end: start + word.length } : undefined;
};

const wordAt = (text: string, start: number): string | undefined => {
  const word = matchAt(wordPattern, text, start);
  const glued = word && gluedOperatorPattern.exec(word);
  return glued && matchAt(operandPattern, text, start + word.length) ? word.slice(0, glued.index) : word;
};
