/** A query -> what an engine of columns is asked for it, and the statement of PostgreSQL over what it answers; or why it is not asked. */
import { printPostgres } from '@tessera/sql';
import { planQuery } from '../plan/plan-query.js';
import type { CallerView } from '../query/caller-view.js';
import type { CompiledStatement, DataQuery } from '../query/data-query.js';
import { resolveQuery } from '../query/resolve-query.js';
import { buildGrainSelects, buildGroupCountSelect, buildGroupsSelect } from '../statement/write-groups.js';
import { type ColumnarObstacle, ColumnarObstacleError } from './columnar-obstacle.js';
import type { ColumnarQuery } from './columnar-query.js';
import type { ColumnarGroups } from './columnar-reader.js';
import { type FindColumnarTable, translateGrain } from './translate-grain.js';

export type ColumnarQuestion = {
  /** Each with the number of groups from which on PostgreSQL answers by itself. */
  readonly grains: readonly { readonly query: ColumnarQuery; readonly groupsMax: number }[];
  /** The statement over the groups of each grain, in the same order. */
  readonly compileOver: (groups: readonly ColumnarGroups[]) => CompiledStatement;
};

export type ColumnarCompilation =
  | { readonly isPossible: true; readonly question: ColumnarQuestion }
  | { readonly isPossible: false; readonly obstacle: ColumnarObstacle };

type ColumnarOptions = {
  /** As PostgreSQL knows the one that holds the tables. */
  readonly schema: string;
  /** Which of the statements of the query. */
  readonly statement: 'rows' | 'count';
  /** By the names that the model gives them. */
  readonly find: FindColumnarTable;
};

/** The answer is the same to the byte as that of `compileQuery`, which the query went through before. */
export const compileColumnarQuery = (
  view: CallerView,
  query: DataQuery,
  { schema, statement, find }: ColumnarOptions,
): ColumnarCompilation => {
  if (view.model.source.database !== undefined) return { isPossible: false, obstacle: 'external-database' };
  const resolved = resolveQuery(view, query);
  const plan = resolved.ok ? planQuery(resolved.value) : resolved;
  if (!plan.ok || plan.value.kind !== 'groups') return { isPossible: false, obstacle: 'rows' };
  const writing = { view, schema };
  const grains = statement === 'rows' ? plan.value.grains : (plan.value.countGrains ?? []);
  if (grains.length === 0) return { isPossible: false, obstacle: 'rows' };
  if (grains.some(({ isMultiplied }) => isMultiplied)) return { isPossible: false, obstacle: 'related-rows' };
  try {
    const translated = buildGrainSelects(writing, plan.value, grains).map((select) => translateGrain(select, find));
    const write = statement === 'rows' ? buildGroupsSelect : buildGroupCountSelect;
    const { value: groupsPlan } = plan;
    return {
      isPossible: true,
      question: {
        grains: translated.map(({ query: inner, groupsMax }) => ({ query: inner, groupsMax })),
        compileOver: (groups) =>
          printPostgres(
            write(
              writing,
              groupsPlan,
              translated.map(({ selectGroups }, at) => selectGroups(groups[at] ?? noGroups)),
            ),
          ),
      },
    };
  } catch (error) {
    if (error instanceof ColumnarObstacleError) return { isPossible: false, obstacle: error.obstacle };
    throw error;
  }
};

const noGroups: ColumnarGroups = { rows: 0, columns: [] };
