/**
 * Periods of a question, English or German: days, months, quarters, halves, years, since, until and between, and periods
 * relative to the newest day of the data.
 */
import {
  toIsoDay,
  type DayRange,
  isIsoDay,
  monthRange,
  multiMonthRange,
  splitDay,
  addDays,
  yearRange,
} from './days.js';
import { parseCount, foldText } from './words.js';

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

export type Period =
  | { readonly kind: 'days'; readonly days: DayRange }
  /** `back` 0: the one that the newest day is in; 1: the one before; `count` > 1: the last so many, that one included. */
  | { readonly kind: 'relative'; readonly unit: Unit; readonly back: 0 | 1; readonly count: number }
  /** From the begin of the unit to the newest day. */
  | { readonly kind: 'to-date'; readonly unit: 'year' }
  /** Older or younger than so many days. */
  | { readonly kind: 'age'; readonly days: number; readonly isOlder: boolean }
  /** A month of the year of the newest day, or of the year before when it comes later. */
  | { readonly kind: 'month'; readonly month: number; readonly reach: PeriodRelation };

export type PeriodMatch = {
  readonly period: Period;
  readonly start: number;
  readonly end: number;
  /** A year alone, which could be a value of the data as well. */
  readonly bareYear?: string;
};

type PeriodRelation = 'in' | 'since' | 'until' | 'before' | 'after';

const monthPatterns = [
  'jan(?:uary|uar|uary)?|jänner|jaenner',
  'feb(?:ruary|ruar)?',
  'mar(?:ch)?|märz|maerz|marz',
  'apr(?:il)?',
  'may|mai',
  'june?|juni',
  'july?|juli',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'o[ck]t(?:ober)?',
  'nov(?:ember)?',
  'de[cz](?:ember)?',
];
const monthPattern = `(?:${monthPatterns.join('|')})`;
const ordinalPattern = 'first|1st|second|2nd|third|3rd|fourth|4th|erstes?n?|zweites?n?|drittes?n?|viertes?n?|[1-4]\\.?';
const yearPattern = '(?:19|20)\\d\\d';
const jointPattern = '(?:[,/]|\\s|of|in|des|vom|year|jahres?)*';
const momentPattern = [
  `\\d{4}-\\d{2}-\\d{2}`,
  `\\d{1,2}\\.\\s?\\d{1,2}\\.\\s?${yearPattern}`,
  `\\d{1,2}(?:\\.|st|nd|rd|th)?\\s+(?:of\\s+)?${monthPattern}\\.?${jointPattern}${yearPattern}`,
  `${monthPattern}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+${yearPattern}`,
  `${monthPattern}\\.?${jointPattern}${yearPattern}`,
  `\\d{4}-\\d{2}(?!\\d)`,
  `(?:0?[1-9]|1[0-2])/${yearPattern}`,
  `(?:q[1-4]|(?:${ordinalPattern})\\s+(?:quarter|quartals?))${jointPattern}${yearPattern}`,
  `${yearPattern}[\\s-]?q[1-4](?!${jointPattern}${yearPattern})`,
  `(?:h[12]|(?:${ordinalPattern})\\s+(?:half|halbjahre?s?|hälfte|haelfte))${jointPattern}${yearPattern}`,
  `(?:(?:the\\s+)?year\\s+|(?:dem\\s+)?jahre?\\s+)?${yearPattern}(?![\\d.,-]*\\d)`,
].join('|');
const periodRelations: readonly (readonly [PeriodRelation, string])[] = [
  ['since', 'since|from|starting(?:\\s+in)?|as\\s+of|seit|ab'],
  ['until', 'until|till|up\\s+to|through|to|bis(?:\\s+(?:einschließlich|ende|zum))?'],
  ['before', 'before|prior\\s+to|vor'],
  ['after', 'after|nach'],
];
const wordStart = '(?<![\\p{L}\\p{N}])';
const wordEnd = '(?![\\p{L}\\p{N}])';
const articlePattern =
  '(?:the\\s+|dem\\s+|der\\s+|den\\s+)?(?:beginning\\s+of\\s+|start\\s+of\\s+|end\\s+of\\s+|anfang\\s+|beginn\\s+|ende\\s+)?';
