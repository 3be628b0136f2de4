/**
 * A resolved query -> its plan: rows or groups, their root, joins, grains, policies, order and page. No later stage decides.
 * The order is total: the requested sort, then the identifiers. Records without a join path fail with KM_JOIN_NOTFOUND.
 */
import { fail, type Result, succeed } from '@tessera/failures';
import type { SqlCollation } from '@tessera/sql';
import { aggregatesIn, type TypedAggregate, type TypedExpression } from '../expression/typed-expression.js';
import { type CallerView, columnReadingIn } from '../query/caller-view.js';
import type { Keyset, OrderColumn, RelatedPresenceColumn, ResolvedQuery, ResolvedSort } from '../query/data-query.js';
import { fieldsOfFilter } from '../query/conditions.js';
import {
  type RequestedField,
  type RequestedKpi,
  isRecordField,
  type KpiField,
  type RecordField,
  recordsOfField,
  valueTypeOf,
} from '../query/query-field.js';
import { refuseQuery } from '../query/query-fault.js';
import { failUnrelatedRecords, findJoinPath, isToOnePath } from './join-paths.js';
import { withKeyBound } from './plan-policies.js';
import { planLinkCondition, planLinkColumns } from './plan-links.js';
import { planSource } from './plan-source.js';
import {
  type GrainPlan,
  type GroupsPlan,
  type OffsetPage,
  type PageAfterRow,
  type PlannedColumn,
  type PlannedOrder,
  type PlannedPage,
  type QueryPlan,
  type RowCondition,
  collectRowConditions,
  type RowSource,
  type RowsPlan,
} from './query-plan.js';

export const planQuery = (query: ResolvedQuery): Result<QueryPlan> => {
  const fields = query.columns.flatMap((column) => (column.isKpi ? [] : [column]));
  const kpis = query.columns.flatMap((column) => (column.isKpi ? [column] : []));
  if (kpis.length > 0 || query.groupFilters.length > 0) {
    if (query.keyset?.after) throw new Error('Groups have no place to go on behind.');
    return planGroups(query, fields, kpis);
  }
  return planRows(query, fields);
};

export const planRows = (query: ResolvedQuery, fields: readonly RequestedField[]): Result<RowsPlan> => {
  const { view } = query;
  const asked = [...new Set(fields.flatMap(recordsOfField))];
  const root = query.record ?? rootOf(query, asked);
  const related = planRelated(view, root, query.record === undefined ? [] : asked, fields);
  if (!related.ok) return related;
  const linked = planLinkColumns(view, root, query.links, related.value.columns);
  const { linkedFrom } = query;
  const link = linkedFrom && planLinkCondition(view, linkedFrom.record, root);
  const condition: readonly RowCondition[] =
    link && linkedFrom.kind === 'page' ? [{ kind: 'link', ...link, links: linkedFrom.links }] : [];
  const conditions = [...collectRowConditions(query), ...condition];
  const source = planSource(view, root, asked, conditions);
  if (!source.ok) return source;
  const multiplied = asked.filter((record) => !isToOnePath(findJoinPath(view.model.relationships, root, record)));
  const counted = planSource(view, root, multiplied, conditions);
  if (!counted.ok) return counted;
  const identity = identityOf(query, source.value, fields);
  const distinct = query.distinct && identity.some(({ by }) => by.kind === 'attribute');
  const ties = query.distinct
    ? fields.map((field, column) => columnOrder(column, isNullable(source.value, field)))
    : identity;
  const isOrdered = query.distinct || query.sort.length > 0 || query.pageSize < Infinity;
  const order = isOrdered ? planOrder(query.sort, (column) => isNullable(source.value, fields[column]), ties) : [];
  const page: Result<PlannedPage> =
    link && linkedFrom.kind === 'shares'
      ? succeed({ kind: 'shares', ...link, skip: linkedFrom.skip })
      : planRowsPage(query, order, fields);
  if (!page.ok) return page;
  return succeed({
    kind: 'rows',
    view,
    source: withBoundRoot(view, source.value, order[0], page.value, fields),
    columns: linked.columns.map((field, column) => {
      const isInOrder = order.some(({ by }) => by.kind === 'position' && by.position === column + 1);
      const collation = isInOrder ? collationOf(view, field.expression) : undefined;
      return { asked: field, ...(collation && { collation }) };
    }),
    distinct,
    order,
    related: related.value.places,
    links: linked.places,
    places: query.keyset ? placesOf(order, linked.columns) : [],
    page: page.value,
    countSource: distinct ? source.value : counted.value,
  });
};

