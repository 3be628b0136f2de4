/** A query as its caller sent it, resolved, and compiled: the types between the stages. */
import type { DateGrain, ValueType } from '@tessera/contracts/knowledge-models';
import type { DataExpression, DataValue, TypedFilter } from '@tessera/filter';
import type { PrintedSql } from '@tessera/sql';
import type { CallerView } from './caller-view.js';
import type { RequestedColumn, QueryField, RecordField } from './query-field.js';

export type DataQuery = {
  /** At the level of this record; of the whole model when absent. */
  readonly record?: string;
  /**
   * As asked for: ids of the record, or `record.field` at the level of the model; of dates also by their period, as in
   * `FIELD:month`. `all`: every field of the record.
   */
  readonly fields: readonly string[] | 'all';
  /**
   * At the level of a record, without `distinct`: `record.field` of records that are one row away by one step. They stand
   * behind `fields`, and change neither which rows there are nor their order; they are null where no row is related.
   */
  readonly relatedFields?: readonly string[];
  /** At the level of a record: others that it leads to by one step. Each row brings what their rows are found by. */
  readonly links?: readonly string[];
  /** At the level of a record: only the rows to which rows of another lead. */
  readonly linkedFrom?: LinkedRowsSource;
  readonly kpis: readonly string[];
  /** At the level of the model: what is aggregated beside KPIs, over the rows of a record. */
  readonly aggregates?: readonly FieldAggregate[];
  /** Ids of filters of the model; all of them hold. */
  readonly filterIds: readonly string[];
  /** Texts of the parameter, each perhaps several expressions with commas between; all of them hold. */
  readonly filterExpressions: readonly string[];
  /** The text of the parameter; undefined when it was left out. */
  readonly sort?: string;
  /** At the level of a record, without `distinct`: what the sort names by `id`, behind `fields`. */
  readonly orderValues?: readonly ComputedOrderValue[];
  /** Filters that were parsed by whoever knows their syntax; all of them hold. */
  readonly parsedFilters?: readonly ParsedFilter[];
  /** With KPIs or aggregates: conditions on what is answered, which they name by the ids of its columns; all of them hold. */
  readonly groupFilters?: readonly ParsedFilter[];
  readonly distinct: boolean;
  readonly search?: DataSearch;
  readonly page: number;
  /** Infinity: all rows, which have no order then unless a sort asks for one or they are `distinct`. */
  readonly pageSize: number;
  /** Where the page begins instead of `page`, which is 0 then. */
  readonly keyset?: Keyset;
};

/**
 * Rows to which rows of another record lead: one page of those that any of the links leads to, or of each link its own share, from
 * the row after `skip` on. Links of shares are given when the statement is run.
 */
export type LinkedRowsSource =
  | { readonly kind: 'page'; readonly record: string; readonly links: readonly LinkValues[] }
  | { readonly kind: 'shares'; readonly record: string; readonly skip: number };

/** The values of the attributes of a link, in their order, as PostgreSQL wrote them; none is null. */
export type LinkValues = readonly string[];

/** One value of the rows of a group; rows are counted without a field. */
export type FieldAggregate = {
  /** Of its column; one that no field and no KPI of the model can have, as `#rows` or `avg(RECORD.FIELD)`. */
  readonly id: string;
  readonly function: 'sum' | 'avg' | 'min' | 'max' | 'count';
  /** Whether equal values are counted once. */
  readonly distinct: boolean;
  readonly record: string;
  readonly field?: string;
};

/** A value of each row; names as in filters, positions those of `text`. No id of the model begins with `#`, as this one does. */
export type ComputedOrderValue = {
  readonly id: string;
  readonly parameter: string;
  readonly text: string;
  readonly value: DataValue;
};

/** Names as in `filterExpressions`; positions are those of `text`. */
export type ParsedFilter = {
  /** At the level of the model: the record whose fields are named by their ids alone. */
  readonly record?: string;
  /** What its faults are told of: `$filter`. */
  readonly parameter: string;
  readonly text: string;
  readonly expression: DataExpression;
};

/**
 * Pages that begin anywhere: of groups at a number, of the rows of one record also behind a row; each row brings its place in
 * the order with it.
 */
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

export type ResolvedSearch = {
  readonly term: string;
  /** 0 to 100; 100: the field contains the term. */
  readonly precision: number;
  /** One at least, of type string. */
  readonly fields: readonly RecordField[];
};

export type ResolvedSort = {
  /** The place in `columns`. */
  readonly column: number;
  readonly descending: boolean;
};

export type ResolvedQuery = {
  readonly view: CallerView;
  /** At the level of this record; of the whole model when absent. */
  readonly record?: string;
  /** Fields in the order in which they were asked for, each once, then KPIs; one at least. Those of related records are last. */
  readonly columns: readonly RequestedColumn[];
  /** All of them hold, before aggregation. */
  readonly rowFilters: readonly TypedFilter<RecordField>[];
  /** All of them hold, after aggregation: each names a KPI, and of fields only those of `columns`. */
  readonly groupFilters: readonly TypedFilter<QueryField>[];
  readonly search?: ResolvedSearch;
  readonly sort: readonly ResolvedSort[];
  readonly links: readonly string[];
  readonly linkedFrom?: LinkedRowsSource;
  readonly distinct: boolean;
  readonly page: number;
  readonly pageSize: number;
  /** At the level of a record and not of distinct rows, or of groups. */
  readonly keyset?: Keyset;
};

export type CompiledStatement = PrintedSql;

/** A column of the answer, in the order of the select list. */
export type ResultColumn = {
  /** The id as it was asked for; the key of the row. */
  readonly id: string;
  readonly name: string;
  readonly type: ValueType;
  /** Of dates that are answered by the first day of their period. */
  readonly grain?: DateGrain;
  readonly format?: string;
  readonly unit?: string;
  /** Whether it is a KPI. */
  readonly aggregation: boolean;
  readonly filterable: boolean;
  readonly sortable: boolean;
  /** Whether numbers are answered as strings, so that no digit is lost. */
  readonly exact: boolean;
};

export type OrderColumn = { readonly column: number; readonly type: ValueType; readonly descending: boolean };

/** Where a row tells whether it has a related one: a place (from 0) whose value is null exactly where it has none. */
export type RelatedPresenceColumn = { readonly record: string; readonly column: number };

/** Where a row has the values of its link to another record: places (from 0). */
export type LinkColumns = { readonly record: string; readonly columns: readonly number[] };

/** Where a row of a share has its link (from 1), its number among the rows of the link (from 1), and how many these are. */
export type LinkRowColumns = { readonly link: number; readonly number: number; readonly count: number };

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
  readonly order: readonly OrderColumn[];
  /** Of the records that `selectRelatedFields` asks for; these, too, may stand behind `columns`. */
  readonly related: readonly RelatedPresenceColumn[];
  /** Of the records that `links` asks for. */
  readonly links: readonly LinkColumns[];
  /** Of rows that are read for several links at once. */
  readonly share?: LinkRowColumns;
  /** The records whose rows are counted or aggregated. */
  readonly grain: readonly string[];
  /** Settings of PostgreSQL that the statements need, for their transaction only. */
  readonly settings: Readonly<Record<string, string>>;
};
