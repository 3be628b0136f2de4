/**
 * A text that PostgreSQL sent for a value -> the text that OData has for it, by the type of its property. The session
 * is set to UTC, ISO dates and shortest floats. Years are written as OData does: four digits at least, no plus. A text
 * that is not of its type stays as it is.
 */
import type { EntityProperty } from '../model/entity-model.js';

/** Undefined: null. */
type ReadText = (text: string) => string | undefined;

export const createValueTextConverter = ({ type, edmType, exact }: EntityProperty): ReadText => {
  switch (type) {
    case 'string':
      return unchangedText;
    case 'integer':
    case 'float':
      return edmType === 'Edm.Double' ? doubleText : exact ? exactText : numberText;
    case 'boolean':
      return booleanText;
    case 'date':
    case 'time':
      return momentText;
    case 'datetime':
      return datetimeText;
    case 'timestamp':
      return timestampText;
  }
};

const unchangedText: ReadText = (text) => text;

const numeralPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
export const isNumeral = (text: string): boolean => numeralPattern.test(text);

const trailingZerosPattern = /\.?0+$/;

/** Without zeros that say nothing: averages come with up to sixteen of them. */
const trimZeros = (text: string): string =>
  text.endsWith('0') && text.includes('.') && !text.includes('e') ? text.replace(trailingZerosPattern, '') : text;

const unusualNumbers: ReadonlyMap<string, string> = new Map([
  ['NaN', 'NaN'],
  ['Infinity', 'INF'],
  ['-Infinity', '-INF'],
]);

const doubleText: ReadText = (text) => unusualNumbers.get(text) ?? trimZeros(text);

/** Whole and decimal numbers are finite. */
const numberText: ReadText = (text) => (unusualNumbers.has(text) ? undefined : trimZeros(text));

const exactText: ReadText = (text) => (unusualNumbers.has(text) ? undefined : text);

const booleanText: ReadText = (text) => (text === 't' ? 'true' : text === 'f' ? 'false' : text);

const usualMomentPattern = /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d(?:\.\d+)?)$/;
const usualDatetimePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;
const usualTimestampPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

const momentText: ReadText = (text) => (usualMomentPattern.test(text) ? text : oddMomentText(text));

const datetimeText: ReadText = (text) =>
  usualDatetimePattern.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}Z` : oddMomentText(text);

const timestampText: ReadText = (text) =>
  usualTimestampPattern.test(text) ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : oddMomentText(text);

/** Years with more than four digits, and those before the first. */
const farMomentPattern = /^(\d{4,})(-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?)?( BC)?$/;

const oddMomentText: ReadText = (text) => {
  if (text === 'infinity' || text === '-infinity') return undefined;
  const [, year, day, clock, before] = farMomentPattern.exec(text) ?? [];
  if (year === undefined || day === undefined) return text;
  return `${yearText(before === undefined ? Number(year) : 1 - Number(year))}${day}${clock === undefined ? '' : `T${clock}Z`}`;
};

/** The year 0 is 1 BC. */
const yearText = (year: number): string => `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
