/** Numbers written as words, in English and German, and the words that make a number a thousand or a million times as large. */

const englishUnits =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const englishTens = 'twenty thirty forty fifty sixty seventy eighty ninety';
const germanUnits =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn';
const germanTens = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig';

const numbered = (words: string, step: number, first: number): readonly (readonly [string, number])[] =>
  words.split(' ').map((word, place) => [word, (place + first) * step]);

const english = new Map([...numbered(englishUnits, 1, 0), ...numbered(englishTens, 10, 2)]);
const german = new Map([
  ...numbered(germanUnits, 1, 0),
  ...numbered(germanTens, 10, 2),
  ['dreissig', 30],
  ['eins', 1],
  ['zwo', 2],
]);

const scaleWords: Readonly<Record<string, number>> = {
  ...{ dozen: 12, dozens: 12, dutzend: 12, hundreds: 100, thousands: 1e3 },
  ...{ hundred: 100, thousand: 1e3, million: 1e6, millions: 1e6, billion: 1e9, billions: 1e9 },
  ...{ hundert: 100, tausend: 1e3, millionen: 1e6, milliarde: 1e9, milliarden: 1e9 },
};

const alternatives = (words: Iterable<string>): string =>
  [...words].toSorted((left, right) => right.length - left.length).join('|');

const englishPart = `(?:${alternatives(english.keys())}|dozens?|hundreds?|thousands?|millions?|billions?)`;
const englishPhrase = new RegExp(
  `(?<![\\p{L}\\p{N}])${englishPart}(?:(?:[ \\u00a0-]|,? and )${englishPart})*(?![\\p{L}\\p{N}])`,
  'giu',
);
const germanParts = new RegExp(`${alternatives(german.keys())}|und|dutzend|hundert|tausend`, 'gu');
/** A German number is one word, but for its millions. */
const word = /(?<![\p{L}\p{N}])\p{L}{1,60}(?![\p{L}\p{N}])/gu;
const germanMillions = /^[ \u00a0](?:millionen|milliarden?|million)(?![\p{L}\p{N}])/iu;

export type NumberPhrase = {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly isRound: boolean;
  /** "Doubled" says how many times as large, whatever stands behind it. */
  readonly isRatio: boolean;
};

/**
 * `one` and its like are articles and pronouns as often, and count only after `only` and its like; `und` alone is no number, and
 * `null` is none in most texts.
 */
export const findNumberWords = (text: string): readonly NumberPhrase[] => [
  ...[...englishPhrases(text), ...germanPhrases(text)].flatMap(({ start, end }) => {
    const words = text.slice(start, end).toLowerCase();
    const value = valueOf(words);
    if (
      value === undefined ||
      !isStated(words, value, text.slice(Math.max(0, start - 12), start), text.slice(end, end + 8))
    )
      return [];
    const isRound = /(?:hundred|thousand|million|billion|hundert|tausend|milliarde)\w*$/.test(words);
    return [{ start, end, value, isRound, isRatio: false }];
  }),
  ...ratios.flatMap(({ pattern, value, isRatio }) =>
    [...text.matchAll(pattern)].map((found) => ({
      ...{ start: found.index, end: found.index + found[0].length, value },
      ...{ isRound: false, isRatio },
    })),
  ),
];

/** "Half of 2026" and "the second half of the year" are times. */
const ratios = [
  {
    pattern:
      /(?<!(?:first|second|last|next|other|latter|this)[ \u00a0]|[\p{L}-])(?:half(?=[ \u00a0]of (?:the |all |our |your |its |their |these |those )(?!year|month|quarter|week|day))|Hälfte(?=[ \u00a0](?:der|aller|unserer|dieser) ))/giu,
    value: 0.5,
    isRatio: false,
  },
  { pattern: /(?<!\p{L})(?:halved|halbiert)(?!\p{L})/giu, value: 0.5, isRatio: true },
  { pattern: /(?<!\p{L})(?:doubled|verdoppelt)(?!\p{L})/giu, value: 2, isRatio: true },
  { pattern: /(?<!\p{L})(?:tripled|verdreifacht)(?!\p{L})/giu, value: 3, isRatio: true },
];

