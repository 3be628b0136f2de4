/** Whether the groups of a statement can be made of rollups of its model, and what is told of those that do not fit. */
import { compileRollupQuery, type RollupCompilation, type UnfitRollup } from '@tessera/knowledge-model';
import type { Rollups } from '../rollups/rollups.js';
import type { PreparedStatement } from './query-preparer.js';

export const chooseRollup = (
  rollups: Pick<Rollups, 'find'>,
  { grouped, source }: Pick<PreparedStatement, 'grouped' | 'source'>,
): RollupCompilation => {
  if (!grouped) return { isPossible: false, unfit: [] };
  const { view, query, statement } = grouped;
  const { schema } = source;
  return compileRollupQuery(view, query, { schema, statement, find: (grain) => rollups.find(source, grain) });
};

/** Sentences; empty when there is nothing to tell. */
export const describeUnfitRollups = (unfit: readonly UnfitRollup[]): string =>
  unfit.map(({ rollup, reason }) => `The rollup ${rollup} is not used: ${reasonTexts[reason]}.`).join(' ');

const reasonTexts: Readonly<Record<UnfitRollup['reason'], string>> = {
  joins: 'it is of rows of other records, or the caller sees some of its related rows alone',
  keys: 'the question groups by what is not among its fields',
  conditions: 'a condition or a policy reads what is not among its fields',
  aggregates: 'a KPI is not among its own, or cannot be made of those of its groups',
  'not-made': 'it is not made yet for the rows that are loaded',
  'too-many-groups': 'it has too many groups to be made',
  multiplied: 'a row of its records has several rows of another that it should have one of',
  failed: 'it could not be made; the log of the service says why',
};
