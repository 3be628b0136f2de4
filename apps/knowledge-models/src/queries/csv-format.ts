/**
 * Rows as CSV (RFC 4180): a line of ids, then a line for each row, with the values as JSON spells them; null is nothing, an empty text
 * is `""`. Texts are as they are: what a spreadsheet takes for a formula stays one, or numbers and later loads would be others.
 */
import { qualityOf, parseMediaRanges } from '@tessera/contracts';
import type { CompiledStatement, ResultColumn } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import { cachedDigestOf } from '../cache/result-cache.js';
import { encoderFor } from './encode-value.js';
import type { RowFormat } from './row-format.js';

export const csvContentType = 'text/csv; charset=utf-8';
export const csvLineEnd = '\r\n';

type Representation = { readonly $format?: 'json' | 'csv' | undefined; readonly accept?: string | undefined };

/** `$format`, else what `Accept` prefers; JSON when it does not care. */
export const isCsvRequested = ({ $format, accept = '' }: Representation): boolean => {
  if ($format !== undefined) return $format === 'csv';
  const ranges = parseMediaRanges(accept);
  const [csv, json] = [qualityOf('text/csv', ranges), qualityOf('application/json', ranges)];
  if (!csv || csv.quality === 0) return false;
  if (!json || csv.quality !== json.quality) return csv.quality > (json?.quality ?? 0);
  return csv.specificity > json.specificity;
};

type CsvColumn = Pick<ResultColumn, 'id' | 'type' | 'exact'>;

export const printCsvHeaderLine = (columns: readonly CsvColumn[]): string =>
  columns.map(({ id }) => quoteWhereNeeded(id)).join(',') + csvLineEnd;

/** A page of lines; nothing stands behind the last. */
export const createCsvRowFormat = (columns: readonly CsvColumn[], rowsMax: number): RowFormat => ({
  key: `csv ${cachedDigestOf(columns, () => columns.map(({ id, type, exact }) => [id, type, exact]))} ${rowsMax}`,
  writer: () => lineWriter(columns),
  separator: csvLineEnd,
  width: columns.length,
  rowsMax,
  remembered: [],
});

const lineWriter = (columns: readonly CsvColumn[]): ((row: TextRow) => string) => {
  const writers = columns.map(cellWriter);
  // A line without anything is none to most readers.
  const nothing = columns.length === 1 ? '""' : '';
  return (row) => writers.map((write, place) => write(row[place]) ?? nothing).join(',');
};

/** Undefined: there is no value. */
const cellWriter = ({ type, exact }: CsvColumn): ((text: string | null | undefined) => string | undefined) => {
  const encode = encoderFor(type, exact);
  return (text) => {
    if (text === null || text === undefined) return undefined;
    if (type === 'string') return quoteWhereNeeded(text);
    const json = encode(text);
    if (json === 'null') return undefined;
    return json.startsWith('"') ? quoteWhereNeeded(String(JSON.parse(json))) : json;
  };
};

const specialPattern = /[",\r\n]/;
const quoteWhereNeeded = (text: string): string =>
  text === '' || text === String.raw`\.` || specialPattern.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const cellNames = (columns: readonly CsvColumn[]): string => columns.map((_, place) => nameOf(place)).join(', ');
const nameOf = (place: number): string => `c${place}`;

/** One row: the types that PostgreSQL has for the columns of a statement. */
export const createCellTypesStatement = (
  { text, values }: CompiledStatement,
  columns: readonly CsvColumn[],
): CompiledStatement => ({
  text: `select ${columns.map((_, place) => `pg_typeof(${nameOf(place)})::text`).join(', ')} from (select 1) as one
    left join (select * from (${text}) as rows (${cellNames(columns)}) limit 0) as typed on true`,
  values,
});

/** The rows of a statement with values that COPY writes as `createCsvRowFormat` does. */
export const createCopyCellsStatement = (
  { text, values }: CompiledStatement,
  columns: readonly CsvColumn[],
  types: TextRow,
): CompiledStatement => {
  const cells = columns.map((column, place) => cellForCopy(column, nameOf(place), types[place] ?? ''));
  // As in `lineWriter`; COPY quotes an empty text.
  const written = cells.length === 1 ? cells.map((cell) => `coalesce((${cell})::text, '')`) : cells;
  return { text: `select ${written.join(', ')} from (${text}) as rows (${cellNames(columns)})`, values };
};

const cellForCopy = ({ type, exact }: CsvColumn, name: string, sqlType: string): string => {
  switch (type) {
    case 'string':
      return name;
    case 'boolean':
      return `${name}::text`;
    case 'integer':
    case 'float':
      return numberForCopy(name, sqlType, exact);
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return momentForCopy(name, sqlType);
  }
};

const numberForCopy = (name: string, sqlType: string, exact: boolean): string => {
  if (sqlType !== 'numeric' && sqlType !== 'double precision' && sqlType !== 'real') return name;
  const digits = sqlType === 'numeric' && !exact ? `trim_scale(${name})` : name;
  return `case when ${name} > '-Infinity' and ${name} < 'Infinity' then ${digits} end`;
};

const momentForCopy = (name: string, sqlType: string): string => {
  const isZoned = sqlType === 'timestamp with time zone';
  if (sqlType !== 'date' && !isZoned && sqlType !== 'timestamp without time zone') return name;
  const plain = sqlType === 'date' ? `${name}::text` : `replace(${name}::text, ' ', 'T')`;
  const usual = isZoned ? `replace(${plain}, '+00', 'Z')` : plain;
  const clock = sqlType === 'date' ? '' : ` || 'T' || substring(${name}::text from '\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?')`;
  const unusual = `${isoYear(name)} || to_char(${name}, '-MM-DD')${clock}${isZoned ? " || 'Z'" : ''}`;
  return `case when ${name} >= '0001-01-01' and ${name} < '10000-01-01' then ${usual} when isfinite(${name}) then ${unusual} end`;
};

/** ISO 8601 writes a year outside of 0000 to 9999 with a sign; year 0 is 1 BC. */
const isoYear = (name: string): string => {
  const year = `(extract(year from ${name})::int + (extract(year from ${name}) < 0)::int)`;
  const long = `(case when ${year} < 0 then '-' else '+' end) || lpad(abs(${year})::text, 6, '0')`;
  return `(case when ${year} between 0 and 9999 then lpad(${year}::text, 4, '0') else ${long} end)`;
};
