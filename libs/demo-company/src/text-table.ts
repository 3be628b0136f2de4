/** Reads the rows of the data files: a line is a row, `|` parts its cells. */
import type { Translations } from './draft.js';

export type TextRow = readonly string[];

export const readRows = (table: string): readonly TextRow[] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** The cell, or a bug in the data. */
export const getCell = (row: TextRow, index: number): string => {
  const cell = row[index];
  if (cell === undefined) throw new Error(`The row "${row.join(' | ')}" has no cell ${index}.`);
  return cell;
};

export const getNumber = (row: TextRow, index: number): number => {
  const value = Number(getCell(row, index));
  if (Number.isNaN(value)) throw new Error(`The row "${row.join(' | ')}" has no number in cell ${index}.`);
  return value;
};

/** English, German and Spanish from `index` on; what is empty or not there is left out. */
export const getTranslations = (row: TextRow, index: number): Translations => ({
  en: getCell(row, index),
  ...(row[index + 1] && { de: row[index + 1] }),
  ...(row[index + 2] && { es: row[index + 2] }),
});

/** `a,b` */
export const splitCommaList = (cell: string): readonly string[] =>
  cell
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const toSlug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
