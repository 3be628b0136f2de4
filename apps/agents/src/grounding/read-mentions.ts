/** The numbers that a text states, with what stands around them. Dates, numbering and the like are not among them. */
import { findNonFigures, yearPlace } from './not-figures.js';
import { findLabelFactor, findNumberWords, findScale, type NumberPhrase } from './number-words.js';
import { findDecimalSign, parseNumber, type DecimalSign, type Reading } from './parse-number.js';
import { toPlainText } from './plain-text.js';
import { readTables, type TablePlace } from './read-tables.js';

export type Mention = {
  /** As it stands in the text, with its sign, scale and per cent. */
  readonly text: string;
  /** In UTF-16 code units of the text. */
  readonly start: number;
  readonly end: number;
  /** In the units that a tool may have: a per cent also as a fraction. Empty for what cannot be read as one number. */
  readonly readings: readonly Reading[];
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  readonly hasUnit: boolean;
  /** The currency or measure that stands beside it, in one writing; empty without one. */
  readonly unit: string;
  /** What it is a part of when letters touch it: `KPI42`. */
  readonly name: string | undefined;
  /** The digits of what may be a number of an order or a plant: no separators, no unit. */
  readonly code: string | undefined;
  /** Four digits that are a year where the turn knows that year. */
  readonly isPerhapsYear: boolean;
  readonly isWord: boolean;
  /** The line up to the number, with the head of its column in a table. */
  readonly before: string;
  /** The line behind it. */
  readonly after: string;
  readonly table: TablePlace | undefined;
  /** What `100 200` is when it is not one number. */
  readonly parts?: readonly Mention[];
};

/** So much is read of the largest answer: it keeps the process busy. */
export const mentionsMax = 2_000;
export const charactersMax = 65_536;

export const readMentions = (original: string): readonly Mention[] => {
  const plain = toPlainText(original.slice(0, charactersMax));
  const { text } = plain;
  const sign = findDecimalSign(text);
  const taken = maskOf(text);
  const tables = readTables(text);
  const context = { original, ...plain, sign, tables };
  const found: Mention[] = [];
  let count = 0;
  for (const token of findTokens(text)) {
    if (taken[token.start] === 1) continue;
    const mentions = mentionsOf(token, context);
    found.push(...mentions);
    count += countMentions(mentions);
    if (count >= mentionsMax) break;
  }
  for (const word of findNumberWords(text)) {
    if (count >= mentionsMax) break;
    // "Million" behind digits is a scale.
    if (/\d[ \u00a0-]?$/.test(text.slice(Math.max(0, word.start - 2), word.start))) continue;
    found.push(wordMention(word, context));
    count++;
  }
  return found.toSorted((left, right) => left.start - right.start);
};

/** With the parts of each. */
export const countMentions = (mentions: readonly Mention[]): number =>
  mentions.reduce((sum, { parts = [] }) => sum + 1 + parts.length, 0);

type Token = { readonly start: number; readonly end: number; readonly name?: string };
type Context = {
  readonly original: string;
  readonly text: string;
  readonly at: readonly number[];
  readonly sign: DecimalSign;
  readonly tables: (place: number) => TablePlace | undefined;
};

const maskOf = (text: string): Uint8Array => {
  const taken = new Uint8Array(text.length);
  for (const { start, end } of findNonFigures(text)) taken.fill(1, start, end);
  return taken;
};

const currencies = '(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|INR|CAD|AUD|BRL|MXN|[€$£¥₹])';
const prefixedCurrency = new RegExp(
  `^[kKMm]?(?:${currencies}|Rs?|RM|kr|S?Fr|DM|HKD|SGD|AED|SAR|ZAR|KRW|THB|TRY|RUB|ILS)$`,
  'u',
);
const number =
  /\d{1,3}(?:[ \u00a0'’_]\d{3}){1,6}(?:[.,]\d+)?(?![\d'’_]|[.,]\d)|(?:\d+(?:[.,]\d+)*|(?<![\d\p{L}])\.\d+)(?:[eE][+-]?\d{1,3}(?![\p{L}\d]))?/gu;