/** Where the page begins is said of what the policies of the root read as well. */
const withBoundRoot = (
  view: CallerView,
  source: RowSource,
  first: PlannedOrder | undefined,
  page: PlannedPage,
  fields: readonly RecordField[],
): RowSource => {
  const { root } = source;
  const [value = null] = page.kind === 'behind' ? page.values : [];
  if (!first || value === null) return source;
  const columnOfRoot = (): string | undefined => {
    if (first.by.kind === 'attribute') return first.by.alias === root.alias ? first.by.column : undefined;
    const field = fields[first.by.position - 1];
    return field?.record === root.record && field.expression.kind === 'column' ? field.expression.column : undefined;
  };
  const column = columnOfRoot();
  if (column === undefined) return source;
  return { ...source, root: withKeyBound(view, root, { column, value, descending: first.descending }) };
};

/** The first from which every other is one row away, else the first of all. */
const rootOf = ({ view }: ResolvedQuery, records: readonly string[]): string => {
  const { relationships } = view.model;
  const isRoot = (from: string): boolean => records.every((to) => isToOnePath(findJoinPath(relationships, from, to)));
  const root = records.find(isRoot) ?? records[0];
  if (root === undefined) throw new Error('A question without KPIs asks for a field at least.');
  return root;
};

const isNullable = ({ root, places }: RowSource, field: RequestedField | undefined): boolean =>
  field === undefined || field.expression.nullable || places.get(field.record) !== root.alias;

/** The identifiers of the root and of every record that multiplied it. */
const identityOf = (
  { view }: ResolvedQuery,
  { root, joins, places }: RowSource,
  fields: readonly RequestedField[],
): readonly TieBreak[] =>
  [root, ...joins.filter(({ isToMany }) => isToMany)].flatMap(({ record, alias }) => {
    const identifier = view.formulas.fields.get(record);
    const nullable = alias !== root.alias;
    return (view.model.recordById.get(record)?.identifier ?? []).flatMap((id): readonly TieBreak[] => {
      const column = fields.findIndex((field) => field.record === record && field.field === id);
      if (column >= 0 && places.get(record) === alias) return [columnOrder(column, nullable)];
      const attribute = identifier?.get(id);
      const type = attribute && valueTypeOf(attribute.type);
      if (attribute?.kind !== 'column' || !type) return [];
      const collation = collationOf(view, attribute);
      const { column: name } = attribute;
      const reading = columnReadingIn(view, record, name);
      const by = {
        kind: 'attribute' as const,
        alias,
        column: name,
        type,
        ...(collation && { collation }),
        ...(reading && { reading }),
      };
      return [{ by, nullable: nullable || attribute.nullable }];
    });
  });

type RelatedRows = {
  readonly places: readonly RelatedPresenceColumn[];
  /** The fields that are asked for, and behind them what the places need. */
  readonly columns: readonly RecordField[];
};

/** `root`: the record that is asked; `records`: all whose fields are asked for. */
const planRelated = (
  view: CallerView,
  root: string,
  records: readonly string[],
  fields: readonly RecordField[],
): Result<RelatedRows> => {
  const columns: RecordField[] = [...fields];
  const places: RelatedPresenceColumn[] = [];
  for (const record of records.filter((each) => each !== root)) {
    const key = keyOf(view, root, record);
    if (!key) return failNotToOne(root, record);
    const known = columns.findIndex((field) => field.record === record && field.field === key.field);
    places.push({ record, column: known >= 0 ? known : columns.push(key) - 1 });
  }
  return succeed({ places, columns });
};

/** A row was joined because this is equal to something, so it is null only where there is none. Policies may hide it. */
const keyOf = ({ model, formulas }: CallerView, root: string, record: string): RecordField | undefined => {
  const [step, ...further] = findJoinPath(model.relationships, root, record) ?? [];
  const field = step?.isToMany === false && further.length === 0 ? step.on[0]?.to : undefined;
  const expression = field === undefined ? undefined : formulas.fields.get(record)?.get(field);
  const type = expression && valueTypeOf(expression.type);
  return field !== undefined && expression && type
    ? { isKpi: false, type, nullable: true, record, field, expression }
    : undefined;
};

