/**
 * The statements of a plan with KPIs: a page of the groups, and their count. One grain is one grouped select; several are
 * grouped each for itself, joined by `union all`, and grouped again by their keys. Where related rows multiply the rows of
 * a grain, each is taken once for each combination of the keys before anything is computed.
 */
import { compileFilter } from '@tessera/filter';
import {
  allOf,
  callFunction,
  column,
  constant,
  countStar,
  parameter,
  type SqlColumn,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
} from '@tessera/sql';
import { compileFormula } from '../expression/compile-formula.js';
import type { TypedAggregate, TypedExpression } from '../expression/typed-expression.js';
import type { GrainPlan, GroupsPlan, PlannedColumn } from '../plan/query-plan.js';
import type { RequestedField, QueryField } from '../query/query-field.js';
import {
  columnNameOf,
  type FieldResolvers,
  formulaCollation,
  mapFilterFields,
  fieldResolversFor,
  readColumn,
  withCollation,
  buildFieldSql,
  buildFormulaSql,
  buildOrderBy,
  buildLimitAndOffset,
  buildSourceClauses,
  type SqlBuildContext,
  type SqlSourceClauses,
} from './write-clauses.js';

/** `computed`: selects in the place of those of `buildGrainSelects`, with the same columns. */
export const buildGroupsSelect = (
  writing: SqlBuildContext,
  plan: GroupsPlan,
  computed?: readonly SqlSelect[],
): SqlSelect => ({
  ...groupsOf(writing, plan, { grains: plan.grains, computed }, plan.kpis),
  orderBy: buildOrderBy(plan.order),
  ...buildLimitAndOffset(plan.page),
});

export const buildGroupCountSelect = (
  writing: SqlBuildContext,
  plan: GroupsPlan,
  computed?: readonly SqlSelect[],
): SqlSelect => {
  if (!plan.countGrains) return { kind: 'select', columns: [{ value: parameter('1', 'bigint') }] };
  const query = groupsOf(writing, plan, { grains: plan.countGrains, computed }, []);
  return { kind: 'select', columns: [{ value: countStar }], from: { kind: 'query', query, alias: 'groups' } };
};

/** Of each grain its groups: the keys and its aggregates, one row for each combination of the keys. */
export const buildGrainSelects = (
  writing: SqlBuildContext,
  { keys }: GroupsPlan,
  grains: readonly GrainPlan[],
): readonly SqlSelect[] => {
  const names = aggregateNames(grains);
  return grains.map((grain) => branchOf(writing, grain, keys, names));
};

type Grains = { readonly grains: readonly GrainPlan[]; readonly computed: readonly SqlSelect[] | undefined };

const groupsOf = (
  writing: SqlBuildContext,
  plan: GroupsPlan,
  { grains, computed }: Grains,
  kpis: GroupsPlan['kpis'],
): SqlSelect => {
  const [first] = grains;
  const written =
    plan.isCombined || computed || !first
      ? combineGrains(writing, grains, plan.keys, computed ?? buildGrainSelects(writing, plan, grains))
      : writeGrain(writing, first, plan.keys);
  const columns = [
    ...written.keys.map((value) => ({ value })),
    ...kpis.map(({ asked, collation }) => ({
      value: withCollation(written.compile(asked.typed.formula), collation),
    })),
  ];
  const having = plan.conditions.map((condition) =>
    compileFilter(mapFilterFields(condition, nullableKey), sqlOf(plan, written)),
  );
  return {
    kind: 'select',
    columns,
    ...written.source(),
    groupBy: written.keys.length,
    ...(having.length > 0 && { having: allOf(having) }),
  };
};

/** A key may come from a grain in which its record has no row. */
const nullableKey = (field: QueryField): QueryField => (field.isKpi ? field : { ...field, nullable: true });

const sqlOf =
  ({ keys }: GroupsPlan, written: WrittenGrain) =>
  (field: QueryField): SqlExpression => {
    if (field.isKpi) return written.compile(field.typed.formula);
    const at = keys.findIndex(({ asked }) => asked.record === field.record && asked.field === field.field);
    return written.keys[at] ?? constant(null);
  };

const grainsAlias = 'grains';

type AggregateNames = ReadonlyMap<TypedAggregate, string>;

const aggregateNames = (grains: readonly GrainPlan[]): AggregateNames =>
  new Map(grains.flatMap(({ aggregates }) => aggregates).map((one, at) => [one, `a${at + 1}`]));

const combineGrains = (
  writing: SqlBuildContext,
  grains: readonly GrainPlan[],
  keys: GroupsPlan['keys'],
  branches: readonly SqlSelect[],
): WrittenGrain => {
  const names = aggregateNames(grains);
  const aggregate = (wanted: TypedAggregate): SqlExpression => {
    // One grain has it, and one group of that grain; the others have null in its place.
    const value: SqlExpression = {
      kind: 'aggregate',
      function: 'max',
      distinct: false,
      argument: column(grainsAlias, names.get(wanted) ?? ''),
    };
    return wanted.function === 'count' ? callFunction('coalesce', value, parameter('0', 'bigint')) : value;
  };
  return {
    keys: keys.map((_, at) => column(grainsAlias, keyName(at))),
    compile: (formula: TypedExpression) =>
      compileFormula(formula, column, { aggregate, collation: formulaCollation(writing.view) }),
    source: () => ({ from: { kind: 'query', query: unionOf(branches, keys.length), alias: grainsAlias } }),
  };
};

