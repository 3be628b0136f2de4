/**
 * Rows as CSV of RFC 4180 in UTF-8 with \n: a null is an empty cell, an empty text is "". Refuses: rows that do not fit the columns.
 */
import type { Column, Row } from './table.js';

type Print = (value: string | number | boolean) => string;

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const special = /[",\n\r]/;

const printText: Print = (value) => {
  const text = String(value);
  return text === '' || special.test(text) ? quoted(text) : text;
};

const printOf = ({ type, decimals }: Column): Print =>
  type === 'string'
    ? printText
    : type === 'float'
      ? (value) => (typeof value === 'number' ? value.toFixed(decimals) : String(value))
      : String;

export const printHeader = (columns: readonly Column[]): string => `${columns.map(({ name }) => name).join(',')}\n`;

/** A printer of the rows of a table. */
export const rowPrinter = (columns: readonly Column[]): ((row: Row) => string) => {
  const prints = columns.map(printOf);
  return (row) => {
    let line = '';
    for (const [index, print] of prints.entries()) {
      const cell = row[index];
      if (index > 0) line += ',';
      if (cell !== null && cell !== undefined) line += print(cell);
    }
    return `${line}\n`;
  };
};
