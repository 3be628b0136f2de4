/** A table as a list of columns, each with the way to its cell, so that names, types and rows cannot part. */
import type { GeneratedBlock } from './draw-blocks.js';

export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

export type ColumnType = 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'time' | 'datetime' | 'timestamp';

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Digits behind the point, of a float. */
  readonly decimals?: number;
};

export type Table = {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  readonly rowsOf: (block: GeneratedBlock) => Generator<Row, undefined>;
};

export type SubjectColumn<Subject> = Column & { readonly cellOf: (subject: Subject) => Cell };

type CellOf<Subject, Value extends Cell> = (subject: Subject) => Value;

const columnKind =
  <Value extends Cell>(type: ColumnType, decimals?: number) =>
  <Nullable extends boolean>(nullable: Nullable) =>
  <Subject>(
    name: string,
    cellOf: CellOf<Subject, Nullable extends true ? Value | null : Value>,
  ): SubjectColumn<Subject> => ({ name, type, nullable, ...(decimals !== undefined && { decimals }), cellOf });

export const textColumn = columnKind<string>('string')(false);
export const nullableTextColumn = columnKind<string>('string')(true);
export const integerColumn = columnKind<number>('integer')(false);
export const nullableIntegerColumn = columnKind<number>('integer')(true);
export const booleanColumn = columnKind<boolean>('boolean')(false);
export const dateColumn = columnKind<string>('date')(false);
export const nullableDateColumn = columnKind<string>('date')(true);
export const nullableTimeColumn = columnKind<string>('time')(true);
export const datetimeColumn = columnKind<string>('datetime')(false);
export const timestampColumn = columnKind<string>('timestamp')(false);
/** Of amounts in cents, which add up exactly until they are written. */
export const moneyColumn = <Subject>(name: string, centsOf: (subject: Subject) => number): SubjectColumn<Subject> =>
  columnKind<number>('float', 2)(false)(name, (subject: Subject) => centsOf(subject) / 100);
export const nullableFloatColumn = columnKind<number>('float', 1)(true);

export const defineTable = <Subject>(
  name: string,
  key: readonly string[],
  columns: readonly SubjectColumn<Subject>[],
  subjectsOf: (block: GeneratedBlock) => Iterable<Subject>,
): Table => ({
  name,
  key,
  columns: columns.map(({ cellOf: _, ...column }) => column),
  rowsOf: function* (block): Generator<Row, undefined> {
    for (const subject of subjectsOf(block)) yield columns.map(({ cellOf }) => cellOf(subject));
  },
});
