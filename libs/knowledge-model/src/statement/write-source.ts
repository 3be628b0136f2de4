/**
 * The rows of a plan -> FROM, joins and WHERE. Policies of the root stand in WHERE, so that indexes serve them; those of a
 * joined record in its ON condition, so that a hidden row is no row.
 * Refuses: to leave out or add a join; the plan says which there are.
 */
import { allOf, binary, column, type SqlExpression, type SqlJoin, type SqlSelect, type SqlSource } from '@tessera/sql';
import type { JoinedRecord, PlannedRecord, RowSource, SemiJoin } from '../plan/query-plan.js';
import type { CallerView } from '../query/caller-view.js';
import { columnOf, type FieldPlaces, placesAt, placesIn, writeCondition, writeFilter } from './write-fields.js';

/** What a statement is written for: `schema` is the one in which the tables are. */
export type Writing = { readonly view: CallerView; readonly schema: string };

export type WrittenSource = Pick<SqlSelect, 'from' | 'joins' | 'where'>;

export const writeSource = (writing: Writing, source: RowSource): WrittenSource => {
  const { root, joins, conditions, semiJoins } = source;
  const places = placesIn(writing.view, source);
  const where = [
    ...writePolicies(writing, root),
    ...conditions.map((condition) => writeCondition(condition, places)),
    ...semiJoins.map((semiJoin) => writeSemiJoin(writing, source, semiJoin, places)),
  ];
  return {
    from: tableOf(writing, root),
    joins: joins.map((join) => leftJoin(writing, source, join)),
    ...(where.length > 0 && { where: allOf(where) }),
  };
};

const tableOf = ({ view, schema }: Writing, { record, alias }: PlannedRecord): SqlSource => ({
  kind: 'table',
  schema,
  name: view.model.recordById.get(record)?.table ?? '',
  alias,
});

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
    ...conditions.map((condition) => writeCondition(condition, places)),
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
