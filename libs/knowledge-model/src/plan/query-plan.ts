/**
 * The plan of a query, as plain data, and what can be read from it: conditions on rows, tables, grain, settings, weight.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { TypedFilter } from '@tessera/filter';
import type { SqlCollation } from '@tessera/sql';
import type { TypedAggregate } from '../expression/typed-expression.js';
import type { ColumnReading } from '../model/database-types.js';
import type { CallerView } from '../query/caller-view.js';
import type {
  LinkColumns,
  LinkValues,
  OrderColumn,
  RelatedPresenceColumn,
  ResolvedQuery,
  ResolvedSearch,
} from '../query/data-query.js';
import { fieldsOfFilter, relatedRangesIn, recordsInRelatedRanges } from '../query/conditions.js';
import { isRangeKey, recordOfRangeKey } from '../query/related-range.js';
import { unicodeFormsOf } from '../search/fold-text.js';
import { planRecord } from './plan-policies.js';
import {
  type QueryField,
  type RecordField,
  recordsOfField,
  type RequestedField,
  type RequestedKpi,
} from '../query/query-field.js';

/** Rows of a record under a name of their own in the statement. */
export type PlannedRecord = {
  readonly record: string;
  readonly alias: string;
  /** All of them hold for every row, and read nothing else. */
  readonly policies: readonly TypedFilter<RecordField>[];
  readonly parents?: PolicyParents;
};

/** Rows that a row leads to, one of each, which have to be there for it to be visible. */
export type PolicyParents = {
  /** Each after its parent. */
  readonly records: readonly JoinedRecord[];
  /** All of them hold, read at `places`. */
  readonly filters: readonly TypedFilter<RecordField>[];
  readonly places: RecordPlaces;
  /** What holds for the first row of them on a page behind a row, said of its own key so that its index begins there. */
  readonly bound?: KeyBound;
};

export type KeyBound = {
  readonly alias: string;
  readonly record: string;
  readonly attribute: string;
  readonly value: string;
  readonly descending: boolean;
};

/** Record -> alias of the rows in which its fields are read. */
export type RecordPlaces = ReadonlyMap<string, string>;

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
  | { readonly kind: 'search'; readonly search: ResolvedSearch; readonly isIndexed: boolean }
  | LinkCondition;

/** Rows of a record that one of these links leads to. */
export type LinkCondition = {
  readonly kind: 'link';
  readonly record: string;
  /** The attributes that it leads to, each with the type of that which it comes from, and how that is read. */
  readonly on: readonly { readonly attribute: string; readonly type: ValueType; readonly reading?: ColumnReading }[];
  readonly links: readonly LinkValues[];
};

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
  readonly places: RecordPlaces;
  /** Policies of the root that read rows beside it, and those of these rows, where they are joined instead of looked up. */
  readonly joinedPolicies: readonly JoinedPolicy[];
  readonly conditions: readonly RowCondition[];
  readonly semiJoins: readonly SemiJoin[];
};

export type JoinedPolicy = { readonly filter: TypedFilter<RecordField>; readonly places: RecordPlaces };

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
        readonly reading?: ColumnReading;
      };
  readonly descending: boolean;
  readonly nullable: boolean;
};

export type OffsetPage = { readonly kind: 'offset'; readonly size: number; readonly offset: bigint };

/** Behind the row with these values in the order, as PostgreSQL wrote them. */
export type PageAfterRow = {
  readonly kind: 'behind';
  readonly size: number;
  readonly values: readonly (string | null)[];
  /**
   * Whether the rows that have a value in the first item of the order are read apart from those that have none: no one range
   * of an index holds what is behind this row, and each of both does.
   */
  readonly isDivided: boolean;
};

/** Of each link its own rows, which bring it with them. */
export type PagePerLink = Pick<LinkCondition, 'record' | 'on'> & { readonly kind: 'shares'; readonly skip: number };

export type PlannedPage = OffsetPage | PageAfterRow | PagePerLink;