const relationWords = periodRelations.map(([, words]) => words).join('|');
const betweenPattern = new RegExp(
  `${wordStart}(?:(?<both>between|zwischen)|from|von|vom)\\s+${articlePattern}(?<first>${momentPattern}|${monthPattern})\\s+(?:(?<and>and|und)|to|until|till|through|bis)\\s+${articlePattern}(?:zum\\s+)?(?<last>${momentPattern})${wordEnd}`,
  'giu',
);
const singleDayPattern = new RegExp(
  `${wordStart}(?:(?:(?<reach>${relationWords})|in|im|during|for|on|am|fur|für|within|of)\\s+${articlePattern})?(?<moment>${momentPattern})(?<onwards>\\s+(?:on|onwards?))?${wordEnd}`,
  'giu',
);
const unitPatterns: Readonly<Record<Unit, string>> = {
  day: 'days?|tage?n?',
  week: 'weeks?|wochen?',
  month: 'months?|monate?n?s?',
  quarter: 'quarters?|quartale?n?s?',
  year: 'years?|jahre?n?s?',
};
const anyUnit = Object.values(unitPatterns).join('|');
const lastWords = 'last|past|previous|recent|letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?|vorherige[nrsm]?';
const currentWords = 'this|current|diese[nrsm]?|aktuelle[nrsm]?|laufende[nrsm]?';
const relativePattern = new RegExp(
  `${wordStart}(?:(?:in|im|over|during|for|within|since|seit)\\s+)?(?:the\\s+|den\\s+|dem\\s+|der\\s+)?(?:(?<last>${lastWords})|(?<current>${currentWords}))\\s+(?:(?<count>[\\p{L}\\d]+)\\s+)?(?<unit>${anyUnit})${wordEnd}`,
  'giu',
);
const bareMonthPattern = new RegExp(
  `${wordStart}(?:(?<reach>${relationWords})|in|im|during|for)\\s+(?:month\\s+of\\s+|monat\\s+)?(?<month>${monthPattern})${wordEnd}`,
  'giu',
);

const agePattern = new RegExp(
  `${wordStart}(?:(?<older>older|(?:more|longer) than (?=[\\p{L}\\d]+ \\p{L}+ (?:old|ago))|älter|aelter)|(?<younger>newer|younger|jünger|juenger))\\s*(?:than|als)?\\s+(?<count>[\\p{L}\\d]+)\\s+(?<unit>${anyUnit})(?:\\s+(?:old|ago))?${wordEnd}`,
  'giu',
);

const yearToDate = /(?<![\p{L}\p{N}])(?:year to date|ytd|(?:seit|ab) jahres(?:beginn|anfang))(?![\p{L}\p{N}])/giu;

