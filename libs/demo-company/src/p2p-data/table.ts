/** A table as a list of columns, each with the way to its cell, so that names, types and rows cannot part. */
import type { DrawnBlock } from './draw-blocks.js';

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
  readonly rowsOf: (block: DrawnBlock) => Generator<Row, undefined>;
};

export type ColumnOf<Subject> = Column & { readonly cellOf: (subject: Subject) => Cell };

type CellOf<Subject, Value extends Cell> = (subject: Subject) => Value;

const kind =
  <Value extends Cell>(type: ColumnType, decimals?: number) =>
  <Nullable extends boolean>(nullable: Nullable) =>
  <Subject>(
    name: string,
    cellOf: CellOf<Subject, Nullable extends true ? Value | null : Value>,
  ): ColumnOf<Subject> => ({ name, type, nullable, ...(decimals !== undefined && { decimals }), cellOf });

export const text = kind<string>('string')(false);
export const textOrNull = kind<string>('string')(true);
export const integer = kind<number>('integer')(false);
export const integerOrNull = kind<number>('integer')(true);
export const boolean = kind<boolean>('boolean')(false);
export const date = kind<string>('date')(false);
export const dateOrNull = kind<string>('date')(true);
export const timeOrNull = kind<string>('time')(true);
export const datetime = kind<string>('datetime')(false);
export const timestamp = kind<string>('timestamp')(false);
/** Of amounts in cents, which add up exactly until they are written. */
export const money = <Subject>(name: string, centsOf: (subject: Subject) => number): ColumnOf<Subject> =>
  kind<number>('float', 2)(false)(name, (subject: Subject) => centsOf(subject) / 100);
export const floatOrNull = kind<number>('float', 1)(true);

export const defineTable = <Subject>(
  name: string,
  key: readonly string[],
  columns: readonly ColumnOf<Subject>[],
  subjectsOf: (block: DrawnBlock) => Iterable<Subject>,
): Table => ({
  name,
  key,
  columns: columns.map(({ cellOf: _, ...column }) => column),
  rowsOf: function* (block): Generator<Row, undefined> {
    for (const subject of subjectsOf(block)) yield columns.map(({ cellOf }) => cellOf(subject));
  },
});