export type RowsPlan = {
  readonly kind: 'rows';
  readonly view: CallerView;
  readonly source: RowSource;
  /** What is asked for, then what else tells whether there are related rows. */
  readonly columns: readonly PlannedColumn<RecordField>[];
  readonly related: readonly RelatedPresenceColumn[];
  readonly links: readonly LinkColumns[];
  readonly distinct: boolean;
  readonly order: readonly PlannedOrder[];
  /** Where each item of the order is in a row: attributes stand behind the columns then. Empty where rows do not tell. */
  readonly places: readonly OrderColumn[];
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
  readonly keys: readonly PlannedColumn<RequestedField>[];
  readonly kpis: readonly PlannedColumn<RequestedKpi>[];
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

export const collectRowConditions = ({ view, rowFilters, search }: ResolvedQuery): readonly RowCondition[] => [
  ...rowFilters.flatMap(conjunctsOfFilter).map((filter) => ({ kind: 'filter' as const, filter })),
  ...(search && search.precision > 0 ? [{ kind: 'search' as const, search, isIndexed: isIndexed(view, search) }] : []),
];

/**
 * Whether trigram indexes can find the rows: they are made for tables of the platform, and know a term that a text is to
 * contain only by its trigrams.
 */
const isIndexed = ({ model }: Pick<CallerView, 'model'>, { term, precision }: ResolvedSearch): boolean =>
  precision > 0 &&
  model.source.database === undefined &&
  (precision < wholeMatchScore || unicodeFormsOf(term).every((form) => trigramPattern.test(form)));

/** From here on a text has to contain the term. */
export const wholeMatchScore = 100;

/** What stands before and behind the term in the text is not known: of a single word three characters in a row are. */
const trigramPattern = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

const conjunctsOfFilter = (filter: TypedFilter<RecordField>): readonly TypedFilter<RecordField>[] =>
  filter.kind === 'and' ? filter.operands.flatMap(conjunctsOfFilter) : [filter];

/** Those whose rows the condition needs in their places; related rows that it looks through by itself have none. */
export const recordsOfCondition = (condition: RowCondition): ReadonlySet<string> => {
  switch (condition.kind) {
    case 'filter': {
      const { filter } = condition;
      const named = [
        ...fieldsOfFilter(filter).flatMap(recordsOfField),
        ...relatedRangesIn(filter).map(({ from }) => from),
      ];
      return new Set(named.filter((record) => !isRangeKey(record)));
    }
    case 'search':
      return new Set(condition.search.fields.flatMap(recordsOfField));
    case 'link':
      return new Set([condition.record]);
  }
};

/** Whether it cannot hold where these records have no row. */
export const requiresRowOf = (condition: RowCondition, isAbsent: (record: string) => boolean): boolean =>
  condition.kind === 'filter'
    ? truthWithout(condition.filter, isAbsent) === false
    : [...recordsOfCondition(condition)].every((record) => isAbsent(record));

/** Undefined: it depends on the rows that are there. */
const truthWithout = (filter: TypedFilter<RecordField>, isAbsent: (record: string) => boolean): boolean | undefined => {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or';
      const truths = filter.operands.map((operand) => truthWithout(operand, isAbsent));
      if (truths.includes(decisive)) return decisive;
      return truths.includes(undefined) ? undefined : !decisive;
    }
    case 'not': {
      const truth = truthWithout(filter.operand, isAbsent);
      return truth === undefined ? undefined : !truth;
    }
    case 'constant':
      return filter.value;
    case 'isNull':
      return isNullWithout(filter.operand.field, isAbsent) ? true : undefined;
    case 'compare':
    case 'in':
    case 'like':
    case 'match':
      return isNullWithout(filter.operand.field, isAbsent) ? false : undefined;
    case 'any':
      return isAbsent(filter.range.from) ? false : undefined;
  }
};

/** What is computed is null where a part of it is, unless it compares nulls. */
const isNullWithout = (field: RecordField, isAbsent: (record: string) => boolean): boolean =>
  field.expression.kind !== 'or' && recordsOfField(field).some(isAbsent);

const sourcesOf = (plan: QueryPlan): readonly RowSource[] => {
  switch (plan.kind) {
    case 'rows':
      return [plan.source];
    case 'groups':
      return plan.grains.map(({ source }) => source);
  }
};

const recordsIn = ({ root, joins, semiJoins }: RowSource): readonly PlannedRecord[] =>
  [root, ...joins, ...semiJoins.flatMap(({ records }) => records)].flatMap(withParents);

const withParents = (record: PlannedRecord): readonly PlannedRecord[] => [
  record,
  ...(record.parents?.records.flatMap(withParents) ?? []),
];

const filtersIn = ({ conditions, semiJoins }: RowSource): readonly TypedFilter<RecordField>[] =>
  [...conditions, ...semiJoins.flatMap((semiJoin) => semiJoin.conditions)].flatMap((condition) =>
    condition.kind === 'filter' ? [condition.filter] : [],
  );

/** The records that conditions look through by themselves and columns count, with those that their policies look at. */
const rangesIn = (plan: QueryPlan, source: RowSource): readonly PlannedRecord[] => {
  const counted = plan.kind === 'rows' ? plan.columns.flatMap(({ asked }) => asked.counted ?? []) : [];
  return [...filtersIn(source).flatMap(recordsInRelatedRanges), ...counted.map(recordOfRangeKey)].flatMap((record) =>
    withParents(planRecord(plan.view, record, record)),
  );
};

/** By the names that the model gives them, each once. */
export const tablesOf = (plan: QueryPlan): readonly string[] => {
  const sources = sourcesOf(plan);
  const records = [...sources.flatMap(recordsIn), ...sources.flatMap((source) => rangesIn(plan, source))];
  return [...new Set(records.flatMap(({ record }) => plan.view.model.recordById.get(record)?.table ?? []))];
};

