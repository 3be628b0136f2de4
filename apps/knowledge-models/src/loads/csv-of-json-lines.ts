/**
 * A batch of JSON Lines as CSV with all columns, each line checked against them. An exact number may stand as a string; one
 * that stands as a number keeps the digits that the line has. Members that are no column and values of another JSON type are
 * faults. Where a line may lack columns, a last value names those that it has; it is empty when the line has all.
 */
import type { LoadFault } from '@tessera/contracts/knowledge-models';
import { findNearestName } from '@tessera/failures';
import {
  createFaultCollector,
  givenSeparator,
  joinNames,
  createMissingValueFault,
  createTypeFault,
  findUnstorableCharacter,
  stripByteOrderMark,
  type CheckedBatch,
  type LoadColumn,
} from './load-columns.js';
import { quoteShortened, valueTestFor } from './check-value-text.js';

/** Between the values of the CSV, whatever the load says. */
export const convertedCsvDelimiter = ',';

type JsonObject = Readonly<Record<string, unknown>>;
type Note = (fault: LoadFault) => void;

export const convertJsonLinesToCsv = (
  given: string,
  firstLine: number,
  columns: readonly LoadColumn[],
  /** Columns that no line may lack, when it may lack others. */
  required?: readonly string[],
): CheckedBatch => {
  const { faults, note } = createFaultCollector();
  const printLine = linePrinter(columns, note, required);
  const rows: string[] = [];
  const lines = stripByteOrderMark(given, firstLine).split(/\r\n|\r|\n/);
  lines.forEach((text, index) => {
    if (text.trim() === '') return;
    const row = printLine(text, firstLine + index);
    if (row !== undefined) rows.push(row);
  });
  return faults.length > 0 ? { faults } : { csv: rows.join(''), rows: rows.length };
};

const linePrinter = (columns: readonly LoadColumn[], note: Note, required?: readonly string[]) => {
  const printers = columns.map((column) => valuePrinter(column, note));
  const names = columns.map(({ id }) => id);
  const known = new Set(names);
  const newNames = new Map(columns.map(({ id, formerly = id }) => [formerly, id]));
  return (text: string, line: number): string | undefined => {
    const read = readObject(text, line, note);
    if (!read) return undefined;
    const object = withNewNames(read, newNames);
    for (const name of Object.keys(object)) if (!known.has(name)) note(unknownFault(line, name, names));
    const given = names.filter((name) => !required || required.includes(name) || Object.hasOwn(object, name));
    const values = printers.map((print, index) => {
      const name = names[index] ?? '';
      return given.includes(name) ? print(memberOf(object, name), line) : '';
    });
    if (required) values.push(given.length < names.length ? `"${given.join(givenSeparator)}"` : '');
    return `${values.join(convertedCsvDelimiter)}\n`;
  };
};

/** A member that has its new name is not replaced by one with the former. */
const withNewNames = (object: JsonObject, newNames: ReadonlyMap<string, string>): JsonObject => {
  const isFormer = (name: string): boolean => !Object.hasOwn(object, newNames.get(name) ?? name);
  if (!Object.keys(object).some(isFormer)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [isFormer(name) ? (newNames.get(name) ?? name) : name, value]),
  );
};

/** An object has more names than its own members. */
const memberOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const readObject = (text: string, line: number, note: Note): JsonObject | undefined => {
  try {
    const value = parseExactly(text);
    if (isObject(value)) return value;
    note({ line, message: 'expected a JSON object' });
  } catch (error) {
    // Named by its text: under a test runner the class of the error is another one.
    note({ line, message: `the line is not JSON: ${String(error).replace(/^SyntaxError: /, '')}` });
  }
  return undefined;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number of more digits than a double keeps stays the text that it is. */
const parseExactly = (text: string): unknown =>
  /[\d.]{16}/.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);

class ExactNumber {
  constructor(readonly text: string) {}
}

const exactNumber = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined ? new ExactNumber(context.source) : value;

const unknownFault = (line: number, name: string, names: readonly string[]): LoadFault => {
  const nearest = findNearestName(name, names);
  const hint = nearest === undefined ? `; expected ${joinNames(names)}` : `; did you mean "${nearest}"?`;
  return { line, message: `unknown member ${quoteShortened(name)}${hint}` };
};

const valuePrinter = (column: LoadColumn, note: Note) => {
  const test = valueTestFor(column.type);
  const isNumber = column.type === 'integer' || column.type === 'float';
  const isRight = (value: unknown, text: string): boolean => {
    if (column.type === 'boolean') return typeof value === 'boolean';
    if (typeof value === 'string') return test === undefined || test(text, 0, text.length);
    return isNumber && typeof value !== 'boolean' && (test?.(text, 0, text.length) ?? false);
  };
  return (value: unknown, line: number): string => {
    if (value === null || value === undefined) {
      if (!column.nullable) note(createMissingValueFault(line, column));
      return '';
    }
    const text = textOf(value);
    const unstorable = typeof value === 'string' && findUnstorableCharacter(text, line);
    if (unstorable) note({ ...unstorable, line, column: column.id });
    else if (!isRight(value, text)) note(createTypeFault(line, column, shownJson(value)));
    return `"${text.replaceAll('"', '""')}"`;
  };
};

const textOf = (value: unknown): string => {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
};

/** With quotes only when it has them in the line. */
const shownJson = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value) && !(value instanceof ExactNumber)) return 'an object';
  return typeof value === 'string' ? quoteShortened(value) : textOf(value);
};