/** In the order of the text, none over another. */
export const findPeriods = (text: string): readonly PeriodMatch[] => {
  const found: PeriodMatch[] = [];
  const note = (match: RegExpExecArray, period: Period | undefined, bareYear?: string): void => {
    const start = match.index;
    const end = start + match[0].length;
    if (!period || found.some((other) => start < other.end && other.start < end)) return;
    found.push({ period, start, end, ...(bareYear !== undefined && { bareYear }) });
  };
  for (const match of text.matchAll(agePattern)) note(match, agePeriod(match.groups ?? {}));
  for (const match of text.matchAll(betweenPattern)) {
    // "Of 2024 and 2025" are two periods, "between 2024 and 2025" is one.
    if (match.groups?.['and'] !== undefined && match.groups['both'] === undefined) continue;
    const last = match.groups?.['last'] ?? '';
    const first = match.groups?.['first'] ?? '';
    // "May to June 2025": the year is that of the last.
    const inYear = new RegExp(yearPattern).test(first) ? '' : ` ${new RegExp(yearPattern).exec(last)?.[0] ?? ''}`;
    const days = { from: momentDays(`${first}${inYear}`)?.from, to: momentDays(last)?.to };
    note(match, days.from && days.to ? { kind: 'days', days } : undefined);
  }
  for (const match of text.matchAll(singleDayPattern)) {
    const named = match.groups?.['moment'] ?? '';
    const reach = match.groups?.['onwards'] ? 'since' : relationOf(match.groups?.['reach']);
    const days = momentDays(named);
    const isBare = new RegExp(`^${yearPattern}$`).test(named) && reach !== 'since' && reach !== 'until';
    note(match, days && { kind: 'days', days: daysByRelation(days, reach) }, isBare ? named : undefined);
  }
  for (const match of text.matchAll(relativePattern)) note(match, relativePeriod(match.groups ?? {}));
  for (const match of text.matchAll(yearToDate)) note(match, { kind: 'to-date', unit: 'year' });
  for (const match of text.matchAll(bareMonthPattern)) {
    const number = monthOf(match.groups?.['month'] ?? '');
    const reach = relationOf(match.groups?.['reach']);
    note(match, number === undefined ? undefined : { kind: 'month', month: number, reach });
  }
  return found.toSorted((left, right) => left.start - right.start);
};

const relationOf = (words: string | undefined): PeriodRelation => {
  if (words === undefined) return 'in';
  return periodRelations.find(([, forms]) => new RegExp(`^(?:${forms})$`, 'iu').test(words))?.[0] ?? 'in';
};

const daysByRelation = ({ from, to }: DayRange, reach: PeriodRelation): DayRange => {
  switch (reach) {
    case 'in':
      return { from, to };
    case 'since':
      return { from };
    case 'until':
      return { to };
    case 'before':
      return { to: from === undefined ? undefined : addDays(from, -1) };
    case 'after':
      return { from: to === undefined ? undefined : addDays(to, 1) };
  }
};

const monthOf = (word: string): number | undefined => {
  const place = monthPatterns.findIndex((forms) => new RegExp(`^(?:${forms})$`, 'iu').test(word));
  return place < 0 ? undefined : place + 1;
};

const ordinalPatterns = [/^(?:first|1|erst)/, /^(?:second|2|zweit)/, /^(?:third|3|dritt)/, /^(?:fourth|4|viert)/];

const momentDays = (text = ''): DayRange | undefined => {
  const lower = text.toLowerCase();
  const inYear = Number(new RegExp(yearPattern).exec(lower)?.[0] ?? Number.NaN);
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(lower);
  if (iso) return iso[3] === undefined ? validMonthDays(Number(iso[1]), Number(iso[2])) : oneDay(lower);
  const german = /^(\d{1,2})\.\s?(\d{1,2})\./.exec(lower);
  if (german) return oneDay(dayText(inYear, Number(german[2]), Number(german[1])));
  const quarter = /q([1-4])/.exec(lower)?.[1];
  if (quarter !== undefined) return multiMonthRange(inYear, Number(quarter) * 3 - 2, 3);
  if (/quart/.test(lower))
    return multiMonthRange(inYear, ordinalPatterns.findIndex((form) => form.test(lower)) * 3 + 1, 3);
  const half = halfOf(lower);
  if (half !== undefined) return multiMonthRange(inYear, half * 6 - 5, 6);
  const slashed = /^(\d{1,2})\//.exec(lower)?.[1];
  if (slashed !== undefined) return validMonthDays(inYear, Number(slashed));
  const name = new RegExp(monthPattern, 'iu').exec(lower)?.[0];
  if (name === undefined) return yearRange(inYear);
  const day = /(?<!\d)(\d{1,2})(?!\d)/.exec(lower)?.[1];
  const number = monthOf(name) ?? 1;
  return day === undefined ? monthRange(inYear, number) : oneDay(dayText(inYear, number, Number(day)));
};

