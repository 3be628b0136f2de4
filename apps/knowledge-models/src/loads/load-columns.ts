/** The columns of a table as a load sees them. */
import type { ColumnDefinition, LoadFault, TableDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import { expectedValueTexts, quoteShortened } from './check-value-text.js';
import type { LoadOptions } from './load.repository.js';

export type LoadColumn = {
  readonly id: string;
  readonly type: ValueType;
  readonly nullable: boolean;
  /** The name that lines of JSON may have for it as well. */
  readonly formerly?: string;
};

/** A column is nullable by default, unless it is part of the key. */
export const toLoadColumns = ({ columns, primaryKey = [] }: TableDefinition): readonly LoadColumn[] =>
  columns.map(({ id, type, nullable, formerly }: ColumnDefinition) => ({
    id,
    type,
    nullable: nullable ?? !primaryKey.includes(id),
    ...(formerly !== undefined && { formerly }),
  }));

/** The column with the names of those that a line of JSON has, in loads whose lines may lack some. No column of a table is called like that. */
export const givenColumn: LoadColumn = { id: '~given', type: 'string', nullable: true };
export const givenSeparator = ',';

/** The columns of the rows that a load stages. */
export const toStagedColumns = ({
  definition,
  mode,
  columns,
}: Pick<LoadOptions, 'definition' | 'mode' | 'columns'>): readonly LoadColumn[] => {
  const all = toLoadColumns(definition);
  if (mode === 'replace' || mode === 'append') return all;
  const named = all.filter(({ id }) => columns.includes(id));
  if (!columns.includes(givenColumn.id)) return named;
  const { primaryKey = [] } = definition;
  return [...named.map((column) => ({ ...column, nullable: !primaryKey.includes(column.id) })), givenColumn];
};

/** Many enough to see what is wrong with a file, few enough to be read. */
export const faultsMax = 100;

/** The first faults of a batch. */
export const createFaultCollector = () => {
  const faults: LoadFault[] = [];
  const note = (fault: LoadFault): void => {
    if (faults.length < faultsMax) faults.push(fault);
  };
  return { faults, note };
};

export const createTypeFault = (line: number, { id, type }: LoadColumn, value: string): LoadFault => ({
  line,
  column: id,
  message: `${value} is not ${expectedValueTexts[type]}`,
});

export const createMissingValueFault = (line: number, { id, type }: LoadColumn): LoadFault => ({
  line,
  column: id,
  message: `the value is missing; expected ${expectedValueTexts[type]}`,
});

/** `order_no "B", item_no "1"` */
export const describeKey = (columns: readonly string[], values: readonly (string | null)[]): string =>
  columns.map((id, at) => `${id} ${quoteShortened(values[at] ?? '')}`).join(', ');

const namesMax = 12;

/** The first names of a list that may be long. */
export const joinNames = (names: readonly string[]): string =>
  [...names.slice(0, namesMax), ...(names.length > namesMax ? ['…'] : [])].join(', ');

/** A batch as it goes into the database, or what is wrong with it. */
export type CheckedBatch =
  | { readonly faults?: undefined; readonly csv: string; readonly rows: number }
  | { readonly faults: readonly LoadFault[] };

/** The text without a mark of its encoding at the start of the file. */
export const stripByteOrderMark = (text: string, firstLine: number): string =>
  firstLine === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;

/** What no column can hold; PostgreSQL would say neither line nor column. */
export const findUnstorableCharacter = (text: string, firstLine: number): LoadFault | undefined => {
  const at = text.isWellFormed() ? text.indexOf('\0') : text.search(/\p{Surrogate}|\0/u);
  if (at < 0) return undefined;
  const line = firstLine + (text.slice(0, at).match(/\r\n|\r|\n/g)?.length ?? 0);
  return { line, message: 'the line holds a character that cannot be stored' };
};
