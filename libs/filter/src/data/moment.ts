/**
 * Dates, times and datetimes as written -> what they stand for: a day, or the span of the literal's own precision
 * (minute, second, fraction), in UTC and as text that PostgreSQL reads without loss.
 */

/**
 * The moments that a literal of a time stands for: from <= x < before. Between two microseconds no value lies: both are then the later one, with
 * which what is greater begins.
 */
export type MomentSpan = { readonly from: string; readonly before: string };

const datePart = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const timePart = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?`;
const dateTimePattern = new RegExp(`^${datePart}(?:T${timePart}(?:Z|([+-])(\\d{2}):(\\d{2}))?)?$`);
const timePattern = new RegExp(`^${timePart}$`);

const minute = 60_000_000n;
const dayMicros = 1_440n * minute;
const offsetMinutesMax = 14 * 60;
const firstMicros = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1_000n;

/** The day of a date or a datetime, in UTC, when there is such a day: `2015-05-07`. */
export const toIsoDay = (text: string): string | undefined => {
  const span = spanOf(text);
  return span && printMicros(span.at).replace(/T.*$/, '');
};

/** A date, or a datetime with or without zone; without one it is in UTC. */
export const parseMomentSpan = (text: string): MomentSpan | undefined => {
  const span = spanOf(text);
  return span && { from: printMicros(span.from), before: printMicros(span.before) };
};

/** `12:30`, `12:30:00`, `12:30:00.5`; the last span of the day ends at `24:00:00`. */
export const parseTimeSpan = (text: string): MomentSpan | undefined => {
  const match = timePattern.exec(text);
  const clock = match && clockOf(match.slice(1));
  if (!clock) return undefined;
  const print = (micros: bigint): string =>
    micros === dayMicros ? '24:00:00' : printMicros(micros).slice('1970-01-01T'.length);
  return { from: print(clock.from), before: print(clock.before) };
};

const looseMoment =
  /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:[Tt]?(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([Zz]|[+-]\d{1,4}(?::\d+)?)?)?$/;

/** The part of it that no date and no time has; undefined where that is not why it does not fit. */
export const explainMoment = (text: string): string | undefined => {
  const [, year, month = '01', day = '01', hour = '00', minutes = '00', seconds = '00', fraction = '', zone] =
    looseMoment.exec(text) ?? [];
  const [, sign, hours, rest] = /^([+-])(\d{2}):(\d{2})$/.exec(zone ?? '') ?? [];
  const midnight = year === undefined ? 0n : midnightOf(Number(year), Number(month), Number(day));
  if (year === '0000') return 'there is no year 0000';
  if (Number(month) < 1 || Number(month) > 12) return `there is no month ${month}`;
  if (midnight === undefined) return `month ${month} of ${year} has no day ${day}`;
  if (Number(hour) > 23) return `there is no hour ${hour}`;
  if (Number(minutes) > 59) return `there is no minute ${minutes}`;
  if (Number(seconds) > 59) return `there is no second ${seconds}`;
  if (fraction.length > fractionMax)
    return `a second has at most ${fractionMax} digits behind the point, and here are ${fraction.length}`;
  if (zone === undefined || zone === 'Z') return undefined;
  if (hours === undefined) return `a zone is Z or written as +02:00, not ${zone}`;
  if (offsetOf(sign, hours, rest) === undefined)
    return `there is no zone ${zone}; zones go from -14:00 to +14:00, with minutes below 60`;
  return year === '0001' ? 'in UTC it is before the year 0001' : undefined;
};

/** Behind the point of a second. */
const fractionMax = 12;

/** `at`: the microsecond in which it is. */
type Micros = { readonly at: bigint } & { readonly [Edge in keyof MomentSpan]: bigint };

const spanOf = (text: string): Micros | undefined => {
  const match = dateTimePattern.exec(text);
  const day = match && midnightOf(Number(match[1]), Number(match[2]), Number(match[3]));
  if (day === null || day === undefined) return undefined;
  if (match?.[4] === undefined) return { at: day, from: day, before: day + dayMicros };
  const clock = clockOf(match.slice(4, 8));
  const offset = offsetOf(match[8], match[9], match[10]);
  if (!clock || offset === undefined) return undefined;
  const moved = day - offset;
  return clock.at + moved < firstMicros
    ? undefined
    : { at: clock.at + moved, from: clock.from + moved, before: clock.before + moved };
};

const midnightOf = (year: number, month: number, day: number): bigint | undefined => {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const isReal = year > 0 && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return isReal ? BigInt(midnight.getTime()) * 1_000n : undefined;
};

/** Since midnight, from hours, minutes, seconds and the digits of a fraction as far as they were written. */
const clockOf = ([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): Micros | undefined => {
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const whole = (BigInt(hours ?? 0) * 60n + BigInt(minutes ?? 0)) * minute + BigInt(seconds ?? 0) * 1_000_000n;
  const length = seconds === undefined ? minute : 1_000_000n;
  if (fraction === undefined) return { at: whole, from: whole, before: whole + length };
  const digits = fraction.slice(0, 6);
  const at = whole + BigInt(digits.padEnd(6, '0'));
  if (/[1-9]/.test(fraction.slice(6))) return { at, from: at + 1n, before: at + 1n };
  return { at, from: at, before: at + 10n ** BigInt(6 - digits.length) };
};

const offsetOf = (sign = '+', hours = '00', minutes = '00'): bigint | undefined => {
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > offsetMinutesMax || Number(minutes) > 59) return undefined;
  return BigInt(sign === '-' ? -offset : offset) * minute;
};

/** ISO 8601 without zone; the year 10000, with which the last day of 9999 ends, has five digits. */
const printMicros = (micros: bigint): string => {
  const rest = ((micros % 1_000n) + 1_000n) % 1_000n;
  const ms = new Date(Number((micros - rest) / 1_000n)).toISOString().replace(/^\+0*/, '').slice(0, -1);
  return `${ms}${String(rest).padStart(3, '0')}`.replace(/\.000000$/, '');
};
