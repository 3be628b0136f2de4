/** What an engine that stores tables by column offers. PostgreSQL answers whenever it cannot. */
import type { ColumnarQuery, ColumnarTable, ColumnarTableKey } from './columnar-query.js';

/** Keys and then aggregates, each a column with a text or null for each group, as PostgreSQL would read it: exact, no exponents, instants with `+00`. */
export type ColumnarGroups = {
  readonly rows: number;
  readonly columns: readonly (readonly (string | null)[])[];
};

export type ColumnarReader = {
  /** The engine as `explain` and metrics call it, e.g. `duckdb`. */
  readonly engine: string;
  /**
   * Rejects with `ColumnarRefusal` when PostgreSQL is to answer: with `too-many-groups` when there are more than `groupsMax`.
   * Rejects with the reason of the signal when it is aborted.
   */
  readonly ask: (
    query: ColumnarQuery,
    options: { readonly groupsMax: number; readonly signal: AbortSignal },
  ) => Promise<ColumnarGroups>;
};

export type ColumnarTables = {
  /** Undefined while there is none, e.g. because it is being made. Never waits: a question looks it up before it is answered. */
  readonly find: (key: ColumnarTableKey) => ColumnarTable | undefined;
};

/** Why an engine did not answer what it could have. */
export type ColumnarRefusalReason =
  /** The table was there when it was looked up and is not any more. */
  | 'no-table'
  | 'too-many-groups'
  /** Too many questions wait for the engine. */
  | 'busy'
  | 'timeout'
  | 'out-of-memory'
  /** Its process ended. */
  | 'engine-ended'
  | 'failed';

/** The message is for logs alone; it holds no value of a question. */
export class ColumnarRefusal extends Error {
  constructor(
    readonly reason: ColumnarRefusalReason,
    message?: string,
  ) {
    super(message ?? reason);
    this.name = 'ColumnarRefusal';
  }
}
