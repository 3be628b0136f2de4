/**
 * What was decided about a question before any SQL: the rows that are read and how they are joined, what is computed over
 * which of them, in which order they come and what is counted. Plain data, so that it can be shown.
 * Refuses: text; statements are made of a plan alone.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { TypedFilter } from '@tessera/filter';
import type { SqlCollation } from '@tessera/sql';
import type { TypedAggregate } from '../expression/typed-expression.js';
import type { CallerView } from '../query/caller-view.js';
import type { OrderPlace, RelatedPlace } from '../query/compiled-query.js';
import type { AskedField, AskedKpi, QueryField, RecordField } from '../query/query-field.js';
import type { ResolvedSearch } from '../query/resolved-query.js';

/** Rows of a record under a name of their own in the statement. */
export type PlannedRecord = {
  readonly record: string;
  readonly alias: string;
  /** All of them hold for every row. */
  readonly policies: readonly TypedFilter<RecordField>[];
};

export type JoinedRecord = PlannedRecord & {
  /** The alias of what it is joined to. */
  readonly parent: string;
  /** Attributes of the parent's record and of this one. */
  readonly on: readonly { readonly from: string; readonly to: string }[];
  /** Whether one row of the parent may have several. */
  readonly isToMany: boolean;
  /** Whether a row of the parent stays when it has none; its fields are null then. */
  readonly isOptional: boolean;
};

export type RowCondition =
  | { readonly kind: 'filter'; readonly filter: TypedFilter<RecordField> }
  | { readonly kind: 'search'; readonly search: ResolvedSearch; readonly isIndexed: boolean };

/** Related rows that only conditions read: one combination of them for which all conditions hold is enough. */
export type SemiJoin = {
  /** Each after its parent; those that are not optional first. */
  readonly records: readonly JoinedRecord[];
  readonly conditions: readonly RowCondition[];
};

export type RowSource = {
  readonly root: PlannedRecord;
  /** Each after its parent. */
  readonly joins: readonly JoinedRecord[];
  /** Record -> alias of the rows in which its fields are read. */
  readonly places: ReadonlyMap<string, string>;
  readonly conditions: readonly RowCondition[];
  readonly semiJoins: readonly SemiJoin[];
};

export type PlannedColumn<Asked extends QueryField = QueryField> = {
  readonly asked: Asked;
  /** Where an order needs one to be by code points. */
  readonly collation?: SqlCollation;
};

export type PlannedOrder = {
  /** A column by its position, from 1 on, or an attribute of a record that is not among the columns. */
  readonly by:
    | { readonly kind: 'position'; readonly position: number }
    | {
        readonly kind: 'attribute';
        readonly alias: string;
        readonly column: string;
        readonly type: ValueType;
        readonly collation?: SqlCollation;
      };
  readonly descending: boolean;
  readonly nullable: boolean;
};

export type OffsetPage = { readonly kind: 'offset'; readonly size: number; readonly offset: bigint };

/** Behind the row with these values in the order, as PostgreSQL wrote them. */
export type PageBehind = {
  readonly kind: 'behind';
  readonly size: number;
  readonly values: readonly (string | null)[];
  /**
   * Whether the rows that have a value in the first item of the order are read apart from those that have none: no one range
   * of an index holds what is behind this row, and each of both does.
   */
  readonly isDivided: boolean;
};

export type PlannedPage = OffsetPage | PageBehind;

export type RowsPlan = {
  readonly kind: 'rows';
  readonly view: CallerView;
  readonly source: RowSource;
  /** What is asked for, then what else tells whether there are related rows. */
  readonly columns: readonly PlannedColumn<RecordField>[];
  readonly related: readonly RelatedPlace[];
  readonly distinct: boolean;
  readonly order: readonly PlannedOrder[];
  /** Where each item of the order is in a row: attributes stand behind the columns then. Empty where rows do not tell. */
  readonly places: readonly OrderPlace[];
  readonly page: PlannedPage;
  /** Without what changes no number of rows. */
  readonly countSource: RowSource;
};

/** Rows of one record, with what is computed over them. */
export type GrainPlan = {
  readonly source: RowSource;
  readonly aggregates: readonly TypedAggregate[];
  /** Whether related rows multiply those of the record, which count once in each group nevertheless. */
  readonly isMultiplied: boolean;
};

export type GroupsPlan = {
  readonly kind: 'groups';
  readonly view: CallerView;
  readonly keys: readonly PlannedColumn<AskedField>[];
  readonly kpis: readonly PlannedColumn<AskedKpi>[];
  readonly grains: readonly GrainPlan[];
  /** Whether the groups of the grains are made first, to meet where their keys are equal. */
  readonly isCombined: boolean;
  /** Of the groups. */
  readonly conditions: readonly TypedFilter<QueryField>[];
  readonly order: readonly PlannedOrder[];
  readonly page: OffsetPage;
  /** With no more aggregates than the conditions read; undefined when there is one row for certain. */
  readonly countGrains: readonly GrainPlan[] | undefined;
};

export type QueryPlan = RowsPlan | GroupsPlan;
