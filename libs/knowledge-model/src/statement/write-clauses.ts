/** The clauses that all statements of a plan share: fields, filters, from with joins and policies, order and page. */
import { compileFilter, type RelatedRange, type TypedFilter } from '@tessera/filter';
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  column,
  equalKeys,
  negation,
  parameter,
  storedValueOf,
  untypedParameter,
  type SqlCollation,
  type SqlExpression,
  type SqlJoin,
  type SqlOrder,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import { sqlTypes } from '../expression/compile-cast.js';
import { type ResolveColumn, compileFormula } from '../expression/compile-formula.js';
import type { TypedExpression } from '../expression/typed-expression.js';
import {
  type JoinedRecord,
  type KeyBound,
  type LinkCondition,
  type OffsetPage,
  type PlannedOrder,
  type PageAfterRow,
  type PlannedRecord,
  type PolicyParents,
  recordsOfCondition,
  type RowCondition,
  type RowSource,
  type RowsPlan,
  type SemiJoin,
  wholeMatchScore,
} from '../plan/query-plan.js';
import type { ColumnReading } from '../model/database-types.js';
import { type CallerView, columnReadingIn } from '../query/caller-view.js';
import { type RecordField, recordsOfField } from '../query/query-field.js';
import type { ResolvedSearch } from '../query/data-query.js';
import { guardCondition, isTotal } from './guard-conditions.js';
import { addRangeFieldResolvers, buildRelatedExists } from './write-related.js';
import {
  buildRowIdInCondition,
  rowIdColumn,
  buildRowIdQueries,
  buildRowIdUnion,
  buildSearchCondition,
} from './write-search.js';

export type SqlSourceClauses = Pick<SqlSelect, 'from' | 'joins' | 'where'>;

export const buildSourceClauses = (writing: SqlBuildContext, source: RowSource): SqlSourceClauses => {
  const { root, joins, conditions, semiJoins } = source;
  const places = fieldResolversFor(writing.view, source);
  const where = [
    ...buildPolicyConditions(writing, root),
    ...writeJoinedPolicies(writing, source),
    ...writeCandidates(writing, source),
    ...writeConditions(writing, source, conditions, places),
    ...semiJoins.map((semiJoin) => writeSemiJoin(writing, source, semiJoin, places)),
  ];
  return {
    from: buildTableSource(writing, root),
    joins: joins.map((join) => leftJoin(writing, source, join)),
    ...(where.length > 0 && { where: allOf(where) }),
  };
};

const writeJoinedPolicies = (writing: SqlBuildContext, source: RowSource): readonly SqlExpression[] =>
  source.joinedPolicies.map(({ filter, places }) =>
    writeFilter(writing, filter, fieldResolversFor(writing.view, { ...source, places })),
  );

/** Those that may fail on a value are one, behind the policies of all rows that they read. */
const writeConditions = (
  writing: SqlBuildContext,
  source: RowSource,
  conditions: readonly RowCondition[],
  places: FieldResolvers,
): readonly SqlExpression[] => {
  const written = conditions.map((condition) => ({ condition, sql: writeCondition(writing, condition, places) }));
  // A search that an index serves is made before any policy.
  const [plain, failing] = [true, false].map((wanted) =>
    written.filter(({ condition, sql }) => wanted === (isIndexedSearch(condition) || isTotal(sql))),
  );
  const read = new Set((failing ?? []).flatMap(({ condition }) => [...recordsOfCondition(condition)]));
  const computed = (failing ?? []).map(({ sql }) => sql);
  const guarded = computed.length > 0 ? [guardOf(writing, source, read)(allOf(computed))] : [];
  return [...(plain ?? []).map(({ sql }) => sql), ...guarded];
};

const isIndexedSearch = (condition: RowCondition): boolean => condition.kind === 'search' && condition.isIndexed;

