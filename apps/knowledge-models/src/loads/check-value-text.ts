/**
 * Whether a text is a value of a type, character by character: exactly what the types mean, less than PostgreSQL would take.
 * It reads `today` as a date, forgets the zone of a datetime and guesses which of two numbers is the month.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';

/** Of the characters from `start` to before `end`. */
type IsValueText = (text: string, start: number, end: number) => boolean;

/** What an integer, a date and so on look like, for messages. */
export const expectedValueTexts: Readonly<Record<ValueType, string>> = {
  string: 'a text',
  integer: 'a whole number from -9223372036854775808 to 9223372036854775807',
  float: 'a number, e.g. 1234.56',
  boolean: 'true or false',
  date: 'a date, e.g. 2026-06-30',
  time: 'a time without zone, e.g. 08:15:00',
  datetime: 'a date and time without zone, e.g. 2026-06-30T08:15:00',
  timestamp: 'a date and time with zone, e.g. 2026-06-30T08:15:00Z',
};

/** The place after what was read; -1 when it was something else. */
type Place = number;

const codeOfZero = 48;
const digitAt = (text: string, at: Place, end: number): number => {
  const digit = at < end ? text.charCodeAt(at) - codeOfZero : -1;
  return digit <= 9 ? digit : -1;
};

/** The place after all digits; that of the start when there is none. */
const afterDigits = (text: string, start: Place, end: number): Place => {
  let at = start;
  while (digitAt(text, at, end) >= 0) at += 1;
  return at;
};

const afterSign = (text: string, at: Place, end: number): Place =>
  at < end && (text[at] === '-' || text[at] === '+') ? at + 1 : at;

/** A number of so many digits; -1 when they are not there. */
const numberAt = (text: string, start: Place, end: number, digits: number): number => {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const digit = digitAt(text, at, end);
    if (digit < 0) return -1;
    value = value * 10 + digit;
  }
  return value;
};

const safeDigitsMax = 18;
const integerMin = -(2n ** 63n);
const integerMax = 2n ** 63n - 1n;

const isInteger: IsValueText = (text, start, end) => {
  const first = afterSign(text, start, end);
  if (first === end || afterDigits(text, first, end) !== end) return false;
  if (end - first <= safeDigitsMax) return true;
  // More digits than any bigint needs are not worth a conversion.
  if (end - first > 1_000) return false;
  const value = BigInt(text[start] === '+' ? text.slice(first, end) : text.slice(start, end));
  return value >= integerMin && value <= integerMax;
};

const charactersOfNumberMax = 1_000;
const finiteDigitsMax = 300;

/** Within what a double can hold: an answer is JSON, whose readers know no larger number. */
const isFloat: IsValueText = (text, start, end) => {
  const first = afterSign(text, start, end);
  const whole = afterDigits(text, first, end);
  const isPoint = whole < end && text[whole] === '.';
  const mantissa = isPoint ? afterDigits(text, whole + 1, end) : whole;
  if (mantissa - first - (isPoint ? 1 : 0) === 0) return false;
  if (mantissa === end && end - first <= finiteDigitsMax) return true;
  if (end - first > charactersOfNumberMax) return false;
  return afterExponent(text, mantissa, end) === end && Number.isFinite(Number(text.slice(start, end)));
};

/** An exponent that makes a number too small for a double makes its digits too many for a column. */
const exponentDigitsMax = 3;

const afterExponent = (text: string, at: Place, end: number): Place => {
  if (at === end || (text[at] !== 'e' && text[at] !== 'E')) return at;
  const first = afterSign(text, at + 1, end);
  const last = afterDigits(text, first, end);
  return last === first || last - first > exponentDigitsMax ? -1 : last;
};

const booleans: ReadonlySet<string> = new Set([
  'true',
  'false',
  't',
  'f',
  'yes',
  'no',
  'y',
  'n',
  'on',
  'off',
  '1',
  '0',
]);
const booleanLengthMax = 5;

const isBoolean: IsValueText = (text, start, end) =>
  end - start <= booleanLengthMax && booleans.has(text.slice(start, end).toLowerCase());

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysOf = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (monthDays[month - 1] ?? 0);

const afterDate = (text: string, at: Place, end: number): Place => {
  const year = numberAt(text, at, end, 4);
  const month = numberAt(text, at + 5, end, 2);
  const day = numberAt(text, at + 8, end, 2);
  const isDate = text[at + 4] === '-' && text[at + 7] === '-' && year >= 1 && day >= 1 && day <= daysOf(year, month);
  return isDate ? at + 10 : -1;
};

const isBelow = (value: number, limit: number): boolean => value >= 0 && value < limit;
const fractionDigitsMax = 6;

/** Hours and minutes, perhaps seconds, perhaps their fraction down to a microsecond. */
const afterTime = (text: string, at: Place, end: number): Place => {
  const isMinute = isBelow(numberAt(text, at, end, 2), 24) && isBelow(numberAt(text, at + 3, end, 2), 60);
  if (!isMinute || text[at + 2] !== ':') return -1;
  const seconds = at + 5;
  if (seconds >= end || text[seconds] !== ':') return seconds;
  if (!isBelow(numberAt(text, seconds + 1, end, 2), 60)) return -1;
  const fraction = seconds + 3;
  if (fraction >= end || text[fraction] !== '.') return fraction;
  const last = afterDigits(text, fraction + 1, end);
  return last > fraction + 1 && last - fraction - 1 <= fractionDigitsMax ? last : -1;
};

const afterDatetime = (text: string, start: Place, end: number): Place => {
  const at = afterDate(text, start, end);
  return at > 0 && at < end && (text[at] === 'T' || text[at] === ' ') ? afterTime(text, at + 1, end) : -1;
};

/** `Z`, or hours and minutes of which the colon may be missing. */
const afterZone = (text: string, at: Place, end: number): Place => {
  if (at < 0 || at >= end) return -1;
  if (text[at] === 'Z') return at + 1;
  const hours = afterSign(text, at, end);
  if (hours === at || !isBelow(numberAt(text, hours, end, 2), 16)) return -1;
  const minutes = text[hours + 2] === ':' ? hours + 3 : hours + 2;
  if (minutes >= end) return minutes === hours + 2 ? minutes : -1;
  return isBelow(numberAt(text, minutes, end, 2), 60) ? minutes + 2 : -1;
};

const testByType: Readonly<Record<ValueType, IsValueText>> = {
  string: () => true,
  integer: isInteger,
  float: isFloat,
  boolean: isBoolean,
  date: (text, start, end) => afterDate(text, start, end) === end,
  time: (text, start, end) => afterTime(text, start, end) === end,
  datetime: (text, start, end) => afterDatetime(text, start, end) === end,
  timestamp: (text, start, end) => afterZone(text, afterDatetime(text, start, end), end) === end,
};

/** Spaces around a value that is no text do not count. */
const ignoringSpaces =
  (isValueText: IsValueText): IsValueText =>
  (text, start, end) => {
    let [first, last] = [start, end];
    while (first < last && text[first] === ' ') first += 1;
    while (last > first && text[last - 1] === ' ') last -= 1;
    return isValueText(text, first, last);
  };

/** What a value of the type is called in messages; `undefined` for a string, which every text is. */
export const valueTestFor = (type: ValueType): IsValueText | undefined =>
  type === 'string' ? undefined : ignoringSpaces(testByType[type]);

const shownCharactersMax = 100;

/** A value as a message shows it. */
export const quoteShortened = (text: string): string =>
  text.length > shownCharactersMax ? `"${text.slice(0, shownCharactersMax).toWellFormed()}…"` : `"${text}"`;
