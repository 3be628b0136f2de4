/** How a figure is written: by the format of its KPI or field (`,.0f`, `.1%`) and its unit. */
import type { Formats } from './formats.js';

export type FigureFormat = {
  /** As `Figure` takes it: `%` of a share, else what stands behind the number. */
  readonly unit: string;
  /** Decimal places at most. */
  readonly digits: number;
  /** What a value is multiplied with before it is written: percentages that are stored as 3 are the share 0.03. */
  readonly factor: number;
};

export type FormatSource = { readonly format?: string; readonly unit?: string };

const digitsDefault = 2;
const digitsMax = 10;

/** `digitsMin`: for exact figures, where the format would round. */
export const figureFormatOf = ({ format = '', unit = '' }: FormatSource, digitsMin = 0): FigureFormat => {
  const isShare = format.endsWith('%');
  const [, places] = /\.(\d+)[f%]?$/.exec(format) ?? [];
  const digits = Math.min(digitsMax, Math.max(digitsMin, places === undefined ? digitsDefault : Number(places)));
  if (isShare) return { unit: '%', digits, factor: 1 };
  return unit === '%' ? { unit, digits, factor: 0.01 } : { unit, digits, factor: 1 };
};

/** The value with its unit, as the language writes it. */
export const writeFigure = (value: number, { unit, digits, factor }: FigureFormat, formats: Formats): string =>
  unit === '%'
    ? formats.percent(value * factor, digits)
    : [formats.number(value * factor, { maximumFractionDigits: digits }), unit].filter(Boolean).join('\u00a0');