/** `read`: the records whose rows a condition reads. A row that is missing fails nothing. */
export const guardOf = (
  writing: SqlBuildContext,
  source: RowSource,
  read: ReadonlySet<string>,
): ((condition: SqlExpression) => SqlExpression) => {
  const { root, joins, semiJoins } = source;
  const { keyOf, column: place } = fieldResolversFor(writing.view, source);
  const aliases = new Set([...read].map((record) => source.places.get(record) ?? root.alias));
  const policies = [root, ...joins, ...semiJoins.flatMap(({ records }) => records)].flatMap((record) => {
    const own = aliases.has(record.alias) ? buildPolicyConditions(writing, record) : [];
    const key = own.length > 0 ? keyOf(record.record) : undefined;
    return key === undefined ? own : [anyOf([{ kind: 'isNull', operand: place(record.record, key) }, allOf(own)])];
  });
  return (condition) => guardCondition([...policies, ...writeJoinedPolicies(writing, source)], condition);
};

const writeCondition = (writing: SqlBuildContext, condition: RowCondition, places: FieldResolvers): SqlExpression => {
  switch (condition.kind) {
    case 'filter':
      return writeFilter(writing, condition.filter, places);
    case 'search':
      return buildSearchCondition(writing, condition, places);
    case 'link':
      return writeLink(writing, condition, places);
  }
};

const writeLink = (
  { view }: SqlBuildContext,
  { record, on, links }: LinkCondition,
  places: FieldResolvers,
): SqlExpression =>
  anyOf(
    links.map((values) =>
      allOf(
        on.map((key, index) =>
          equalsLink(
            places.column(record, columnNameOf(view, record, key.attribute)),
            parameter(values[index] ?? null, sqlTypes[key.type]),
            key,
          ),
        ),
      ),
    ),
  );

/** `link`: a value of the attribute that the link comes from. */
export const equalsLink = (
  key: SqlExpression,
  link: SqlExpression,
  { reading }: LinkCondition['on'][number],
): SqlExpression =>
  equalKeys(
    key,
    reading?.kind === 'text' && reading.type.equality && key.kind === 'storedText'
      ? { kind: 'storedText', operand: storedValueOf(reading.type, link), type: reading.type }
      : link,
  );

/** What can be said of the root alone about the searches that indexes serve. */
const writeCandidates = (writing: SqlBuildContext, source: RowSource): readonly SqlExpression[] => {
  const all = [...source.conditions, ...source.semiJoins.flatMap(({ conditions }) => conditions)];
  return all.flatMap((condition) =>
    condition.kind === 'search' && condition.isIndexed
      ? [...writeHasTrigrams(condition.search), ...writeInRecords(writing, source, condition.search)]
      : [],
  );
};

/** Nothing is like a term without a letter or a digit; no index has to be asked for it, and none could tell. */
const writeHasTrigrams = ({ term, precision }: ResolvedSearch): readonly SqlExpression[] =>
  precision < wholeMatchScore
    ? [binaryOperation(callFunction('show_trgm', parameter(term, 'text')), '<>', parameter([], 'text[]'))]
    : [];

/**
 * A search in several records is a condition on their rows together, which no index serves. So first the rows of the root are
 * found that have what is searched, or a related row that has it.
 */
const writeInRecords = (
  writing: SqlBuildContext,
  source: RowSource,
  search: ResolvedSearch,
): readonly SqlExpression[] => {
  const { root, places } = source;
  const found = buildRowIdQueries(writing, search);
  if (found.length < 2) return [];
  const queries = found.flatMap(({ record, queries: ofRecord }) => {
    const alias = places.get(record) ?? root.alias;
    return alias === root.alias ? ofRecord : [rootsOf(writing, source, alias, buildRowIdUnion(ofRecord))];
  });
  return [buildRowIdInCondition(root.alias, buildRowIdUnion(queries))];
};

