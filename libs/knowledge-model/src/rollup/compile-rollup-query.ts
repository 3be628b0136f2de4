/** A query -> the statement that answers it from rollups, to the byte as `compileQuery` would; or what each rollup lacks. */
import type { SqlSelect } from '@tessera/sql';
import type { GrainPlan } from '../plan/query-plan.js';
import type { CallerView } from '../query/caller-view.js';
import type { CompiledStatement, DataQuery } from '../query/data-query.js';
import { type GrainStatementOptions, openGrainStatement } from '../statement/grain-statement.js';
import { fitRollup, type RollupObstacle, rollupObstacles, type RollupTable } from './fit-rollup.js';
import { openRollupGrains, type RollupGrain } from './rollup-grain.js';

/** Why there is no table of a rollup. */
export type RollupAbsence =
  /** Not yet. */
  | 'not-made'
  | 'too-many-groups'
  /** A row was joined to several. */
  | 'multiplied'
  | 'failed';

export type FindRollupTable = (grain: RollupGrain) => RollupTable | RollupAbsence;

export type UnfitRollup = { readonly rollup: string; readonly reason: RollupObstacle | RollupAbsence };

export type RollupCompilation =
  | { readonly isPossible: true; readonly statement: CompiledStatement; readonly rollups: readonly string[] }
  | { readonly isPossible: false; readonly unfit: readonly UnfitRollup[] };

type RollupOptions = GrainStatementOptions & { readonly find: FindRollupTable };

export const compileRollupQuery = (
  view: CallerView,
  query: DataQuery,
  { schema, statement, find }: RollupOptions,
): RollupCompilation => {
  const kept = view.rollups
    .flatMap((rollup) => openRollupGrains(rollup, schema))
    .map((grain): Kept => ({ grain, table: find(grain) }));
  // Nothing is planned once more where there is no table to make it of.
  const absent = kept.flatMap(absenceOf);
  if (absent.length === kept.length) return { isPossible: false, unfit: furthest(absent) };
  const opened = openGrainStatement(view, query, { schema, statement });
  if (!opened) return { isPossible: false, unfit: [] };
  const choices = opened.grains.map((plan, at) => chooseRollup(opened.selects[at], plan, kept));
  const chosen = choices.flatMap((choice) => (choice.isFound ? [choice] : []));
  if (chosen.length < choices.length)
    return { isPossible: false, unfit: furthest(choices.flatMap((choice) => (choice.isFound ? [] : choice.unfit))) };
  return {
    isPossible: true,
    statement: opened.compileOver(chosen.map(({ select }) => select)),
    rollups: [...new Set(chosen.map(({ rollup }) => rollup))],
  };
};

type Kept = { readonly grain: RollupGrain; readonly table: RollupTable | RollupAbsence };
const absenceOf = ({ grain: { rollup }, table }: Kept): readonly UnfitRollup[] =>
  typeof table === 'string' ? [{ rollup, reason: table }] : [];

type Choice =
  | { readonly isFound: true; readonly rollup: string; readonly select: SqlSelect }
  | { readonly isFound: false; readonly unfit: readonly UnfitRollup[] };

/** Of those that fit the one with the fewest rows. */
const chooseRollup = (select: SqlSelect | undefined, plan: GrainPlan, kept: readonly Kept[]): Choice => {
  const unfit: UnfitRollup[] = [];
  let best: { readonly rollup: string; readonly select: SqlSelect; readonly rows: number } | undefined;
  for (const { grain, table } of kept) {
    const { rollup } = grain;
    if (typeof table === 'string' || !select) {
      unfit.push({ rollup, reason: typeof table === 'string' ? table : 'joins' });
      continue;
    }
    const fit = fitRollup(select, plan, grain, table);
    if (!fit.fits) unfit.push({ rollup, reason: fit.obstacle });
    else if (!best || table.rows < best.rows) best = { rollup, select: fit.select, rows: table.rows };
  }
  return best ? { isFound: true, ...best } : { isFound: false, unfit };
};

/** Of each rollup what is told of its nearest grain: one of other rows says nothing. */
const furthest = (unfit: readonly UnfitRollup[]): readonly UnfitRollup[] => {
  const found = new Map<string, UnfitRollup>();
  for (const one of unfit) {
    const known = found.get(one.rollup);
    if (!known || stageOf(one) > stageOf(known)) found.set(one.rollup, one);
  }
  return [...found.values()];
};

const stageOf = ({ reason }: UnfitRollup): number => {
  const stage = rollupObstacles.findIndex((obstacle) => obstacle === reason);
  return stage < 0 ? rollupObstacles.length : stage;
};