const keyName = (at: number): string => `k${at + 1}`;

const branchOf = (
  writing: SqlBuildContext,
  grain: GrainPlan,
  keys: GroupsPlan['keys'],
  names: AggregateNames,
): SqlSelect => {
  const written = writeGrain(writing, grain, keys);
  const columns = [
    ...written.keys.map((value, at) => ({ value, alias: keyName(at) })),
    ...grain.aggregates.map((one) => ({ value: written.compile(one), alias: names.get(one) ?? '' })),
  ];
  return { kind: 'select', columns, ...written.source(), groupBy: written.keys.length };
};

/**
 * Two at a time: only there PostgreSQL gives the null in the place of an aggregate the type that the aggregate has, which
 * depends on the column that it reads.
 */
const unionOf = ([first, ...others]: readonly SqlSelect[], keyCount: number): SqlQuery => {
  if (!first) throw new Error('A KPI has an aggregate.');
  const start: Union = { query: first, names: namesOf(first) };
  return others.reduce<Union>((laid, branch) => {
    const [left, added] = [selectOf(laid), namesOf(branch).slice(keyCount)];
    const keys = branch.columns.slice(0, keyCount);
    const own = branch.columns.slice(keyCount);
    const queries = [
      { ...left, columns: [...left.columns, ...added.map(nullColumn)] },
      { ...branch, columns: [...keys, ...laid.names.slice(keyCount).map(nullColumn), ...own] },
    ];
    return { query: { kind: 'unionAll', queries }, names: [...laid.names, ...added] };
  }, start).query;
};

type Union = { readonly query: SqlQuery; readonly names: readonly string[] };

const namesOf = ({ columns }: SqlSelect): readonly string[] => columns.map((named) => named.alias ?? '');

const nullColumn = (name: string): SqlColumn => ({ value: constant(null), alias: name });

const selectOf = ({ query, names }: Union): SqlSelect =>
  query.kind === 'select'
    ? query
    : {
        kind: 'select',
        columns: names.map((name) => ({ value: column(grainsAlias, name), alias: name })),
        from: { kind: 'query', query, alias: grainsAlias },
      };

type WrittenGrain = {
  readonly keys: readonly SqlExpression[];
  /** Of a formula that aggregates. */
  readonly compile: (formula: TypedExpression) => SqlExpression;
  /** After every formula is compiled, since it holds what these read. */
  readonly source: () => SqlSourceClauses;
};

type Keys = readonly PlannedColumn<RequestedField>[];

const writeGrain = (writing: SqlBuildContext, grain: GrainPlan, keys: Keys): WrittenGrain => {
  const places = fieldResolversFor(writing.view, grain.source);
  const written = keys.map(({ asked, collation }) => withCollation(buildFieldSql(asked, places), collation));
  if (grain.isMultiplied) return writeDistinctRows(writing, grain, written, places);
  return {
    keys: written,
    compile: (formula) => buildFormulaSql(formula, places),
    source: () => buildSourceClauses(writing, grain.source),
  };
};

const rowsAlias = 'rows';

const writeDistinctRows = (
  writing: SqlBuildContext,
  { source }: GrainPlan,
  keys: readonly SqlExpression[],
  places: FieldResolvers,
): WrittenGrain => {
  const { root } = source;
  const identifier = writing.view.model.recordById.get(root.record)?.identifier ?? [];
  const fixed: readonly SqlColumn[] = [
    ...identifier.map((id, at) => ({
      value: readColumn(writing.view, root.record, root.alias, columnNameOf(writing.view, root.record, id)),
      alias: `i${at + 1}`,
    })),
    ...keys.map((value, at) => ({ value, alias: `k${at + 1}` })),
  ];
  const read = new Map<string, SqlColumn & { readonly alias: string }>();
  const place = (record: string, name: string): SqlExpression => {
    const known = read.get(`${record}.${name}`) ?? { value: places.column(record, name), alias: `c${read.size + 1}` };
    read.set(`${record}.${name}`, known);
    return column(rowsAlias, known.alias);
  };
  return {
    keys: keys.map((_, at) => column(rowsAlias, `k${at + 1}`)),
    compile: (formula) => buildFormulaSql(formula, { ...places, column: place }),
    source: () => ({
      from: {
        kind: 'query',
        query: {
          kind: 'select',
          distinct: true,
          columns: [...fixed, ...read.values()],
          ...buildSourceClauses(writing, source),
        },
        alias: rowsAlias,
      },
    }),
  };
};
