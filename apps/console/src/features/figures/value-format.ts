/** Values of an answer as people read them: numbers by the format and unit of the model, dates by their grain, in a language. */
import type { Language } from '../../language/languages.js';
import { isDecimal } from '../../api/json-values.js';
import type { AnswerFor } from '../../api/operations.js';

export type Header = AnswerFor<'readModelData'>['content']['headers'][number];
export type Row = AnswerFor<'readModelData'>['content']['data'][number];
export type Cell = Row[string] | undefined;

type Shown = Pick<Header, 'type' | 'format' | 'unit' | 'grain'>;
/** What truth values are called. */
export type TruthWords = { readonly yes: string; readonly no: string };

const noBreakSpace = '\u00a0';
const digitsDefault = 4;

type NumberStyle = { readonly isShare: boolean; readonly options: Intl.NumberFormatOptions };

/** Formats of models are written as in `,.2f`, `.1%`, `,`. */
const numberStyleOf = ({ type, format = '' }: Shown): NumberStyle => {
  const [all, comma, digits, kind] = /^(,)?(?:\.(\d+))?([f%d])?$/.exec(format) ?? [];
  if (all === undefined || all === '')
    return { isShare: false, options: { maximumFractionDigits: digitsDefault, useGrouping: type !== 'integer' } };
  const isShare = kind === '%';
  const fraction = Math.min(Number(digits ?? (isShare || kind === 'f' ? 0 : digitsDefault)), 20);
  return {
    isShare,
    options: {
      ...(isShare && { style: 'percent' }),
      ...(digits !== undefined && { minimumFractionDigits: fraction }),
      maximumFractionDigits: fraction,
      useGrouping: comma !== undefined || isShare || digits !== undefined,
    },
  };
};

export type FigureStyle = {
  readonly unit: string;
  readonly digits: number;
  /** Percentages that are stored as 3 are the share 0.03. */
  readonly factor: number;
};

/** For a Figure, which writes a number and a unit: `%` takes a share. */
export const figureStyleOf = (shown: Shown): FigureStyle => {
  const { isShare, options } = numberStyleOf(shown);
  const { unit = '' } = shown;
  return {
    unit: isShare ? '%' : unit,
    digits: options.maximumFractionDigits ?? digitsDefault,
    factor: !isShare && unit === '%' ? 0.01 : 1,
  };
};

/** A number times a factor; what is none stays none. */
export const scaled = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : value * factor;

export type CellFormat = (value: Cell) => string;

/** Null is an empty text. */
export const cellFormat = (shown: Shown, language: Language, words: TruthWords): CellFormat => {
  switch (shown.type) {
    case 'integer':
    case 'float':
      return numberFormat(shown, language);
    case 'boolean':
      return (value) => (value === true ? words.yes : value === false ? words.no : textOf(value));
    case 'date':
      return dayFormat(shown, language);
    case 'datetime':
    case 'timestamp':
      return momentFormat(shown.type, language);
    case 'string':
    case 'time':
      return textOf;
  }
};

const textOf = (value: Cell): string => (value === null || value === undefined ? '' : String(value));

const numberFormat = (shown: Shown, language: Language): CellFormat => {
  const { isShare, options } = numberStyleOf(shown);
  const format = new Intl.NumberFormat(language, options);
  const unit = isShare || shown.unit === undefined ? '' : `${noBreakSpace}${shown.unit}`;
  return (value) => {
    if (typeof value === 'number' && Number.isFinite(value)) return `${format.format(value)}${unit}`;
    return typeof value === 'string' && isDecimal(value) ? `${format.format(value)}${unit}` : textOf(value);
  };
};

const quarterLetters: Readonly<Record<Language, string>> = { en: 'Q', de: 'Q', es: 'T' };

/** Days have no time zone: they are written as they are. */
const dayFormat = ({ grain }: Shown, language: Language): CellFormat => {
  const options: Intl.DateTimeFormatOptions =
    grain === 'month' ? { month: 'short', year: 'numeric' } : { dateStyle: 'medium' };
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (value) => {
    const text = textOf(value);
    const [, year = '', month = ''] = /^(\d{4})-(\d{2})-\d{2}$/.exec(text) ?? [];
    if (year === '') return text;
    if (grain === 'year') return year;
    if (grain === 'quarter') return `${quarterLetters[language]}${Math.ceil(Number(month) / 3)} ${year}`;
    return format.format(new Date(`${text}T00:00:00Z`));
  };
};

/** A datetime has no zone and is written as it is, a timestamp in the zone of who reads it. */
const momentFormat = (type: 'datetime' | 'timestamp', language: Language): CellFormat => {
  const format = new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'medium', timeStyle: 'short' },
    ...(type === 'datetime' && { timeZone: 'UTC' }),
  });
  return (value) => {
    const text = textOf(value);
    if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return text;
    const ms = new Date(type === 'datetime' && !text.endsWith('Z') ? `${text}Z` : text).getTime();
    return Number.isFinite(ms) ? format.format(ms) : text;
  };
};

/** A date as milliseconds, for the axis of time. */
export const timeMsOf = (value: Cell): number | undefined => {
  const text = textOf(value);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const ms = new Date(text.length === 10 ? `${text}T00:00:00` : text).getTime();
  return Number.isFinite(ms) ? ms : undefined;
};
