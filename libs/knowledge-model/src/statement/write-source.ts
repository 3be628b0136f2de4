/**
 * The rows of a plan -> FROM, joins and WHERE. Policies of the root stand in WHERE, so that indexes serve them; those of a
 * joined record in its ON condition, so that a hidden row is no row.
 * Refuses: to leave out or add a join; the plan says which there are.
 */
import {
  allOf,
  binary,
  call,
  column,
  parameter,
  type SqlExpression,
  type SqlJoin,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import type { JoinedRecord, PlannedRecord, RowCondition, RowSource, SemiJoin } from '../plan/query-plan.js';
import { wholeMatch } from '../plan/row-condition.js';
import type { ResolvedSearch } from '../query/resolved-query.js';
import { columnOf, type FieldPlaces, placesAt, placesIn, tableOf, writeFilter, type Writing } from './write-fields.js';
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
      return writeFilter(condition.filter, places);
    case 'search':
      return writeSearch(writing, condition, places);
  }
};

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
  const way = wayTo(source, alias);
  return {
    kind: 'select',
    columns: [{ value: column(source.root.alias, rowId) }],
    from: tableOf(writing, source.root),
    joins: way.map((join) => ({ kind: 'cross', source: tableOf(writing, join) })),
    where: allOf([...way.flatMap((join) => relation(writing, source, join)), isOneOf(alias, rows)]),
  };
};

/** From the root on. */
const wayTo = (source: RowSource, alias: string): readonly JoinedRecord[] => {
  const joins = [...source.joins, ...source.semiJoins.flatMap(({ records }) => records)];
  const join = joins.find((candidate) => candidate.alias === alias);
  return join ? [...wayTo(source, join.parent), join] : [];
};

const writePolicies = ({ view }: Writing, { alias, policies }: PlannedRecord): readonly SqlExpression[] =>
  policies.map((policy) => writeFilter(policy, placesAt(view, alias)));

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