/** Digits that are a part of a name, such as `B2B`, are none. Scripts without capitals write numbers beside words. */
const findTokens = function* (text: string): Generator<Token> {
  for (const found of text.matchAll(number)) {
    const start = found.index;
    const end = start + found[0].length;
    const [letters = ''] =
      /[\p{Lu}\p{Ll}][\p{Lu}\p{Ll}\p{Nd}_]*$/u.exec(text.slice(Math.max(0, start - 24), start)) ?? [];
    if (letters === '' || isNoPartOfName(letters)) {
      yield { start, end };
      continue;
    }
    const [rest = ''] = /^[\p{L}\p{N}_]{0,40}/u.exec(text.slice(end, end + 40)) ?? [];
    const name = letters + found[0] + rest;
    if (!isName(name)) yield { start, end, name };
  }
};

/** Currencies touch their numbers, and so does emphasis: `revenue is_42_`. */
const isNoPartOfName = (letters: string): boolean =>
  prefixedCurrency.test(letters) || (letters.endsWith('_') && /\p{Ll}/u.test(letters));

/** By its form alone: a few capitals with digits, what has digits between letters, and square and cubic metres. */
const isName = (name: string): boolean =>
  (/^[A-Z]{1,4}\d{1,6}(?:[A-Za-z]\w*)?$/.test(name) &&
    !/^(?:CA|NR|NO|EUR)\d|\d(?:k|m|mn|mio|mrd|bn|tsd|t?eur)$/i.test(name)) ||
  /^(?:[a-z]2[a-z]|v\d{1,3}(?:\.\d{1,3})*|[cdkm]?m[23])$/.test(name);

const mentionsOf = (token: Token, context: Context): readonly Mention[] => {
  const written = context.text.slice(token.start, token.end);
  const parts = () =>
    [...written.matchAll(/\d+(?:[.,]\d+)?/g)].map((part) =>
      mentionOf({ start: token.start + part.index, end: token.start + part.index + part[0].length }, context),
    );
  if (/^\d+(?:,\d+){2,}$/.test(written) && parseNumber(written, context.sign).length === 0) return parts();
  const mention = mentionOf(token, context);
  if (isYear(mention)) return [];
  return [written.includes(' ') ? { ...mention, parts: parts() } : mention];
};

const percentSign =
  /^[ \u00a0-]?(?:%|percentage[ -]points?|prozentpunkten?|percent|per cent|prozent|pct\b|pp\b|pour cent|por ciento)/iu;
const unitAfter = new RegExp(
  `^[ \\u00a0-]?(?:${currencies}|euros?|dollars?|pounds?|francs?|days?|Tagen?|hours?|Stunden?|weeks?|Wochen?|months?|Monaten?|years?|Jahren?|minutes?|Minuten?|kg|t|km|pieces|Stück|units)(?!\\p{L})`,
  'iu',
);
const unitBefore = new RegExp(`${currencies}[ \\u00a0]?[-+]?$`, 'u');

