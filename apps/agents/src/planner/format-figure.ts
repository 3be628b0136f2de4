/** Figures as text, in the format and unit of their KPI and the number format of the language. */
import type { Language } from './language.js';
import type { FigureFormat } from './vocabulary.js';

const locales: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };
const emptyFigures: Readonly<Record<Language, string>> = { en: '–', de: '–' };
const exactDigits = 2;

type Form = { readonly digits: number; readonly isPercent: boolean; readonly isGrouped: boolean };

const formOf = (value: number, { format }: FigureFormat): Form => {
  const parts = /^(,?)(?:\.(\d+))?([%fd]?)$/.exec(format ?? '');
  const digits =
    parts?.[2] === undefined ? (parts?.[3] === '%' || Number.isInteger(value) ? 0 : exactDigits) : Number(parts[2]);
  return { digits, isPercent: parts?.[3] === '%', isGrouped: !parts || parts[1] === ',' || parts[3] === 'f' };
};

const writeNumber = (value: number, form: Form, digits: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: form.isGrouped,
  }).format(form.isPercent ? toPercent(value) : value);

/** A hundred times as much, without the noise of a multiplication. */
const toPercent = (value: number): number => Number(`${value.toFixed(15)}e2`);

const germanUnits: Readonly<Record<string, string>> = { days: 'Tage', hours: 'Stunden' };

/** As the language has it. */
export const nameUnit = (unit: string, language: Language): string =>
  language === 'de' ? (germanUnits[unit] ?? unit) : unit;

const withUnit = (text: string, { isPercent }: Form, { unit }: FigureFormat, language: Language): string => {
  if (isPercent) return `${text} %`;
  if (unit === undefined) return text;
  return `${text} ${nameUnit(unit, language)}`;
};

/** As the model says. */
export const formatFigure = (value: number | null, shown: FigureFormat, language: Language): string => {
  if (value === null) return emptyFigures[language];
  const form = formOf(value, shown);
  return withUnit(writeNumber(value, form, form.digits, language), form, shown, language);
};

/** With at least two digits behind the point, unless it is a count. */
export const formatExactFigure = (value: number | null, shown: FigureFormat, language: Language): string => {
  if (value === null) return emptyFigures[language];
  const form = formOf(value, shown);
  return withUnit(writeNumber(value, form, digitsOfExact(value, form, shown), language), form, shown, language);
};

const digitsOfExact = (value: number, { digits, isPercent }: Form, { unit }: FigureFormat): number =>
  Number.isInteger(value) && !isPercent && unit === undefined ? 0 : Math.max(digits, exactDigits);

/** Undefined when the format of the model shows all of it that the exact one does. */
export const formatExactFigureIfRounded = (
  value: number | null,
  shown: FigureFormat,
  language: Language,
): string | undefined => {
  if (value === null) return undefined;
  const form = formOf(value, shown);
  const digits = digitsOfExact(value, form, shown);
  const short = writeNumber(value, form, form.digits, 'en').replaceAll(',', '');
  const long = writeNumber(value, form, digits, 'en').replaceAll(',', '');
  return Number(short) === Number(long) ? undefined : formatExactFigure(value, shown, language);
};

/** A number as it is, e.g. a limit that was asked for. */
export const formatNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(value);
