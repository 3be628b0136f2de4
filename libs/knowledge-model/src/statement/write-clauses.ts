/** The clauses that all statements of a plan share: fields, filters, from with joins and policies, order and page. */
import { compileFilter, type TypedFilter } from '@tessera/filter';
import {
  allOf,
  anyOf,
  binary,
  call,
  column,
  negation,
  parameter,
  type SqlCollation,
  type SqlExpression,
  type SqlJoin,
  type SqlOrder,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import { sqlTypes } from '../expression/compile-cast.js';
import { type ColumnPlace, compileFormula } from '../expression/compile-formula.js';
import type { TypedExpression } from '../expression/typed-expression.js';
import {
  type JoinedRecord,
  type LinkCondition,
  type OffsetPage,
  type PlannedOrder,
  type PageBehind,
  type PlannedRecord,
  type RowCondition,
  type RowSource,
  type RowsPlan,
  type SemiJoin,
  wholeMatch,
} from '../plan/query-plan.js';
import type { CallerView } from '../query/caller-view.js';
import { type RecordField, recordsOfField } from '../query/query-field.js';
import type { ResolvedSearch } from '../query/data-query.js';
import { withRanges, writeAny } from './write-related.js';
import { isOneOf, rowId, rowsFound, rowsOf, writeSearch } from './write-search.js';

export type WrittenSource = Pick<SqlSelect, 'from' | 'joins' | 'where'>;

export const writeSource = (writing: Writing, source: RowSource): WrittenSource => {
  const { root, joins, conditions, semiJoins } = source;
  const places = placesIn(writing.view, source);
  const where = [
    ...writePolicies(writing, root),
    ...writeCandidates(writing, source),
    ...conditions.map((condition) => writeCondition(writing, condition, places)),
    ...semiJoins.map((semiJoin) => writeSemiJoin(writing, source, semiJoin, places)),
  ];
  return {
    from: tableOf(writing, root),
    joins: joins.map((join) => leftJoin(writing, source, join)),
    ...(where.length > 0 && { where: allOf(where) }),
  };
};

const writeCondition = (writing: Writing, condition: RowCondition, places: FieldPlaces): SqlExpression => {
  switch (condition.kind) {
    case 'filter':
      return writeFilter(writing, condition.filter, places);
    case 'search':
      return writeSearch(writing, condition, places);
    case 'link':
      return writeLink(writing, condition, places);
  }
};

const writeLink = ({ view }: Writing, { record, on, links }: LinkCondition, places: FieldPlaces): SqlExpression =>
  anyOf(
    links.map((values) =>
      allOf(
        on.map(({ attribute, type }, index) =>
          binary(
            places.column(record, columnOf(view, record, attribute)),
            '=',
            parameter(values[index] ?? null, sqlTypes[type]),
          ),
        ),
      ),
    ),
  );

/** What can be said of the root alone about the searches that indexes serve. */
const writeCandidates = (writing: Writing, source: RowSource): readonly SqlExpression[] => {
  const all = [...source.conditions, ...source.semiJoins.flatMap(({ conditions }) => conditions)];
  return all.flatMap((condition) =>
    condition.kind === 'search' && condition.isIndexed
      ? [...writeHasTrigrams(condition.search), ...writeInRecords(writing, source, condition.search)]
      : [],
  );
};

/** Nothing is like a term without a letter or a digit; no index has to be asked for it, and none could tell. */
const writeHasTrigrams = ({ term, precision }: ResolvedSearch): readonly SqlExpression[] =>
  precision < wholeMatch ? [binary(call('show_trgm', parameter(term, 'text')), '<>', parameter([], 'text[]'))] : [];

/**
 * A search in several records is a condition on their rows together, which no index serves. So first the rows of the root are
 * found that have what is searched, or a related row that has it.
 */
const writeInRecords = (writing: Writing, source: RowSource, search: ResolvedSearch): readonly SqlExpression[] => {
  const { root, places } = source;
  const found = rowsFound(writing, search);
  if (found.length < 2) return [];
  const queries = found.flatMap(({ record, queries: ofRecord }) => {
    const alias = places.get(record) ?? root.alias;
    return alias === root.alias ? ofRecord : [rootsOf(writing, source, alias, rowsOf(ofRecord))];
  });
  return [isOneOf(root.alias, rowsOf(queries))];
};

/** The rows of the root that have one of these related rows. */
const rootsOf = (writing: Writing, source: RowSource, alias: string, rows: SqlQuery): SqlSelect => {
  const way = pathTo(source, alias);
  return {
    kind: 'select',
    columns: [{ value: column(source.root.alias, rowId) }],
    from: tableOf(writing, source.root),
    joins: way.map((join) => ({ kind: 'cross', source: tableOf(writing, join) })),
    where: allOf([...way.flatMap((join) => relation(writing, source, join)), isOneOf(alias, rows)]),
  };
};

/** From the root on. */
const pathTo = (source: RowSource, alias: string): readonly JoinedRecord[] => {
  const joins = [...source.joins, ...source.semiJoins.flatMap(({ records }) => records)];
  const join = joins.find((candidate) => candidate.alias === alias);
  return join ? [...pathTo(source, join.parent), join] : [];
};

export const writePolicies = (
  writing: Writing,
  { alias, policies }: Pick<PlannedRecord, 'record' | 'alias' | 'policies'>,
): readonly SqlExpression[] => policies.map((policy) => writeFilter(writing, policy, placesAt(writing.view, alias)));

/** What makes a row of the record a related one, and visible. */
const relation = (writing: Writing, source: RowSource, join: JoinedRecord): readonly SqlExpression[] => {
  const { view } = writing;
  const parent = recordAt(source, join.parent);
  const keys = join.on.map(({ from, to }) =>
    binary(column(join.alias, columnOf(view, join.record, to)), '=', column(join.parent, columnOf(view, parent, from))),
  );
  return [...keys, ...writePolicies(writing, join)];
};

const recordAt = ({ root, joins, semiJoins }: RowSource, alias: string): string =>
  [...joins, ...semiJoins.flatMap(({ records }) => records)].find((join) => join.alias === alias)?.record ??
  root.record;

const leftJoin = (writing: Writing, source: RowSource, join: JoinedRecord): SqlJoin => ({
  kind: 'left',
  source: tableOf(writing, join),
  on: allOf(relation(writing, source, join)),
});

const oneRow: SqlSource = { kind: 'query', query: { kind: 'select', columns: [] }, alias: 'one row' };

/**
 * Where a related row is needed the plain form stands, which PostgreSQL turns into a join; else the row without any is one
 * of the combinations.
 */
const writeSemiJoin = (
  writing: Writing,
  source: RowSource,
  { records, conditions }: SemiJoin,
  places: FieldPlaces,
): SqlExpression => {
  const needed = records.filter(({ isOptional }) => !isOptional);
  const optional = records.filter(({ isOptional }) => isOptional);
  const [first, ...others] = needed.map((record) => tableOf(writing, record));
  const where = [
    ...needed.flatMap((record) => relation(writing, source, record)),
    ...conditions.map((condition) => writeCondition(writing, condition, places)),
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
export type Writing = { readonly view: CallerView; readonly schema: string };

export const tableOf = (
  { view, schema }: Writing,
  { record, alias }: Pick<PlannedRecord, 'record' | 'alias'>,
): SqlSource => ({ kind: 'table', schema, name: view.model.recordById.get(record)?.table ?? '', alias });

/** Where fields are read, each by its record. */
export type FieldPlaces = {
  readonly column: ColumnPlace;
  /** A column of the record that is null only where it has no row; undefined where it always has one. */
  readonly keyOf: (record: string) => string | undefined;
  /** What formulas compare texts by, where columns may say something else. */
  readonly collation?: SqlCollation | undefined;
};

export const placesIn = (view: CallerView, { root, joins, semiJoins, places }: RowSource): FieldPlaces => {
  const joined = [...joins, ...semiJoins.flatMap(({ records }) => records)];
  const aliasOf = (record: string): string => places.get(record) ?? root.alias;
  return {
    collation: formulaCollation(view),
    column: (record, name) => column(aliasOf(record), name),
    keyOf: (record) => {
      const alias = aliasOf(record);
      const [key] = joined.find((join) => join.alias === alias && join.isOptional)?.on ?? [];
      // A row was joined because it is equal to something.
      return key && columnOf(view, record, key.to);
    },
  };
};

/** The places in a record that stands alone, or is being joined. */
export const placesAt = (view: CallerView, alias: string): FieldPlaces => ({
  collation: formulaCollation(view),
  column: (_, name) => column(alias, name),
  keyOf: () => undefined,
});

/** Columns of the team's tables compare by code points already; those of another database as they like. */
export const formulaCollation = ({ model }: CallerView): SqlCollation | undefined =>
  model.source.database === undefined ? undefined : 'C';

export const columnOf = ({ formulas }: CallerView, record: string, attribute: string): string => {
  const expression = formulas.fields.get(record)?.get(attribute);
  if (expression?.kind !== 'column') throw new Error(`${record}.${attribute} is no attribute.`);
  return expression.column;
};

export const writeField = ({ expression }: RecordField, places: FieldPlaces): SqlExpression =>
  writeFormula(expression, places);

/** Of a field, or of a KPI whose aggregates are computed here. */
export const writeFormula = (
  formula: TypedExpression,
  { column: place, keyOf, collation }: FieldPlaces,
): SqlExpression =>
  compileFormula(formula, place, {
    collation,
    presence: (record) => {
      const key = keyOf(record);
      return key === undefined ? undefined : negation({ kind: 'isNull', operand: place(record, key) });
    },
  });

export const withCollation = (operand: SqlExpression, collation: SqlCollation | undefined): SqlExpression =>
  collation ? { kind: 'collate', operand, collation } : operand;

/** What may be null here decides how a condition is written: a column that cannot has the plain operators. */
const writeFilter = (writing: Writing, filter: TypedFilter<RecordField>, around: FieldPlaces): SqlExpression => {
  const places = withRanges(writing, around);
  return compileFilter(
    mapFields(filter, (field) => ({
      ...field,
      nullable: field.expression.nullable || recordsOfField(field).some((record) => places.keyOf(record) !== undefined),
    })),
    (field) => writeField(field, places),
    (range, condition) => writeAny(writing, range, condition, places),
  );
};

export const mapFields = <Field extends RecordFieldLike>(
  filter: TypedFilter<Field>,
  change: (field: Field) => Field,
): TypedFilter<Field> => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map((operand) => mapFields(operand, change)) };
    case 'not':
      return { kind: 'not', operand: mapFields(filter.operand, change) };
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
      return { kind, range, ...(condition && { condition: mapFields(condition, change) }) };
    }
  }
};

type RecordFieldLike = Pick<RecordField, 'type' | 'nullable'>;

export const writeOrder = (order: readonly PlannedOrder[]): readonly SqlOrder[] =>
  order.map((item) => writeItem(item, item.by.kind === 'position' ? item.by.position : writeAttribute(item.by)));

/** The same where every item is a column. */
export const writePlaces = ({ order, places }: Pick<RowsPlan, 'order' | 'places'>): readonly SqlOrder[] =>
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

export const writeAttribute = ({ alias, column: name, collation }: OrderedAttribute): SqlExpression =>
  withCollation(column(alias, name), collation);

/** Nothing for all rows: a limit that PostgreSQL does not know makes it plan for few. */
export const writePage = (page: OffsetPage): Pick<SqlSelect, 'limit' | 'offset'> =>
  page.size === Infinity ? {} : { limit: writeLimit(page), offset: parameter(String(page.offset), 'bigint') };

export const writeLimit = ({ size }: OffsetPage | PageBehind): SqlExpression => parameter(String(size), 'bigint');