const failNotToOne = (root: string, record: string) =>
  fail(
    'KM_JOIN_NOTFOUND',
    `Fields of ${record} cannot stand beside those of ${root}; only a record to which one relationship leads, to one row, can.`,
  );

type Grains = ReadonlyMap<string, readonly TypedAggregate[]>;

const planGroups = (
  query: ResolvedQuery,
  keys: readonly RequestedField[],
  kpis: readonly RequestedKpi[],
): Result<GroupsPlan> => {
  const { view, groupFilters, sort } = query;
  const filtered = groupFilters.flatMap((filter) => fieldsOfFilter(filter));
  const filteredKpis = filtered.flatMap((field) => (isRecordField(field) ? [] : [field]));
  const aggregates = grainsOf(query, [...kpis, ...filteredKpis]);
  if (!aggregates.ok) return aggregates;
  const grains = planGrains(query, keys, aggregates.value);
  if (!grains.ok) return grains;
  const counted = planGrains(query, keys, countedOf(aggregates.value, filteredKpis, keys.length > 0));
  if (!counted.ok) return counted;
  const nullable = (column: number): boolean => {
    const key = keys[column];
    if (key) return grains.value.some(({ source }) => isNullable(source, key));
    return kpis[column - keys.length]?.nullable ?? true;
  };
  const ties = keys.map((_, column) => columnOrder(column, nullable(column)));
  const isSorted = (kpi: number): boolean => sort.some(({ column }) => column === keys.length + kpi);
  const planned = <Asked extends RequestedField | RequestedKpi>(
    asked: Asked,
    isOrdered: boolean,
  ): PlannedColumn<Asked> => {
    const collation = isOrdered ? collationOf(view, asked.isKpi ? asked.typed.formula : asked.expression) : undefined;
    return { asked, ...(collation && { collation }) };
  };
  return succeed({
    kind: 'groups',
    view,
    keys: keys.map((key) => planned(key, true)),
    kpis: kpis.map((kpi, index) => planned(kpi, isSorted(index))),
    grains: grains.value,
    isCombined: grains.value.length > 1 || filtered.some(isRecordField),
    conditions: groupFilters,
    order: planOrder(sort, nullable, ties),
    page: query.keyset ? pageFrom(query.keyset, query.pageSize) : planPage(query),
    countGrains: keys.length === 0 && groupFilters.length === 0 ? undefined : counted.value,
  });
};

/** By the record over whose rows they are computed; of several the one from which the others are one row away. */
const grainsOf = ({ view }: ResolvedQuery, kpis: readonly KpiField[]): Result<Grains> => {
  const { relationships } = view.model;
  const grains = new Map<string, TypedAggregate[]>();
  for (const aggregate of new Set(kpis.flatMap(({ typed }) => aggregatesIn(typed.formula)))) {
    const { records } = aggregate;
    const root = records.find((from) => records.every((to) => isToOnePath(findJoinPath(relationships, from, to))));
    if (root === undefined) return failUnrelatedRecords(view.model, records[0] ?? '', records.slice(1));
    grains.set(root, [...(grains.get(root) ?? []), aggregate]);
  }
  return succeed(grains);
};

/** What is read by the KPIs of conditions. Grains without any of it stay only where they have groups. */
const countedOf = (grains: Grains, kpis: readonly KpiField[], haveGroups: boolean): Grains => {
  const read = new Set(kpis.flatMap(({ typed }) => aggregatesIn(typed.formula)));
  const counted = [...grains].map(([root, aggregates]) => [root, aggregates.filter((one) => read.has(one))] as const);
  return new Map(counted.filter(([, aggregates]) => haveGroups || aggregates.length > 0));
};