/** The rows of the root that have one of these related rows. */
const rootsOf = (writing: SqlBuildContext, source: RowSource, alias: string, rows: SqlQuery): SqlSelect => {
  const way = pathTo(source, alias);
  return {
    kind: 'select',
    columns: [{ value: column(source.root.alias, rowIdColumn) }],
    from: buildTableSource(writing, source.root),
    joins: way.map((join) => ({ kind: 'cross', source: buildTableSource(writing, join) })),
    where: allOf([...way.flatMap((join) => writeRelation(writing, source, join)), buildRowIdInCondition(alias, rows)]),
  };
};

/** From the root on. */
const pathTo = (source: RowSource, alias: string): readonly JoinedRecord[] => {
  const joins = [...source.joins, ...source.semiJoins.flatMap(({ records }) => records)];
  const join = joins.find((candidate) => candidate.alias === alias);
  return join ? [...pathTo(source, join.parent), join] : [];
};

export const buildPolicyConditions = (writing: SqlBuildContext, record: PlannedRecord): readonly SqlExpression[] => [
  ...record.policies.map((policy) => writeFilter(writing, policy, fieldResolversForAlias(writing.view, record.alias))),
  ...(record.parents ? [writeParents(writing, record, record.parents)] : []),
];

/** Looked up, so that no row comes twice; PostgreSQL begins with the rows that are looked up where these are few. */
const writeParents = (
  writing: SqlBuildContext,
  { record, alias, policies }: PlannedRecord,
  { records, filters, places, bound }: PolicyParents,
): SqlExpression => {
  const source: RowSource = {
    root: { record, alias, policies },
    ...{ joins: records, places, joinedPolicies: [], conditions: [], semiJoins: [] },
  };
  const resolvers = fieldResolversFor(writing.view, source);
  const [first, ...others] = records.map((parent) => buildTableSource(writing, parent));
  const where = [
    ...records.flatMap((parent) => writeRelation(writing, source, parent)),
    ...(bound ? [writeBound(writing, bound)] : []),
    ...filters.map((filter) => writeFilter(writing, filter, resolvers)),
  ];
  const joins = others.map((table): SqlJoin => ({ kind: 'cross', source: table }));
  return {
    kind: 'exists',
    query: { kind: 'select', columns: [], ...(first && { from: first }), joins, where: allOf(where) },
  };
};

const writeBound = (
  { view }: SqlBuildContext,
  { alias, record, attribute, value, descending }: KeyBound,
): SqlExpression =>
  binaryOperation(
    column(alias, columnNameOf(view, record, attribute)),
    descending ? '<=' : '>=',
    untypedParameter(value),
  );

/** What makes a row of the record a related one, and visible. */
const writeRelation = (writing: SqlBuildContext, source: RowSource, join: JoinedRecord): readonly SqlExpression[] => {
  const { view } = writing;
  const parent = recordAt(source, join.parent);
  const keys = join.on.map(({ from, to }) =>
    equalKeys(
      readColumn(view, join.record, join.alias, columnNameOf(view, join.record, to)),
      readColumn(view, parent, join.parent, columnNameOf(view, parent, from)),
    ),
  );
  return [...keys, ...buildPolicyConditions(writing, join)];
};

const recordAt = ({ root, joins, semiJoins }: RowSource, alias: string): string =>
  [...joins, ...semiJoins.flatMap(({ records }) => records)].find((join) => join.alias === alias)?.record ??
  root.record;

const leftJoin = (writing: SqlBuildContext, source: RowSource, join: JoinedRecord): SqlJoin => ({
  kind: 'left',
  source: buildTableSource(writing, join),
  on: allOf(writeRelation(writing, source, join)),
});

const oneRow: SqlSource = { kind: 'query', query: { kind: 'select', columns: [] }, alias: 'one row' };

/**
 * Where a related row is needed the plain form stands, which PostgreSQL turns into a join; else the row without any is one
 * of the combinations.
 */
