/** Numbers, dates and times as a language writes them. */
import type { Language } from './languages.js';

const cached = <Options, Format>(make: (language: Language, options: Options) => Format) => {
  const made = new Map<string, Format>();
  return (language: Language, options: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`;
    const format = made.get(key) ?? make(language, options);
    made.set(key, format);
    return format;
  };
};

const numberFormat = cached((language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options));
const dateFormat = cached(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);
const relativeFormat = cached((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

type Instant = Date | string | number;

/** All of one language; instants are dates, milliseconds or ISO texts. */
export const formatsOf = (language: Language) => ({
  number: (value: number, options: Intl.NumberFormatOptions = {}): string =>
    numberFormat(language, options).format(value),
  /** 0.0993 -> 9.93 % */
  percent: (share: number, digits = 2): string =>
    numberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(share),
  /** 12,300 -> 12K: for axes and tiles, never where an exact figure is expected. */
  compact: (value: number): string =>
    numberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value),
  date: (instant: Instant): string => dateFormat(language, { dateStyle: 'medium' }).format(new Date(instant)),
  dateTime: (instant: Instant): string =>
    dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant)),
  /** Of a date without a time: the same day wherever one is. */
  day: (date: string | number): string =>
    dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date)),
  /** 2026-03-01 -> March 2026, shortened. */
  month: (date: string | number): string =>
    dateFormat(language, { year: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date)),
  time: (instant: Instant): string => dateFormat(language, { timeStyle: 'short' }).format(new Date(instant)),
  /** `in 5 minutes`, `2 days ago`: in the largest unit that there is one of. */
  relative: (instant: Instant, now: Instant = Date.now()): string => {
    const apartMs = new Date(instant).getTime() - new Date(now).getTime();
    const [unit, lengthMs] = spans.find(([, ms]) => Math.abs(apartMs) >= ms) ?? (['second', 1_000] as const);
    return relativeFormat(language, undefined).format(Math.trunc(apartMs / lengthMs), unit);
  },
});

export type Formats = ReturnType<typeof formatsOf>;
