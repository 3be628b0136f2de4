/**
 * What a question becomes: statements whose text depends on the model and the question alone, and whose values are
 * parameters; what each column is; which tables are read.
 * Refuses: to run anything.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { SqlValue } from '@tessera/sql';

export type CompiledStatement = { readonly text: string; readonly values: readonly SqlValue[] };

/** A column of the answer, in the order of the select list. */
export type ResultColumn = {
  /** The id as it was asked for; the key of the row. */
  readonly id: string;
  readonly name: string;
  readonly type: ValueType;
  readonly format?: string;
  readonly unit?: string;
  /** Whether it is a KPI. */
  readonly aggregation: boolean;
  readonly filterable: boolean;
  readonly sortable: boolean;
  /** Whether numbers are answered as strings, so that no digit is lost. */
  readonly exact: boolean;
};

export type OrderPlace = { readonly column: number; readonly type: ValueType; readonly descending: boolean };

/** Where a row tells whether it has a related one: a place (from 0) whose value is null exactly where it has none. */
export type RelatedPlace = { readonly record: string; readonly column: number };

export type CompiledQuery = {
  readonly columns: readonly ResultColumn[];
  /** The rows of the page: one value for each column. */
  readonly rows: CompiledStatement;
  /**
   * One row with one `bigint`: all rows that match. The same for every page, sort and choice of fields that keeps the rows;
   * the constant 1 where KPIs are asked for without fields.
   */
  readonly count: CompiledStatement;
  /** The tables that are read, by the names that the model gives them, each once. */
  readonly tables: readonly string[];
  /** As it is echoed: `+A`, `-B`. */
  readonly sort: readonly string[];
  /**
   * With a keyset: what the rows are ordered by, all of it, each with its place in a row of the statement (from 0). It may stand
   * behind `columns`, which are the first. Else empty.
   */
  readonly order: readonly OrderPlace[];
  /** Of the records that `relatedFields` asks for; these, too, may stand behind `columns`. */
  readonly related: readonly RelatedPlace[];
  /** The records whose rows are counted or aggregated. */
  readonly grain: readonly string[];
  /** Settings of PostgreSQL that the statements need, for their transaction only. */
  readonly settings: Readonly<Record<string, string>>;
};