/** Of a year. */
const halfOf = (text: string): number | undefined => {
  const short = /^h([12])/.exec(text)?.[1];
  if (short !== undefined) return Number(short);
  const place = /hal[bf]|h(?:ä|ae)lfte/.test(text) ? ordinalPatterns.findIndex((form) => form.test(text)) : -1;
  return place === 0 || place === 1 ? place + 1 : undefined;
};

const dayText = (ofYear: number, ofMonth: number, day: number): string =>
  `${ofYear}-${String(ofMonth).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
const oneDay = (day: string): DayRange | undefined => (isIsoDay(day) ? { from: day, to: day } : undefined);
const validMonthDays = (ofYear: number, number: number): DayRange | undefined =>
  number >= 1 && number <= 12 ? monthRange(ofYear, number) : undefined;

const relativePeriod = (groups: Readonly<Record<string, string | undefined>>): Period | undefined => {
  const unit = unitOf(groups['unit'] ?? '');
  const count = groups['count'] === undefined ? 1 : parseCount(foldText(groups['count']));
  if (!unit || count === undefined || count < 1) return undefined;
  if (groups['current'] !== undefined) return count === 1 ? { kind: 'relative', unit, back: 0, count: 1 } : undefined;
  return { kind: 'relative', unit, back: groups['count'] === undefined ? 1 : 0, count };
};

const daysOfUnit = { day: 1, week: 7, month: 30, quarter: 91, year: 365 } as const;

const agePeriod = (groups: Readonly<Record<string, string | undefined>>): Period | undefined => {
  const unit = unitOf(groups['unit'] ?? '');
  const count = parseCount(foldText(groups['count'] ?? ''));
  return unit && count !== undefined
    ? { kind: 'age', days: count * daysOfUnit[unit], isOlder: groups['older'] !== undefined }
    : undefined;
};

const unitOf = (word: string): Unit | undefined => {
  const all: readonly Unit[] = ['day', 'week', 'month', 'quarter', 'year'];
  return all.find((unit) => new RegExp(`^(?:${unitPatterns[unit]})$`, 'iu').test(word));
};

/** The days of a period, when the newest day of the data is known. */
export const toDayRange = (period: Period, newest: string): DayRange => {
  const [inYear = 0, inMonthOf = 1] = splitDay(newest);
  switch (period.kind) {
    case 'days':
      return period.days;
    case 'to-date':
      return { from: toIsoDay(inYear, 1, 1), to: newest };
    case 'age':
      return period.isOlder
        ? { to: addDays(newest, -period.days - 1) }
        : { from: addDays(newest, -period.days + 1), to: newest };
    case 'month':
      return daysByRelation(monthRange(period.month > inMonthOf ? inYear - 1 : inYear, period.month), period.reach);
    case 'relative':
      return relativeDays(period, newest);
  }
};

type Relative = Period & { readonly kind: 'relative' };
const monthsOfUnit = { month: 1, quarter: 3, year: 12 } as const;

const relativeDays = ({ unit, back, count }: Relative, newest: string): DayRange => {
  const [inYear = 0, inMonthOf = 1, day = 1] = splitDay(newest);
  // A week that is over begins on a Monday, as a month that is over begins on its first day.
  if (unit === 'week' && count === 1) {
    const monday = addDays(newest, -((new Date(newest).getUTCDay() + 6) % 7) - 7 * back);
    return { from: monday, to: addDays(monday, 6) };
  }
  if (unit === 'day' || unit === 'week') {
    const length = unit === 'day' ? 1 : 7;
    const to = addDays(newest, -back * length);
    return { from: addDays(to, 1 - length * count), to };
  }
  const length = monthsOfUnit[unit];
  const first = Math.floor((inMonthOf - 1) / length) * length + 1;
  const days = multiMonthRange(inYear, first - length * (back + count - 1), length * count);
  return back === 0 && count > 1 ? { from: days.from, to: toIsoDay(inYear, inMonthOf, day) } : days;
};
