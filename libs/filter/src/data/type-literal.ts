/**
 * A literal and the type of a field -> a value of that type, or why it is none. Quoted numbers, booleans, dates and times
 * are what is in the quotes. Refuses: to turn a value of one kind into another.
 */
import type { DataLiteral } from '../expression.js';
import { dayOf, momentSpanOf, timeSpanOf } from './moment.js';
import { bigintOf, isInFloatRange } from './number.js';
import { formOf } from './scan.js';
import type { FieldType, TypedValue } from './typed-filter.js';

/** Undefined: the literal does not fit. */
export const typeLiteral = (type: FieldType, { kind, text }: DataLiteral): TypedValue | undefined => {
  if (type === 'string') return kind === 'string' || kind === 'word' ? { kind: 'string', text } : undefined;
  const form = kind === 'string' ? (formOf(text) ?? 'word') : kind;
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
      const day = form === 'date' ? dayOf(text) : undefined;
      return day === undefined ? undefined : { kind: 'date', text: day };
    }
    case 'time': {
      const span = form === 'time' ? timeSpanOf(text) : undefined;
      return span && { kind: 'time', ...span };
    }
    case 'datetime':
    case 'timestamp': {
      const span = form === 'date' || form === 'datetime' ? momentSpanOf(text) : undefined;
      return span && { kind: type, ...span };
    }
  }
};

const numberOf = (text: string): TypedValue => {
  const digits = bigintOf(text);
  return digits === undefined ? { kind: 'decimal', text } : { kind: 'integer', text: digits };
};

export const typeNames: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  integer: 'an integer',
  float: 'a float',
  boolean: 'a boolean',
  date: 'a date',
  time: 'a time',
  datetime: 'a datetime',
  timestamp: 'a timestamp',
};

export const valuesThatFit: Readonly<Record<FieldType, string>> = {
  string: "a string in single quotes such as 'value'",
  integer: 'a number such as 12',
  float: 'a number such as 12.5',
  boolean: 'true or false',
  date: 'a date such as 2015-05-07',
  time: 'a time such as 12:30:00',
  datetime: 'a date or a datetime such as 2015-05-07T08:30:00',
  timestamp: 'a date or a datetime such as 2015-05-07T08:30:00Z',
};

/** What a literal is in words, with its text as far as it helps. */
export const nameLiteral = ({ kind, text }: DataLiteral): string => {
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return kind === 'string' ? `the string '${shown}'` : kind === 'null' ? 'null' : `the ${kind} ${shown}`;
};