const negativeSign = /(?:^|[\s(|:=*])(?:[€$£][ \u00a0]?)?([-–](?:[€$£]|(?:EUR|USD|GBP|CHF)[ \u00a0])?)$/u;

const currencyNames: Readonly<Record<string, string>> = {
  ...{ '€': 'eur', euro: 'eur', $: 'usd', dollar: 'usd', '£': 'gbp', pound: 'gbp', franc: 'chf' },
};

const unitOf = (written: string): string => {
  const unit = written.toLowerCase().replaceAll(/[ \u00a0+-]/g, '');
  const singular = unit.length > 3 ? unit.replace(/(?:s|n|en)$/, '') : unit;
  return currencyNames[singular] ?? singular;
};

const mentionOf = ({ start, end, name }: Token, context: Context): Mention => {
  const { original, text, at, sign } = context;
  const written = text.slice(start, end);
  const lineStart = startOfLine(text, start);
  const minus = negativeSign.exec(text.slice(Math.max(lineStart, start - 6), start))?.[1];
  const isNegative = minus !== undefined;
  const scale = findScale(text.slice(end, end + 16));
  const scaleEnd = end + (scale?.length ?? 0);
  const percent = percentSign.exec(text.slice(scaleEnd, scaleEnd + 20))?.[0] ?? '';
  const table = context.tables(start);
  const label = `${table?.head ?? ''} ${text.slice(lineStart, start)}`;
  const isPercent = percent !== '' || (table !== undefined && /%|per ?cent|prozent/i.test(table.head));
  const from = start - (minus?.length ?? 0);
  const to = scaleEnd + percent.length;
  const factors = scale?.factors ?? labelFactors(label);
  const numbers = parseNumber(written, sign);
  const unit = unitOf(
    unitBefore.exec(text.slice(Math.max(0, start - 6), start))?.[0] ??
      unitAfter.exec(text.slice(to, to + 20))?.[0] ??
      '',
  );
  const hasUnit = unit !== '';
  const isPlain = /^\d+$/.test(written) && !isPercent && !hasUnit && scale === undefined;
  return {
    ...place(original, at, from, to),
    readings: readingsIn(numbers, factors, isPercent, text.slice(lineStart, start)),
    ...{ isNegative, isPercent, hasUnit, unit, name, isWord: false, table },
    code: isPlain || numbers.length === 0 ? written : undefined,
    isPerhapsYear:
      isPlain &&
      yearShape.test(written) &&
      yearPlace(text.slice(Math.max(0, lineStart - 1), start), restOfLine(text, to)) === 'perhaps',
    before: label,
    after: restOfLine(text, to),
  };
};

/** What is read of a line on both sides of a number. */
const besideMax = 200;

const startOfLine = (text: string, place: number): number => {
  const from = Math.max(0, place - besideMax);
  return from + text.slice(from, place).lastIndexOf('\n') + 1;
};

const restOfLine = (text: string, place: number): string =>
  text.slice(place, place + besideMax).split('\n', 1)[0] ?? '';

const yearShape = /^(?:19|20)\d\d$/;

const place = (original: string, at: readonly number[], from: number, to: number) => {
  const [start, end] = [at[from] ?? 0, at[to] ?? original.length];
  return { text: original.slice(start, end), start, end };
};

/** A label may speak of its unit alone, so the number as it stands counts too. */
const labelFactors = (label: string): readonly number[] => {
  const factor = findLabelFactor(label);
  return factor === undefined ? [1] : [factor, 1];
};

const hedge =
  /(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|more than|some|circa|ca\.?|etwa|rund|ungefähr|knapp|fast|über|gut|~|≈)[ \u00a0*]*(?:[€$£]|EUR|USD)?[ \u00a0*]*$/iu;
/** A number that is said to be round may be off by so much of itself. */
const roundnessMax = 0.05;

const readingsIn = (
  numbers: readonly Reading[],
  factors: readonly number[],
  isPercent: boolean,
  before: string,
): readonly Reading[] => {
  const isRound = hedge.test(before);
  return numbers.flatMap((number) => {
    const { value, half } = isRound ? rounded(number) : number;
    return [...factors, ...(isPercent ? factors.map((factor) => factor / 100) : [])].map((factor) => ({
      value: value * factor,
      // "0 million" states no more than nothing.
      half: value === 0 && factor > 1 ? 0 : half * factor,
    }));
  });
};

/** "About 8,000,000" leaves the zeros open. */
const rounded = ({ value, half }: Reading): Reading => {
  if (value === 0 || !Number.isInteger(value)) return { value, half };
  let step = 1;
  while (value % (step * 10) === 0) step *= 10;
  return { value, half: Math.min(Math.max(half, step / 2), Math.max(half, value * roundnessMax)) };
};

const isYear = ({ code, before, after, table }: Mention): boolean =>
  code !== undefined &&
  yearShape.test(code) &&
  yearPlace(table ? before.slice(table.head.length) : before, after) === 'year';

const wordMention = (
  { start, end, value, isRound, isRatio }: NumberPhrase,
  { original, text, at, tables }: Context,
): Mention => {
  const lineStart = startOfLine(text, start);
  const percent = percentSign.exec(text.slice(end, end + 20))?.[0] ?? '';
  const to = end + percent.length;
  const unit = unitOf(unitAfter.exec(text.slice(to, to + 20))?.[0] ?? '');
  const factors = percent === '' ? [1] : [1, 0.01];
  const half = isRound ? stepOf(value) / 2 : 0;
  const table = tables(start);
  return {
    ...place(original, at, start, to),
    readings: factors.map((factor) => ({ value: value * factor, half: half * factor })),
    ...{ isNegative: false, isPercent: percent !== '', isWord: true, isPerhapsYear: false, code: undefined, table },
    ...{ hasUnit: isRound || isRatio || unit !== '', unit, name: undefined },
    before: `${table?.head ?? ''} ${text.slice(lineStart, start)}`,
    after: restOfLine(text, to),
  };
};

const stepOf = (value: number): number => {
  for (const step of [1e9, 1e6, 1e3, 100]) if (value % step === 0) return step;
  return 1;
};
