/**
 * Text of the filter syntax for data -> tokens with positions, in one pass over the characters. A run of letters, digits
 * and `_ . : + / -` is one token; its form says whether it is a number, a date, a datetime, a time or a word.
 */
import { scanFilter } from '../filter-language.js';
import { matchAt, type Token, tokenAt } from '../scanner.js';

const runPattern = /[\p{L}\p{M}\p{N}_.:+/-]+/uy;
/** No operator of this syntax, but what stands for one elsewhere; the parser names the right one. */
const symbolPattern = /[=<>!&|]+/y;
const forms = [
  ['number', /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['datetime', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})?$/],
  ['time', /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?$/],
] as const;

/** The tokens of `text`; the last one is always `end`. */
export const scan = (text: string): readonly Token[] => scanFilter(text, (start) => readWord(text, start));

const readWord = (text: string, start: number): Token | undefined => {
  const run = matchAt(runPattern, text, start);
  if (run) return { kind: formOf(run) ?? 'word', text: run, start, end: start + run.length };
  return tokenAt('symbol', symbolPattern, text, start);
};

/** The form that the text of a literal has, quoted or not. */
export const formOf = (text: string): (typeof forms)[number][0] | undefined =>
  forms.find(([, pattern]) => pattern.test(text))?.[0];
