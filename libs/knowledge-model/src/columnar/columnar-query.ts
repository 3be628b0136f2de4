/**
 * What an engine that stores tables by column is asked: the groups of one grain, as plain data that each engine prints in its own
 * dialect. Everything in it is exact: numbers are integers and decimals whose size was proven to fit, and nothing rounds.
 */

/** A generation of a table: its rows never change. */
export type ColumnarTableKey = {
  readonly team: string;
  /** As definitions call it. */
  readonly schema: string;
  readonly table: string;
  /** Another one after each load. */
  readonly dataVersion: string;
};

/** Of PostgreSQL's column. What has none of these types is not stored. */
export type ColumnarType =
  /** Ordered by code points. */
  | { readonly kind: 'text' }
  | { readonly kind: 'boolean' }
  /** A `bigint` of at most so many digits, as far as the rows of the table show; 19 at most. */
  | { readonly kind: 'integer'; readonly precision: number }
  /** A `numeric`: at most 38 digits, so many of them behind the point. */
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  /** Of the years 1 to 9999, as the two below. */
  | { readonly kind: 'date' }
  /** Without a zone, to the microsecond. */
  | { readonly kind: 'timestamp' }
  /** A `timestamptz`: stored as the date and time in UTC, without a zone. */
  | { readonly kind: 'instant' };

export type ColumnarColumn = {
  /** As PostgreSQL names it. */
  readonly name: string;
  /** As the engine names it: `c1`, `c2` and so on, since engines may take `a` and `A` for one name. */
  readonly stored: string;
  readonly type: ColumnarType;
  /**
   * Of decimals: a stored integer column with the digits behind the point that PostgreSQL shows for each row, null where the value
   * is. Absent when every row shows as many as the type has.
   */
  readonly scaleColumn?: string;
};

/** A generation that can be asked. */
export type ColumnarTable = {
  readonly key: ColumnarTableKey;
  readonly columns: readonly ColumnarColumn[];
  /** As PostgreSQL names them: what could not be stored exactly. */
  readonly omitted: readonly string[];
  readonly rows: number;
};

export type ColumnarComparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ColumnarTruncation = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';
export type ColumnarDatePart = 'year' | 'isoyear' | 'quarter' | 'month' | 'week' | 'day' | 'isodow' | 'doy';

export type ColumnarNode =
  /** `source`: its place in the sources of the question. */
  | { readonly kind: 'column'; readonly source: number; readonly stored: string }
  /** As PostgreSQL reads it: `1.50`, `true`, `2026-05-07 08:00:00`, instants with `+00` behind it. */
  | { readonly kind: 'literal'; readonly value: string | null }
  /** Of an integer or a decimal to a decimal that holds it, of a date to a timestamp, or of a timestamp to its date. */
  | { readonly kind: 'cast'; readonly operand: ColumnarExpression }
  /** Both sides are decimals; that of the node is exact. `+` and `-` have sides of the type of the node. */
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*';
      readonly left: ColumnarExpression;
      readonly right: ColumnarExpression;
    }
  | { readonly kind: 'negate'; readonly operand: ColumnarExpression }
  /** Both sides are of one type. */
  | {
      readonly kind: 'comparison';
      readonly operator: ColumnarComparison;
      readonly left: ColumnarExpression;
      readonly right: ColumnarExpression;
    }
  /** One of the values, all of them of the type of the operand and none null. */
  | { readonly kind: 'in'; readonly operand: ColumnarExpression; readonly values: readonly string[] }
  /** `%` is any text, a backslash makes the next character stand for itself, and `_` does not occur but behind one. */
  | { readonly kind: 'like'; readonly operand: ColumnarExpression; readonly pattern: string }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly ColumnarExpression[] }
  /** `isNotTrue` holds where the operand is false or null. */
  | { readonly kind: 'not' | 'isNull' | 'isNotTrue'; readonly operand: ColumnarExpression }
  /** Every value is of the type of the node; null when no branch fits. */
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: ColumnarExpression; readonly then: ColumnarExpression }[];
      readonly otherwise?: ColumnarExpression;
    }
  /** Of a timestamp. Weeks begin on Mondays. */
  | { readonly kind: 'truncate'; readonly unit: ColumnarTruncation; readonly operand: ColumnarExpression }
  /** An integer, of a date or a timestamp; weeks as ISO 8601 counts them. */
  | { readonly kind: 'extract'; readonly part: ColumnarDatePart; readonly operand: ColumnarExpression };

export type ColumnarExpression = ColumnarNode & { readonly type: ColumnarType };

export type ColumnarAggregate = {
  readonly function: 'sum' | 'count' | 'min' | 'max';
  /** Of `count` alone. */
  readonly distinct: boolean;
  /** Counts rows when absent. */
  readonly argument?: ColumnarExpression;
  readonly filter?: ColumnarExpression;
  /** A sum is a decimal of 38 digits that was proven to hold it. */
  readonly type: ColumnarType;
};

export type ColumnarSource = {
  readonly table: ColumnarTableKey;
  /** Absent for the first; else a left join. */
  readonly on?: ColumnarExpression;
};

/** One row for each combination of the keys; without keys one row. */
export type ColumnarQuery = {
  readonly sources: readonly ColumnarSource[];
  readonly where?: ColumnarExpression;
  readonly keys: readonly ColumnarExpression[];
  readonly aggregates: readonly ColumnarAggregate[];
};