/** "A million" and "millions of" are numbers, "in millions" and "EUR million" are none. */
const isStated = (words: string, value: number, before: string, after: string): boolean => {
  if (words in scaleWords)
    return words.endsWith('s')
      ? /^[ \u00a0]of\b/u.test(after) && !/(?:(?<!\p{L})in|\(|EUR|USD|GBP|CHF|[€$£])[ \u00a0*_]*$/u.test(before)
      : /(?:^|[^\p{L}])(?:an?|eine?|half a)[ \u00a0]$/iu.test(before);
  if (value === 1) return /(?<!\p{L}|\bthe )(?:only|just|exactly|nur|genau)[ \u00a0*_]+$/iu.test(before);
  return value > 1 || words === 'zero';
};

type Place = { readonly start: number; readonly end: number };

const englishPhrases = (text: string): readonly Place[] =>
  [...text.matchAll(englishPhrase)].map((found) => ({ start: found.index, end: found.index + found[0].length }));

const germanPhrases = (text: string): readonly Place[] =>
  [...text.matchAll(word)].flatMap((found) => {
    const written = found[0].toLowerCase();
    if (english.has(written) || germanPartsOf(written) === undefined) return [];
    const end = found.index + found[0].length;
    const [millions = ''] = germanMillions.exec(text.slice(end, end + 16)) ?? [];
    return [{ start: found.index, end: end + millions.length }];
  });

const valueOf = (words: string): number | undefined => {
  let [sum, current] = [0, 0];
  let isNumber = false;
  for (const part of words.split(/[ \u00a0,-]+|\band\b/u).flatMap(partsOf)) {
    if (part === '' || part === 'und') continue;
    const unit = english.get(part) ?? german.get(part);
    const scale = scaleWords[part];
    if (unit === undefined && scale === undefined) return undefined;
    isNumber = true;
    if (unit !== undefined) current += unit;
    else if (scale === 100 || scale === 12) current = Math.max(current, 1) * scale;
    else if (scale !== undefined) [sum, current] = [sum + Math.max(current, 1) * scale, 0];
  }
  return isNumber ? sum + current : undefined;
};

const partsOf = (each: string): readonly string[] =>
  english.has(each) || each in scaleWords ? [each] : (germanPartsOf(each) ?? [each]);

/** From left to right, the longest first; undefined when something is no part of a number. */
const germanPartsOf = (each: string): readonly string[] | undefined => {
  const parts = each.match(germanParts) ?? [];
  return parts.length > 0 && parts.join('') === each ? parts : undefined;
};

type Scale = { readonly pattern: RegExp; readonly factors: readonly number[] };

/** What stands after a number, at once or after a space. One letter counts only where it touches the number. */
const scales: readonly Scale[] = [
  { pattern: /^[ \u00a0-]?(?:thousands?|tausend|tsd\.?|mille|mil)(?!\p{L})/iu, factors: [1e3] },
  { pattern: /^[ \u00a0]?(?:t(?=€)|t(?=eur)|k[ \u00a0]?(?=€|\$|£|eur|usd))/iu, factors: [1e3] },
  { pattern: /^k(?!\p{L})/iu, factors: [1e3] },
  {
    pattern: /^[ \u00a0-]?(?:million(?:s|en|es)?|millón|millones|mio\.?|mill\.?|mln|mn|mm)(?!\p{L})/iu,
    factors: [1e6],
  },
  { pattern: /^[ \u00a0]?m(?=€|\$|£|eur|usd)/iu, factors: [1e6] },
  { pattern: /^M(?!\p{L})/u, factors: [1e6] },
  { pattern: /^m(?!\p{L})/u, factors: [1e6, 1] },
  { pattern: /^[ \u00a0-]?(?:milliarden?|milliards?|mrd\.?|bn)(?!\p{L})/iu, factors: [1e9] },
  { pattern: /^[ \u00a0-]?billions?(?!\p{L})/iu, factors: [1e9] },
  { pattern: /^[ \u00a0-]?billionen(?!\p{L})/iu, factors: [1e12] },
  { pattern: /^B(?!\p{L})/u, factors: [1e9] },
  { pattern: /^[ \u00a0-]?trillions?(?!\p{L})/iu, factors: [1e12] },
  { pattern: /^[ \u00a0-]?(?:lakh|lac)s?(?!\p{L})/iu, factors: [1e5] },
  { pattern: /^[ \u00a0-]?crores?(?!\p{L})/iu, factors: [1e7] },
];

/** The factors that a number may have by the text after it, and how long that text is; undefined without one. */
export const findScale = (
  after: string,
): { readonly factors: readonly number[]; readonly length: number } | undefined => {
  for (const { pattern, factors } of scales) {
    const [found] = pattern.exec(after) ?? [];
    if (found !== undefined) return { factors, length: found.length };
  }
  return undefined;
};

const labelBegin = '(?:\\bin|[([,]|EUR|USD|GBP|CHF|[€$£])[ \\u00a0]?(?:(?:EUR|USD|GBP|CHF|[€$£])[ \\u00a0]?)?';
const labelFactors: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/\b(?:TEUR|KEUR|kEUR)\b|\bT€|\bk€/u, 1e3],
  [new RegExp(`${labelBegin}(?:thousands?|tausend|tsd)(?!\\p{L})`, 'iu'), 1e3],
  [new RegExp(`${labelBegin}(?:millions?|millionen|mio|mn|mln)(?!\\p{L})|\\bMEUR\\b`, 'iu'), 1e6],
  [new RegExp(`${labelBegin}(?:billions?|milliarden?|mrd|bn)(?!\\p{L})`, 'iu'), 1e9],
];

/** The factor that a heading or a label gives all its numbers: "Revenue (EUR million)", "in TEUR". */
export const findLabelFactor = (label: string): number | undefined =>
  labelFactors.find(([pattern]) => pattern.test(label))?.[1];