/** The records whose rows are answered or aggregated. */
export const grainRecordsOf = (plan: QueryPlan): readonly string[] => {
  switch (plan.kind) {
    case 'rows': {
      const { root, joins } = plan.source;
      return [...new Set([root, ...joins.filter(({ isToMany }) => isToMany)].map(({ record }) => record))];
    }
    case 'groups':
      return plan.grains.map(({ source }) => source.root.record);
  }
};

/** Similarities are numbers of four bytes: 70 per cent are a little less than 0.7 there. */
const roundingErrorMax = 0.000001;

/**
 * Groups are planned for their values each time: a plan for any values assumes that a tenth of the groups makes a page, and
 * PostgreSQL takes it from the sixth execution on, although it is twice as slow. So are rows with a policy that reads other rows:
 * how many of those a value lets through decides where to begin, and a plan for any values begins at the wrong end for few.
 */
export const sessionSettingsFor = (
  plan: QueryPlan,
  { view, search }: Pick<ResolvedQuery, 'view' | 'search'>,
): Readonly<Record<string, string>> => ({
  ...((plan.kind === 'groups' || looksUpParents(plan)) && { plan_cache_mode: 'force_custom_plan' }),
  ...(search && searchSettings(view, search)),
});

const looksUpParents = (plan: QueryPlan): boolean =>
  sourcesOf(plan).some((source) =>
    [...recordsIn(source), ...rangesIn(plan, source)].some(({ parents }) => parents !== undefined),
  );

/**
 * The similarity from which on `<%` holds. PostgreSQL believes that comparing texts by trigrams costs as little as comparing
 * numbers and would rather read all rows than the index.
 */
const searchSettings = (
  view: ResolvedQuery['view'],
  search: NonNullable<ResolvedQuery['search']>,
): Readonly<Record<string, string>> => {
  const { precision } = search;
  if (precision === 0) return {};
  return {
    ...(precision < wholeMatchScore && {
      'pg_trgm.word_similarity_threshold': (precision / 100 - roundingErrorMax).toFixed(6),
    }),
    ...(isIndexed(view, search) && { enable_seqscan: 'off' }),
  };
};

/** Two hundred fields of 150 parts. More keeps the process busy, and beyond twice as much a statement has no more values. */
export const maxPlanWeight = 30_000;

export const planWeightOf = (plan: QueryPlan): number => {
  switch (plan.kind) {
    case 'rows': {
      const rows = sourceWeight(plan, plan.source) + sum(plan.columns.map(({ asked }) => fieldWeight(asked)));
      return plan.places.length > 0 ? weightOfKeyset(plan, rows) : rows;
    }
    case 'groups': {
      const keys = sum(plan.keys.map(({ asked }) => fieldWeight(asked)));
      const grains = plan.grains.map(
        ({ source, aggregates }) => keys + sourceWeight(plan, source) + sum(aggregates.map(({ weight }) => weight)),
      );
      const kpis = plan.kpis.map(({ asked }) => fieldWeight(asked));
      return sum([...grains, ...kpis, ...plan.conditions.map(filterWeight)]);
    }
  }
};

/**
 * No page behind a row may be refused when the first was not: what is ordered by stands up to three times in its condition,
 * and with a column first all of it perhaps twice.
 */
const weightOfKeyset = ({ columns, order, places }: RowsPlan, rows: number): number => {
  const ordered = places.flatMap(({ column }) => columns[column]?.asked ?? []);
  const sections = order[0]?.nullable && ordered[0]?.expression.kind === 'column' ? 2 : 1;
  return sections * (rows + 3 * sum(ordered.map(fieldWeight)));
};

const sourceWeight = (plan: QueryPlan, source: RowSource): number =>
  sum([
    ...rangesIn(plan, source).map((record) => 1 + policyWeight(record)),
    ...recordsIn(source).map(policyWeight),
    ...source.joinedPolicies.map(({ filter }) => filterWeight(filter)),
    ...source.conditions.map(conditionWeight),
    ...source.semiJoins.flatMap(({ conditions }) => conditions.map(conditionWeight)),
  ]);

/** Without those of the rows that its policies look at. */
const policyWeight = ({ policies, parents }: PlannedRecord): number =>
  sum([...policies, ...(parents?.filters ?? [])].map(filterWeight)) + (parents?.records.length ?? 0);

const conditionWeight = (condition: RowCondition): number => {
  switch (condition.kind) {
    case 'filter':
      return filterWeight(condition.filter);
    case 'search':
      return searchWeight(condition);
    case 'link':
      return condition.on.length;
  }
};

/** A search in several records is written a second time, for the rows of the root. */
const searchWeight = (condition: RowCondition & { readonly kind: 'search' }): number =>
  Math.min(2, recordsOfCondition(condition).size) * sum(condition.search.fields.map(fieldWeight));

const filterWeight = (filter: TypedFilter<QueryField>): number => sum(fieldsOfFilter(filter).map(fieldWeight));

/** One more for what is done with it. */
const fieldWeight = (field: QueryField): number =>
  1 + (field.isKpi ? field.typed.formula.weight : field.expression.weight);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
