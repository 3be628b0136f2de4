/** Words that compare a period with an earlier one: "than last year", "im Vergleich zum Vorjahr", "and the month before". */
import { addDays, type DayRange, splitDay, toIsoDay } from './days.js';

/** `period`: as long as the period itself. `isAlone`: only the earlier one is asked for, as in "and the year before?". */
export type PeriodShift = { readonly unit: 'month' | 'quarter' | 'year' | 'period'; readonly isAlone: boolean };
export type PeriodShiftMatch = PeriodShift & { readonly start: number; readonly end: number };

const unitWords = 'year|month|quarter|period|jahr(?:es)?|monat(?:s|es)?|quartal(?:s)?|zeitraum(?:s)?|periode';
const comparing =
  'compared (?:to|with)|in comparison (?:to|with)|versus|vs\\.?|against|than|im vergleich (?:zu[mr]?|mit)|verglichen mit|gegen(?:ü|ue)ber|als';
const article = '(?:(?:in|im|of|des|zu)\\s+)?(?:the\\s+|dem\\s+|der\\s+|den\\s+|des\\s+)?';
const earlier = '(?:last|previous|prior|preceding|letzte[nms]?|vorige[nms]?|vorherige[nms]?|vergangene[nms]?)';
const same = `(?:same|gleichen?|selben?)\\s+(?:${unitWords}|time|months?|quarters?)`;
const comparedPattern = new RegExp(
  `(?:(?:${comparing})\\s+)?${article}${same}\\s+${article}${earlier}\\s+(?<same>${unitWords})(?![\\p{L}])|` +
    `(?:${comparing})\\s+${article}${earlier}\\s+(?<unit>${unitWords})(?![\\p{L}])`,
  'iu',
);
const beforePattern = new RegExp(
  `(?:(?:${comparing})\\s+)?${article}(?<unit>${unitWords})\\s+(?:before|earlier|prior|davor|zuvor|vorher)(?![\\p{L}])`,
  'iu',
);
const compoundPattern = new RegExp(
  `(?:(?:${comparing})\\s+)?(?:(?:im|in|zum|zur|mit|dem|der|den)\\s+)*vor(?<unit>jahr(?:es)?|monat(?:s)?|quartal(?:s)?|periode)(?![\\p{L}])`,
  'iu',
);
const comparingPattern = new RegExp(comparing, 'iu');

const unitOf = (word: string): PeriodShift['unit'] => {
  const lower = word.toLowerCase();
  if (/^(?:year|jahr)/.test(lower)) return 'year';
  if (/^(?:month|monat)/.test(lower)) return 'month';
  return /^quart/.test(lower) ? 'quarter' : 'period';
};

/** Undefined when no earlier period is named by its place alone. */
export const findPeriodShift = (text: string): PeriodShiftMatch | undefined => {
  for (const pattern of [comparedPattern, beforePattern, compoundPattern]) {
    const match = pattern.exec(text);
    if (!match) continue;
    const unit = unitOf(match.groups?.['same'] ?? match.groups?.['unit'] ?? '');
    const isAlone = !comparingPattern.test(match[0]) && pattern !== comparedPattern;
    return { unit, isAlone, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
};

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** The same days earlier; whole months stay whole months. */
export const shiftRange = ({ from, to }: DayRange, unit: PeriodShift['unit']): DayRange => {
  if (unit !== 'period') return { from: moveMonths(from, monthsOf[unit]), to: moveMonths(to, monthsOf[unit]) };
  if (from === undefined || to === undefined) return { from, to };
  const months = wholeMonths(from, to);
  if (months !== undefined) return { from: moveMonths(from, months), to: moveMonths(to, months) };
  const length = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: addDays(from, -length), to: addDays(to, -length) };
};

const isLastOfMonth = (day: string): boolean => addDays(day, 1).endsWith('-01');

const wholeMonths = (from: string, to: string): number | undefined => {
  if (!from.endsWith('-01') || !isLastOfMonth(to)) return undefined;
  const [fromYear = 0, fromMonth = 0] = splitDay(from);
  const [toYear = 0, toMonth = 0] = splitDay(to);
  return (toYear - fromYear) * 12 + toMonth - fromMonth + 1;
};

const moveMonths = (day: string | undefined, back: number): string | undefined => {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = splitDay(day);
  const last = toIsoDay(year, month - back + 1, 0);
  if (isLastOfMonth(day)) return last;
  const moved = toIsoDay(year, month - back, date);
  return moved > last ? last : moved;
};
