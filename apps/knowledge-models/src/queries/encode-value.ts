/**
 * A text that PostgreSQL sent for a value -> JSON, by the type of its column. The session is set to UTC, ISO dates and
 * shortest floats. A text that is not of its type is answered as a string, and what JSON has no number for (NaN, infinity)
 * is null.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';

export type EncodeValue = (text: string) => string;

/** `exact`: numbers as strings, digit for digit. */
export const encoderFor = (type: ValueType, exact: boolean): EncodeValue => {
  switch (type) {
    case 'string':
      return JSON.stringify;
    case 'integer':
    case 'float':
      return exact ? encodeExact : encodeNumber;
    case 'boolean':
      return encodeBoolean;
    case 'date':
    case 'time':
      return encodeMoment;
    case 'datetime':
      return encodeDatetime;
    case 'timestamp':
      return encodeTimestamp;
  }
};

const numeralPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const trailingZerosPattern = /\.?0+$/;

/** All digits of a number that has no fraction, else none that say nothing: averages come with up to sixteen zeros. */
const encodeNumber: EncodeValue = (text) => {
  if (!numeralPattern.test(text)) return encodeUnusualNumber(text);
  return text.endsWith('0') && text.includes('.') && !text.includes('e')
    ? text.replace(trailingZerosPattern, '')
    : text;
};

const encodeExact: EncodeValue = (text) => (numeralPattern.test(text) ? `"${text}"` : encodeUnusualNumber(text));

const encodeUnusualNumber: EncodeValue = (text) =>
  text === 'NaN' || text === 'Infinity' || text === '-Infinity' ? 'null' : JSON.stringify(text);

const encodeBoolean: EncodeValue = (text) => (text === 't' ? 'true' : text === 'f' ? 'false' : JSON.stringify(text));

const usualMomentPattern = /^[\d:.-]+$/;

const encodeMoment: EncodeValue = (text) =>
  usualMomentPattern.test(text) ? `"${withLongYear(text)}"` : encodeUnusual(text);

const usualDatetimePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;
const usualTimestampPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

const encodeDatetime: EncodeValue = (text) =>
  usualDatetimePattern.test(text) ? `"${text.slice(0, 10)}T${text.slice(11)}"` : encodeUnusual(text);

const encodeTimestamp: EncodeValue = (text) =>
  usualTimestampPattern.test(text) ? `"${text.slice(0, 10)}T${text.slice(11, -3)}Z"` : encodeUnusual(text);

/** Years with more than four digits, and those before the first. */
const unusualMoment = /^(\d{4,})(-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?)?( BC)?$/;

const encodeUnusual: EncodeValue = (text) => {
  if (text === 'infinity' || text === '-infinity') return 'null';
  const [, year, day, time, zone, before] = unusualMoment.exec(text) ?? [];
  if (year === undefined || day === undefined) return JSON.stringify(text);
  const clock = time === undefined ? '' : `T${time}${zone === undefined ? '' : 'Z'}`;
  return `"${isoYear(before === undefined ? Number(year) : 1 - Number(year))}${day}${clock}"`;
};

const withLongYear = (text: string): string =>
  text.indexOf('-') > 4 ? `${isoYear(Number(text.slice(0, text.indexOf('-'))))}${text.slice(text.indexOf('-'))}` : text;

/** ISO 8601 writes a year outside of 0000 to 9999 with a sign; year 0 is 1 BC. */
const isoYear = (year: number): string =>
  year >= 0 && year <= 9999
    ? String(year).padStart(4, '0')
    : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
