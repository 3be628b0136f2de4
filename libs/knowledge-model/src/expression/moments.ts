/**
 * Texts of dates, times and intervals -> the text that means the same in every session. Never accepts `today`,
 * `infinity` or a date that no calendar has.
 */
import type { TemporalType } from './formula.js';

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const zonePattern = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const intervalPartPattern = /^\d{1,5} (?:year|month|week|day|hour|minute|second)s?$/;

/** What would fit, for messages. */
export const momentExamples: Readonly<Record<TemporalType, string>> = {
  date: '2026-05-07',
  time: '08:30:00',
  datetime: '2026-05-07T08:30:00',
  timestamp: '2026-05-07T08:30:00Z',
  interval: '3 days',
};

/** Undefined when the text is none of its type. A date is also its midnight; without a zone a timestamp is UTC. */
export const parseMoment = (type: TemporalType, text: string): string | undefined => {
  switch (type) {
    case 'date':
      return isDate(text) ? text : undefined;
    case 'time':
      return timePattern.test(text) ? text : undefined;
    case 'datetime':
      return readDatetime(text);
    case 'timestamp': {
      const zone = zonePattern.exec(text.length > 10 ? text : '')?.[0] ?? '';
      const local = readDatetime(text.slice(0, text.length - zone.length));
      return local && `${local}${zone || 'Z'}`;
    }
    case 'interval':
      return isInterval(text) ? text : undefined;
  }
};

const readDatetime = (text: string): string | undefined => {
  const [date, time] = [text.slice(0, 10), text.slice(11)];
  if (!isDate(date)) return undefined;
  if (text.length === 10) return `${date}T00:00`;
  return /[T ]/.test(text.charAt(10)) && timePattern.test(time) ? `${date}T${time}` : undefined;
};

const isDate = (text: string): boolean => {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined || year === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
};

/** One or more amounts: `1 month 2 days`. */
const isInterval = (text: string): boolean => {
  const words = text.split(' ');
  return (
    words.length % 2 === 0 &&
    words.every((word, at) => at % 2 === 1 || intervalPartPattern.test(`${word} ${words[at + 1]}`))
  );
};
