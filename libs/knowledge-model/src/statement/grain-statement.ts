/** A statement of a question about groups, taken apart: the select of each grain, and the statement over other selects in their places. */
import { printPostgres, type SqlSelect } from '@tessera/sql';
import { planQuery } from '../plan/plan-query.js';
import type { GrainPlan } from '../plan/query-plan.js';
import type { CallerView } from '../query/caller-view.js';
import type { CompiledStatement, DataQuery } from '../query/data-query.js';
import { resolveQuery } from '../query/resolve-query.js';
import { buildGrainSelects, buildGroupCountSelect, buildGroupsSelect } from './write-groups.js';

export type GrainStatementOptions = {
  /** As PostgreSQL knows the one that holds the tables. */
  readonly schema: string;
  /** Which of the statements of the query. */
  readonly statement: 'rows' | 'count';
};

export type GrainStatement = {
  /** One at least. */
  readonly grains: readonly GrainPlan[];
  /** Of each grain, in the same order. */
  readonly selects: readonly SqlSelect[];
  /** `computed`: of each grain, with the same columns. */
  readonly compileOver: (computed: readonly SqlSelect[]) => CompiledStatement;
};

/** Undefined when the statement reads no groups. */
export const openGrainStatement = (
  view: CallerView,
  query: DataQuery,
  { schema, statement }: GrainStatementOptions,
): GrainStatement | undefined => {
  const resolved = resolveQuery(view, query);
  const planned = resolved.ok ? planQuery(resolved.value) : resolved;
  if (!planned.ok || planned.value.kind !== 'groups') return undefined;
  const plan = planned.value;
  const grains = statement === 'rows' ? plan.grains : (plan.countGrains ?? []);
  if (grains.length === 0) return undefined;
  const writing = { view, schema };
  const write = statement === 'rows' ? buildGroupsSelect : buildGroupCountSelect;
  return {
    grains,
    selects: buildGrainSelects(writing, plan, grains),
    compileOver: (computed) => printPostgres(write(writing, plan, computed)),
  };
};
