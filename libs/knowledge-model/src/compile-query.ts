/**
 * A question to a model -> SQL, on one screen: names are resolved, everything is decided, statements are made, printed.
 */
import { fail, type Result, succeed } from '@tessera/failures';
import { printPostgres, type SqlSelect, type SqlValue } from '@tessera/sql';
import { planQuery } from './plan/plan-query.js';
import {
  grainRecordsOf,
  maxPlanWeight,
  type QueryPlan,
  type RowsPlan,
  sessionSettingsFor,
  tablesOf,
  planWeightOf,
  wholeMatchScore,
} from './plan/query-plan.js';
import type { CallerView } from './query/caller-view.js';
import type {
  CompiledQuery,
  CompiledStatement,
  DataQuery,
  LinkValues,
  ResolvedQuery,
  LinkRowColumns,
} from './query/data-query.js';
import { refuseQuery } from './query/query-fault.js';
import { resolveQuery } from './query/resolve-query.js';
import { buildGroupCountSelect, buildGroupsSelect } from './statement/write-groups.js';
import { linkParameterNames, buildRowCountSelect, buildRowsSelect } from './statement/write-rows.js';

/** `schema`: as PostgreSQL knows the one that holds the tables. */
type Place = { readonly schema: string };

export const compileQuery = (view: CallerView, query: DataQuery, place: Place): Result<CompiledQuery> => {
  const resolved = resolveQuery(view, query);
  return resolved.ok ? compileResolvedQuery(resolved.value, place) : resolved;
};

export const compileResolvedQuery = (resolved: ResolvedQuery, place: Place): Result<CompiledQuery> => {
  const { columns, sort, search, view } = resolved;
  if (view.reading?.hasTrigrams === false && search && search.precision > 0 && search.precision < wholeMatchScore)
    return noTrigrams;
  const plan = planQuery(resolved);
  if (!plan.ok) return plan;
  if (planWeightOf(plan.value) > maxPlanWeight) return tooLarge;
  const { rows, count } = buildPlanSelects(plan.value, place);
  return succeed({
    columns: columns.map(({ column }) => column),
    rows: printPostgres(rows),
    count: printPostgres(count),
    tables: tablesOf(plan.value),
    order: plan.value.kind === 'rows' ? plan.value.places : [],
    related: plan.value.kind === 'rows' ? plan.value.related : [],
    links: plan.value.kind === 'rows' ? plan.value.links : [],
    ...(plan.value.kind === 'rows' && plan.value.page.kind === 'shares' && { share: sharePlaces(plan.value) }),
    sort: sort.map(({ column, descending }) => `${descending ? '-' : '+'}${columns[column]?.column.id}`),
    grain: grainRecordsOf(plan.value),
    settings: sessionSettingsFor(plan.value, resolved),
  });
};

/** Behind all else that the rows bring. */
const sharePlaces = ({ columns, places }: RowsPlan): LinkRowColumns => {
  const link = Math.max(columns.length, ...places.map(({ column }) => column + 1));
  return { link, number: link + 1, count: link + 2 };
};

/** Of rows that are read as shares: of each of these links `size` rows at most. Their places count links from 1. */
export const bindLinkParameters = (
  { text, values, late = new Map() }: CompiledStatement,
  links: readonly LinkValues[],
  { skip, size }: { readonly skip: number; readonly size: number },
): CompiledStatement => {
  const given = new Map<string, SqlValue>([
    [linkParameterNames.numbers, links.map((_, index) => index + 1)],
    [linkParameterNames.last, String(skip + size)],
    ...(links[0] ?? []).map((_, at) => [linkParameterNames.values(at), links.map((link) => link[at] ?? '')] as const),
  ]);
  const complete = [...values];
  for (const [name, place] of late) complete[place] = given.get(name) ?? [];
  return { text, values: complete };
};

const noTrigrams = refuseQuery({
  code: 'GENERAL_PARAMETER_ILLEGAL',
  path: 'searchPrecision',
  rule: 'trigrams',
  message:
    'The database of this knowledge model has no extension pg_trgm, which tells how alike texts are; ask with searchPrecision=100.',
});

const tooLarge = fail(
  'GENERAL_CONSTRAINT_VIOLATION',
  'With the formulas of all that it names the question is too large; ask for fewer fields, KPIs and conditions at once.',
);

/** `schema`: the one in which the tables are. */
export const buildPlanSelects = (
  plan: QueryPlan,
  { schema }: { readonly schema: string },
): { readonly rows: SqlSelect; readonly count: SqlSelect } => {
  const writing = { view: plan.view, schema };
  switch (plan.kind) {
    case 'rows':
      return { rows: buildRowsSelect(writing, plan), count: buildRowCountSelect(writing, plan) };
    case 'groups':
      return { rows: buildGroupsSelect(writing, plan), count: buildGroupCountSelect(writing, plan) };
  }
};