const writeSemiJoin = (
  writing: SqlBuildContext,
  source: RowSource,
  { records, conditions }: SemiJoin,
  places: FieldResolvers,
): SqlExpression => {
  const needed = records.filter(({ isOptional }) => !isOptional);
  const optional = records.filter(({ isOptional }) => isOptional);
  const [first, ...others] = needed.map((record) => buildTableSource(writing, record));
  const where = [
    ...needed.flatMap((record) => writeRelation(writing, source, record)),
    ...writeConditions(writing, source, conditions, places),
  ];
  const joins = [
    ...others.map((table): SqlJoin => ({ kind: 'cross', source: table })),
    ...optional.map((record) => leftJoin(writing, source, record)),
  ];
  return {
    kind: 'exists',
    query: { kind: 'select', columns: [], from: first ?? oneRow, joins, where: allOf(where) },
  };
};

/** What a statement is written for: `schema` is the one in which the tables are. */
export type SqlBuildContext = { readonly view: CallerView; readonly schema: string };

export const buildTableSource = (
  { view, schema }: SqlBuildContext,
  { record, alias }: Pick<PlannedRecord, 'record' | 'alias'>,
): SqlSource => ({ kind: 'table', schema, name: view.model.recordById.get(record)?.table ?? '', alias });

/** Where fields are read, each by its record. */
export type FieldResolvers = {
  readonly column: ResolveColumn;
  /** A column of the record that is null only where it has no row; undefined where it always has one. */
  readonly keyOf: (record: string) => string | undefined;
  /** What formulas compare texts by, where columns may say something else. */
  readonly collation?: SqlCollation | undefined;
  readonly relatedCount?: (range: RelatedRange) => SqlExpression;
};

export const fieldResolversFor = (view: CallerView, { root, joins, semiJoins, places }: RowSource): FieldResolvers => {
  const joined = [...joins, ...semiJoins.flatMap(({ records }) => records)];
  const aliasOf = (record: string): string => places.get(record) ?? root.alias;
  return {
    collation: formulaCollation(view),
    column: (record, name) => readColumn(view, record, aliasOf(record), name),
    keyOf: (record) => {
      const alias = aliasOf(record);
      const [key] = joined.find((join) => join.alias === alias && join.isOptional)?.on ?? [];
      // A row was joined because it is equal to something.
      return key && columnNameOf(view, record, key.to);
    },
  };
};

/** The places in a record that stands alone, or is being joined. */
export const fieldResolversForAlias = (view: CallerView, alias: string): FieldResolvers => ({
  collation: formulaCollation(view),
  column: (record, name) => readColumn(view, record, alias, name),
  keyOf: () => undefined,
});

/** Columns of the team's tables compare by code points already; those of another database as they like. */
export const formulaCollation = ({ model }: CallerView): SqlCollation | undefined =>
  model.source.database === undefined ? undefined : 'C';

/** The value that a field has of the column. */
export const readColumn = (view: CallerView, record: string, alias: string, name: string): SqlExpression =>
  readAs(column(alias, name), columnReadingIn(view, record, name));

const readAs = (operand: SqlExpression, reading: ColumnReading | undefined): SqlExpression => {
  switch (reading?.kind) {
    case undefined:
      return operand;
    case 'text': {
      const { type, isDomain } = reading;
      return { kind: 'storedText', operand: isDomain ? { kind: 'cast', operand, type } : operand, type };
    }
    case 'cast':
      return { kind: 'cast', operand, type: reading.type };
  }
};

export const columnNameOf = ({ formulas }: CallerView, record: string, attribute: string): string => {
  const expression = formulas.fields.get(record)?.get(attribute);
  if (expression?.kind !== 'column') throw new Error(`${record}.${attribute} is no attribute.`);
  return expression.column;
};

export const buildFieldSql = ({ expression }: RecordField, places: FieldResolvers): SqlExpression =>
  buildFormulaSql(expression, places);

