/** What an engine that stores tables by column offers. PostgreSQL answers whenever it cannot. */
import type { ColumnarQuery, ColumnarTable, ColumnarTableKey } from './columnar-query.js';

/** Keys and then aggregates, each a column with a text or null for each group, as PostgreSQL would read it: exact, no exponents, instants with `+00`. */
export type ColumnarGroups = {
  readonly rows: number;
  readonly columns: readonly (readonly (string | null)[])[];
};

/**
 * Of the columns that an engine answered, of which the first `keyCount` are keys. Throws `ColumnarRefusal` when two groups have the same
 * keys, of which one would be lost.
 */
export const createGroups = (columns: ColumnarGroups['columns'], keyCount: number): ColumnarGroups => {
  const rows = columns[0]?.length ?? 0;
  const keys = columns.slice(0, keyCount);
  const groups = new Set(
    Array.from({ length: rows }, (_, row) => JSON.stringify(keys.map((cells) => cells[row] ?? null))),
  );
  // Without keys there is one group.
  if (groups.size < rows) throw new ColumnarRefusal('failed', 'Two groups have the same keys.');
  return { rows, columns };
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
  /** The engine has no room for a value that the question compares with. */
  | 'values'
  /** Too many questions wait for the engine. */
  | 'busy'
  | 'timeout'
  | 'out-of-memory'
  /** Its process ended, or its server cannot be reached. */
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
