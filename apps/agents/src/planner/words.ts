/**
 * Splits text into comparable words: without case, accents and endings, numbers as digits, a few business terms as one. English
 * and German. Folded text is compared, never shown.
 */
import { editDistance } from '@tessera/failures';

export type Word = {
  readonly text: string;
  readonly folded: string;
  readonly stem: string;
  /** Positions of characters in the text; `end` is the first behind. */
  readonly start: number;
  readonly end: number;
};

/** `ä`, `ae` and `a` are one. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/([aou])e/g, '$1');

const numberWords: readonly (readonly string[])[] = [
  ['one', 'eins', 'eine'],
  ['two', 'zwei'],
  ['three', 'drei'],
  ['four', 'vier'],
  ['five', 'funf'],
  ['six', 'sechs'],
  ['seven', 'sieben'],
  ['eight', 'acht'],
  ['nine', 'neun'],
  ['ten', 'zehn'],
  ['eleven', 'elf'],
  ['twelve', 'zwolf'],
];

/** A number in words up to twelve, or in digits. */
export const parseCount = (folded: string): number | undefined => {
  if (/^\d{1,4}$/.test(folded)) return Number(folded);
  const place = numberWords.findIndex((names) => names.includes(folded));
  return place < 0 ? undefined : place + 1;
};

/** Words that mean the same wherever figures are talked about. */
const concepts: ReadonlyMap<string, string> = new Map(
  [
    ['~rate', 'rate ratio quote share anteil percentage prozentsatz'],
    ['~value', 'value amount wert betrag volume volumen'],
    ['~count', 'number count anzahl zahl'],
    ['~paid', 'pay pays paid payed bezahlt gezahlt zahlen bezahlen zahlten bezahlten'],
    ['~late', 'late lateness delay delayed overdue lag spat verspatet verspatung verzug verzogerung verzogert'],
  ].flatMap(([concept = '', words = '']) => words.split(' ').map((word) => [foldText(word), concept] as const)),
);

const endingsPattern = /(?:(?<=.{5})ly|ern|en|er|em|es|s|n|e)$/;
const stemLengthMin = 4;
const endingsMax = 3;

/** What is left of a folded word without its endings; a concept or a number for words that are one. */
export const stemOf = (folded: string): string => {
  if (/\d/.test(folded)) return folded;
  const count = parseCount(folded);
  return count !== undefined && count > 1 ? String(count) : shorten(folded, endingsMax);
};

const shorten = (word: string, left: number): string => {
  const concept = concepts.get(word);
  if (concept !== undefined) return concept;
  const ended = word.replace(endingsPattern, '');
  // "Gives" is short without its ending of two letters, not without that of one.
  const shorter = ended.length < stemLengthMin && word.endsWith('s') ? word.slice(0, -1) : ended;
  return left === 0 || shorter === word || shorter.length < stemLengthMin
    ? word.replace(/y$/, 'i')
    : shorten(shorter, left - 1);
};

export const wordsOf = (text: string): readonly Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: found, index }) => {
    const folded = foldText(found);
    return { text: found, folded, stem: stemOf(folded), start: index, end: index + found.length };
  });

const stopWords: ReadonlySet<string> = new Set('a an the of in to on is der die das den dem des im am zu'.split(' '));

/** The stems of a name; words of little meaning count only when there are no others. `MAVERICK_RATE` has two. */
export const nameStems = (name: string): readonly string[] => {
  const words = wordsOf(name.replace(/_/g, ' '));
  const telling = words.filter(({ folded }) => !stopWords.has(folded));
  return (telling.length > 0 ? telling : words).map(({ stem }) => stem);
};

/** The same, or misspelt: one letter of five, two of nine. */
export const isSimilar = (left: string, right: string): boolean => {
  if (left === right) return true;
  const shorter = Math.min(left.length, right.length);
  if (shorter < 5 || left.startsWith('~') || right.startsWith('~') || /\d/.test(left + right)) return false;
  const limit = shorter >= 9 ? 2 : 1;
  return editDistance(left, right, limit + 1) <= limit;
};
