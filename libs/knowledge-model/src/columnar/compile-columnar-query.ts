/** A query -> what an engine of columns is asked for it, and the statement of PostgreSQL over what it answers; or why it is not asked. */
import type { CallerView } from '../query/caller-view.js';
import type { CompiledStatement, DataQuery } from '../query/data-query.js';
import { type GrainStatementOptions, openGrainStatement } from '../statement/grain-statement.js';
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

type ColumnarOptions = GrainStatementOptions & {
  /** By the names that the model gives them. */
  readonly find: FindColumnarTable;
};

/** The answer is the same to the byte as that of `compileQuery`, which the query went through before. */
export const compileColumnarQuery = (
  view: CallerView,
  query: DataQuery,
  { find, ...options }: ColumnarOptions,
): ColumnarCompilation => {
  if (view.model.source.database !== undefined) return { isPossible: false, obstacle: 'external-database' };
  const statement = openGrainStatement(view, query, options);
  if (!statement) return { isPossible: false, obstacle: 'rows' };
  if (statement.grains.some(({ isMultiplied }) => isMultiplied)) return { isPossible: false, obstacle: 'related-rows' };
  try {
    const translated = statement.selects.map((select) => translateGrain(select, find));
    return {
      isPossible: true,
      question: {
        grains: translated.map(({ query: inner, groupsMax }) => ({ query: inner, groupsMax })),
        compileOver: (groups) =>
          statement.compileOver(translated.map(({ selectGroups }, at) => selectGroups(groups[at] ?? noGroups))),
      },
    };
  } catch (error) {
    if (error instanceof ColumnarObstacleError) return { isPossible: false, obstacle: error.obstacle };
    throw error;
  }
};

const noGroups: ColumnarGroups = { rows: 0, columns: [] };