/** Of a field, or of a KPI whose aggregates are computed here. */
export const buildFormulaSql = (
  formula: TypedExpression,
  { column: place, keyOf, collation, relatedCount }: FieldResolvers,
): SqlExpression =>
  compileFormula(formula, place, {
    collation,
    relatedCount,
    presence: (record) => {
      const key = keyOf(record);
      return key === undefined ? undefined : negation({ kind: 'isNull', operand: place(record, key) });
    },
  });

export const withCollation = (operand: SqlExpression, collation: SqlCollation | undefined): SqlExpression =>
  collation ? { kind: 'collate', operand, collation } : operand;

/** What may be null here decides how a condition is written: a column that cannot has the plain operators. */
const writeFilter = (
  writing: SqlBuildContext,
  filter: TypedFilter<RecordField>,
  around: FieldResolvers,
): SqlExpression => {
  const places = addRangeFieldResolvers(writing, around);
  return compileFilter(
    mapFilterFields(filter, (field) => ({
      ...field,
      nullable: field.expression.nullable || recordsOfField(field).some((record) => places.keyOf(record) !== undefined),
    })),
    (field) => buildFieldSql(field, places),
    (range, condition) => buildRelatedExists(writing, range, condition, places),
  );
};

export const mapFilterFields = <Field extends RecordFieldLike>(
  filter: TypedFilter<Field>,
  change: (field: Field) => Field,
): TypedFilter<Field> => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map((operand) => mapFilterFields(operand, change)) };
    case 'not':
      return { kind: 'not', operand: mapFilterFields(filter.operand, change) };
    case 'constant': {
      const { kind, value, operand } = filter;
      return { kind, value, ...(operand && { operand: { ...operand, field: change(operand.field) } }) };
    }
    case 'isNull':
    case 'compare':
    case 'in':
    case 'like':
    case 'match':
      return { ...filter, operand: { ...filter.operand, field: change(filter.operand.field) } };
    case 'any': {
      const { kind, range, condition } = filter;
      return { kind, range, ...(condition && { condition: mapFilterFields(condition, change) }) };
    }
  }
};

type RecordFieldLike = Pick<RecordField, 'type' | 'nullable'>;

export const buildOrderBy = (order: readonly PlannedOrder[]): readonly SqlOrder[] =>
  order.map((item) => writeItem(item, item.by.kind === 'position' ? item.by.position : buildAttributeSql(item.by)));

/** The same where every item is a column. */
export const buildKeysetOrderBy = ({ order, places }: Pick<RowsPlan, 'order' | 'places'>): readonly SqlOrder[] =>
  order.flatMap((item, at) => {
    const place = places[at];
    return place ? [writeItem(item, place.column + 1)] : [];
  });

const writeItem = ({ descending, nullable }: PlannedOrder, by: SqlOrder['by']): SqlOrder => ({
  by,
  descending,
  ...(nullable && { nulls: descending ? 'last' : 'first' }),
});

type OrderedAttribute = PlannedOrder['by'] & { readonly kind: 'attribute' };

export const buildAttributeSql = ({ alias, column: name, collation, reading }: OrderedAttribute): SqlExpression =>
  orderByText(readAs(column(alias, name), reading), collation);

/** The expression that rows are ordered by: the value itself where an index on it has the order of its text. */
export const orderByText = (sql: SqlExpression, collation: SqlCollation | undefined): SqlExpression =>
  collation && sql.kind === 'storedText' && sql.type.isOrderedAsText ? sql.operand : withCollation(sql, collation);

/** Nothing for all rows: a limit that PostgreSQL does not know makes it plan for few. */
export const buildLimitAndOffset = (page: OffsetPage): Pick<SqlSelect, 'limit' | 'offset'> =>
  page.size === Infinity ? {} : { limit: buildLimit(page), offset: parameter(String(page.offset), 'bigint') };

export const buildLimit = ({ size }: OffsetPage | PageAfterRow): SqlExpression => parameter(String(size), 'bigint');
