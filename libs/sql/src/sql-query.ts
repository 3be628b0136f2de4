/**
 * Queries as a tree, as far as a compiler makes them of a question: select with joins, groups, order and a page, and
 * several of them one after the other.
 * Refuses: everything that writes, and what no question needs (recursion, locks, windows but the count of all rows).
 */
import type { SqlExpression } from './sql-expression.js';

export type SqlSelect = {
  readonly kind: 'select';
  readonly distinct?: boolean;
  readonly columns: readonly SqlColumn[];
  /** One row when absent. */
  readonly from?: SqlSource;
  readonly joins?: readonly SqlJoin[];
  readonly where?: SqlExpression;
  /** So many columns, from the first on. By position, since a value in an expression is another parameter each time. */
  readonly groupBy?: number;
  readonly having?: SqlExpression;
  readonly orderBy?: readonly SqlOrder[];
  readonly limit?: SqlExpression;
  readonly offset?: SqlExpression;
};

export type SqlUnionAll = { readonly kind: 'unionAll'; readonly queries: readonly SqlSelect[] };
export type SqlQuery = SqlSelect | SqlUnionAll;

export type SqlColumn = { readonly value: SqlExpression; readonly alias?: string };

export type SqlSource =
  | { readonly kind: 'table'; readonly schema: string; readonly name: string; readonly alias: string }
  | { readonly kind: 'query'; readonly query: SqlQuery; readonly alias: string }
  | {
      readonly kind: 'function';
      readonly value: SqlExpression;
      readonly alias: string;
      readonly columns: readonly string[];
    };

export type SqlJoin =
  | { readonly kind: 'left'; readonly source: SqlSource; readonly on: SqlExpression }
  | { readonly kind: 'cross'; readonly source: SqlSource };

export type SqlOrder = {
  /** The position of a column, from 1 on, or an expression that is no column. */
  readonly by: number | SqlExpression;
  readonly descending: boolean;
  /** PostgreSQL's own place when absent: last ascending, first descending. */
  readonly nulls?: 'first' | 'last';
};
