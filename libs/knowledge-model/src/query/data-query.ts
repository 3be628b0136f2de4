/**
 * A question to a model as its caller asked it, whatever parameters or body it came in, and what is known of its caller.
 * Refuses: meaning; names and texts are as they were written.
 */
import type { DataExpression } from '@tessera/filter';

export type DataQuery = {
  /** At the level of this record; of the whole model when absent. */
  readonly record?: string;
  /** As asked for: ids of the record, or `record.field` at the level of the model. `all`: every field of the record. */
  readonly fields: readonly string[] | 'all';
  /**
   * At the level of a record, without `distinct`: `record.field` of records that are one row away by one step. They stand
   * behind `fields`, and change neither which rows there are nor their order; they are null where no row is related.
   */
  readonly relatedFields?: readonly string[];
  readonly kpis: readonly string[];
  /** Ids of filters of the model; all of them hold. */
  readonly filterIds: readonly string[];
  /** Texts of the parameter, each perhaps several expressions with commas between; all of them hold. */
  readonly filterExpressions: readonly string[];
  /** The text of the parameter; undefined when it was left out. */
  readonly sort?: string;
  /** Filters that were parsed by whoever knows their syntax; all of them hold. */
  readonly parsedFilters?: readonly ParsedFilter[];
  readonly distinct: boolean;
  readonly search?: DataSearch;
  readonly page: number;
  readonly pageSize: number;
  /** Where the page begins instead of `page`, which is 0 then. */
  readonly keyset?: Keyset;
};

/** Names as in `filterExpressions`; positions are those of `text`. */
export type ParsedFilter = {
  /** What its faults are told of: `$filter`. */
  readonly parameter: string;
  readonly text: string;
  readonly expression: DataExpression;
};

/** Pages of rows, of one record and without KPIs, that begin behind a row; each row brings its place in the order with it. */
export type Keyset = {
  /** Rows that are left out before the first. */
  readonly skip: number;
  /** The values of the order in the row before, as PostgreSQL wrote them; from the first row on when absent, then without `skip`. */
  readonly after?: readonly (string | null)[];
};

export type DataSearch = {
  readonly term: string;
  /** Ids as in `fields`; every field of type string when absent. */
  readonly fields?: readonly string[];
  /** 0 to 100; 100: the field contains the term. */
  readonly precision: number;
};

/** What policies look at. */
export type QueryCaller = {
  readonly scopes: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
};
