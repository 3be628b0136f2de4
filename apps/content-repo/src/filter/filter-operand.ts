/** A literal of a filter as a value of an attribute's type. */
import type { FilterLiteral } from '@tessera/filter';

/** The instants that a date-time literal stands for, up to its own precision: from <= x < before. */
export type TimeSpan = { readonly from: string; readonly before: string };

const numberPattern = /^[+-]?\d{1,100}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,3})?$/;
const dateTimePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?Z?$/;
const dayMs = 86_400_000;

export const textOfLiteral = (literal: FilterLiteral): string | undefined =>
  literal.kind === 'string' ? literal.text : undefined;

/** Decimal text, which PostgreSQL takes without loss. Quoted numbers are numbers, too. */
export const numberOfLiteral = ({ kind, text }: FilterLiteral): string | undefined =>
  kind !== 'boolean' && numberPattern.test(text) ? text : undefined;

export const booleanOfLiteral = ({ text }: FilterLiteral): boolean | undefined => {
  const word = text.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
};

/** A date stands for its day, minutes for the minute, seconds for the second, fractions for themselves. */
export const timeSpanOfLiteral = ({ kind, text }: FilterLiteral): TimeSpan | undefined => {
  const match = kind === 'string' ? dateTimePattern.exec(text) : null;
  if (!match) return undefined;
  const [, year, month, day, hours = '0', minutes, seconds = '0', fraction] = match;
  const fromMs = Date.UTC(2000, Number(month) - 1, Number(day), Number(hours), Number(minutes ?? 0), Number(seconds));
  const from = new Date(fromMs);
  from.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isReal =
    Number(year) > 0 &&
    from.toISOString().slice(0, 19) ===
      `${year}-${month}-${day}T${hours.padStart(2, '0')}:${minutes ?? '00'}:${seconds.padStart(2, '0')}`;
  if (!isReal) return undefined;
  if (fraction !== undefined) {
    const second = timestampText(from);
    const micros = Number(fraction.padEnd(6, '0'));
    return { from: `${second}.${fraction.padEnd(6, '0')}`, before: microsAfter(from, micros + 1) };
  }
  const stepMs = minutes === undefined ? dayMs : match[6] === undefined ? 60_000 : 1_000;
  return { from: timestampText(from), before: timestampText(new Date(from.getTime() + stepMs)) };
};

const microsAfter = (instant: Date, micros: number): string =>
  micros < 1_000_000
    ? `${timestampText(instant)}.${String(micros).padStart(6, '0')}`
    : timestampText(new Date(instant.getTime() + 1_000));

/** As PostgreSQL reads it, also in the year 10000, which the last day of 9999 ends with. */
const timestampText = (instant: Date): string => instant.toISOString().replace(/^\+0*/, '').slice(0, -5);
