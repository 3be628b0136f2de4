/**
 * The type of a field and a literal -> the value that it stands for. Numbers are read from their digits, so that nothing is lost.
 */
import type { LiteralText } from '@tessera/sql';
import { literalFormOf } from './data-words.js';
import { toIsoDay, parseMomentSpan, parseTimeSpan } from './moment.js';
import type { FieldType, TypedValue } from './typed-filter.js';

/** Undefined: the literal does not fit. */
export const toTypedValue = (type: FieldType, { kind, text }: LiteralText): TypedValue | undefined => {
  if (type === 'string') return kind === 'string' || kind === 'word' ? { kind: 'string', text } : undefined;
  const form = kind === 'string' ? (literalFormOf(text) ?? 'word') : kind;
  switch (type) {
    case 'integer':
      return form === 'number' ? numberOf(text) : undefined;
    case 'float':
      return form === 'number' && isInFloatRange(text) ? { kind: 'decimal', text } : undefined;
    case 'boolean': {
      const word = kind === 'string' ? text.toLowerCase() : text;
      return word === 'true' || word === 'false' ? { kind: 'boolean', value: word === 'true' } : undefined;
    }
    case 'date': {
      const day = form === 'date' || form === 'datetime' ? toIsoDay(text) : undefined;
      return day === undefined ? undefined : { kind: 'date', text: day };
    }
    case 'time': {
      const span = form === 'time' ? parseTimeSpan(text) : undefined;
      return span && { kind: 'time', ...span };
    }
    case 'datetime':
    case 'timestamp': {
      const span = form === 'date' || form === 'datetime' ? parseMomentSpan(text) : undefined;
      return span && { kind: type, ...span };
    }
  }
};

const numberOf = (text: string): TypedValue => {
  const digits = bigintOf(text);
  return digits === undefined ? { kind: 'decimal', text } : { kind: 'integer', text: digits };
};

const numberPattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const bigintDigitsMax = 19;
const bigintMin = -(2n ** 63n);
const bigintMax = 2n ** 63n - 1n;

/** The digits of a whole number that fits into eight bytes, however it was written (`1e3`, `5.0`). */
const bigintOf = (text: string): string | undefined => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberPattern.exec(text) ?? [];
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = withoutZerosAtEnd(written);
  const zeros = written.length - digits.length + Number(exponent) - fraction.length;
  if (digits === '') return whole === '' ? undefined : '0';
  if (zeros < 0 || digits.length + zeros > bigintDigitsMax) return undefined;
  const value = BigInt(digits + '0'.repeat(zeros)) * (sign === '-' ? -1n : 1n);
  return value < bigintMin || value > bigintMax ? undefined : String(value);
};

/** A pattern would begin anew at each zero of `000...1`. */
const withoutZerosAtEnd = (digits: string): string => {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
};

/** Whether a column of floating point numbers could hold something like it: neither too large nor too near to zero. */
const isInFloatRange = (text: string): boolean => {
  const value = Number(text);
  return Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/[eE].*$/, '')));
};