const planGrains = (
  query: ResolvedQuery,
  keys: readonly RequestedField[],
  grains: Grains,
): Result<readonly GrainPlan[]> => {
  const conditions: readonly RowCondition[] = collectRowConditions(query);
  const plans: GrainPlan[] = [];
  for (const [root, aggregates] of grains) {
    const asked = new Set([...keys.map(({ record }) => record), ...aggregates.flatMap(({ records }) => records)]);
    const source = planSource(query.view, root, [...asked], conditions, { joinsPolicies: true });
    if (!source.ok) return source;
    const isMultiplied = aggregates.length > 0 && source.value.joins.some(({ isToMany }) => isToMany);
    plans.push({ source: source.value, aggregates, isMultiplied });
  }
  return succeed(plans);
};

/** What a row is told from others by, when the sort does not. */
type TieBreak = Omit<PlannedOrder, 'descending'>;

/** `nullable`: whether the column of that place may be null. */
const planOrder = (
  sort: readonly ResolvedSort[],
  nullable: (column: number) => boolean,
  ties: readonly TieBreak[],
): readonly PlannedOrder[] => {
  const sorted = sort.map(({ column, descending }) => ({ ...columnOrder(column, nullable(column)), descending }));
  const descending = sort.at(-1)?.descending ?? false;
  const isSorted = ({ by }: TieBreak): boolean =>
    by.kind === 'position' && sort.some(({ column }) => column + 1 === by.position);
  return [...sorted, ...ties.filter((tie) => !isSorted(tie)).map((tie) => ({ ...tie, descending }))];
};

const columnOrder = (column: number, nullable: boolean): TieBreak => ({
  by: { kind: 'position', position: column + 1 },
  nullable,
});

/**
 * Texts come in the order of their code points. Columns of the team's tables have that order already, and so have their
 * indexes; what a formula makes of them may have not, nor have the columns of another database.
 */
export const collationOf = (
  { model }: CallerView,
  { kind, type }: Pick<TypedExpression, 'kind' | 'type'>,
): SqlCollation | undefined => {
  if (type !== 'string') return undefined;
  if (model.source.database !== undefined) return 'C';
  return kind === 'column' ? undefined : 'pg_c_utf8';
};

const rowsMax = 2n ** 63n - 1n;

/** A page behind what a database can count to is empty, and so is the last one that it can count to. */
const planPage = ({ page, pageSize }: { readonly page: number; readonly pageSize: number }): OffsetPage => {
  if (pageSize === Infinity) return { kind: 'offset', size: pageSize, offset: 0n };
  const offset = BigInt(page) * BigInt(pageSize);
  return { kind: 'offset', size: pageSize, offset: offset > rowsMax ? rowsMax : offset };
};

const pageFrom = ({ skip }: Keyset, size: number): OffsetPage => ({ kind: 'offset', size, offset: BigInt(skip) });

const placesOf = (order: readonly PlannedOrder[], fields: readonly RecordField[]): readonly OrderColumn[] => {
  let next = fields.length;
  return order.map(({ by, descending }) =>
    by.kind === 'attribute'
      ? { column: next++, type: by.type, descending }
      : { column: by.position - 1, type: fields[by.position - 1]?.type ?? 'string', descending },
  );
};

const planRowsPage = (
  query: ResolvedQuery,
  order: readonly PlannedOrder[],
  fields: readonly RecordField[],
): Result<PlannedPage> => {
  const { keyset, pageSize: size } = query;
  if (!keyset) return succeed(planPage(query));
  const { after } = keyset;
  if (!after) return succeed(pageFrom(keyset, size));
  if (after.length !== order.length) return refuseQuery(keysetOfOtherOrder);
  return succeed({ kind: 'behind', size, values: after, isDivided: isDivided(query, order, fields, after) });
};

const keysetOfOtherOrder = {
  code: 'GENERAL_PARAMETER_ILLEGAL',
  path: '$skiptoken',
  rule: 'order',
  message: 'The $skiptoken is of another order; ask for the first page again, without $skiptoken.',
} as const;

/**
 * Only where an index brings both parts in order, which is of a column and then the identifier. Else the rows without a
 * value would be sorted for every page.
 */
const isDivided = (
  { sort }: ResolvedQuery,
  [first]: readonly PlannedOrder[],
  fields: readonly RecordField[],
  [value = null]: PageAfterRow['values'],
): boolean => {
  if (!first?.nullable || sort.length > 1) return false;
  const isColumn = first.by.kind === 'attribute' || fields[first.by.position - 1]?.expression.kind === 'column';
  return isColumn && (value === null) !== first.descending;
};
