/** What is told of a plan beside its statements. Refuses: SQL. */
import type { ResolvedQuery } from '../query/resolved-query.js';
import type { PlannedRecord, QueryPlan, RowSource } from './query-plan.js';
import { isIndexed, wholeMatch } from './row-condition.js';

const sourcesOf = (plan: QueryPlan): readonly RowSource[] => {
  switch (plan.kind) {
    case 'rows':
      return [plan.source];
    case 'groups':
      return plan.grains.map(({ source }) => source);
  }
};

const recordsIn = ({ root, joins, semiJoins }: RowSource): readonly PlannedRecord[] => [
  root,
  ...joins,
  ...semiJoins.flatMap(({ records }) => records),
];

/** By the names that the model gives them, each once. */
export const tablesOf = (plan: QueryPlan): readonly string[] => {
  const records = sourcesOf(plan).flatMap(recordsIn);
  return [...new Set(records.flatMap(({ record }) => plan.view.model.recordById.get(record)?.table ?? []))];
};

/** The records whose rows are answered or aggregated. */
export const grainOf = (plan: QueryPlan): readonly string[] => {
  switch (plan.kind) {
    case 'rows': {
      const { root, joins } = plan.source;
      return [...new Set([root, ...joins.filter(({ isToMany }) => isToMany)].map(({ record }) => record))];
    }
    case 'groups':
      return plan.grains.map(({ source }) => source.root.record);
  }
};

/** Similarities are numbers of four bytes: 70 per cent are a little less than 0.7 there. */
const roundingMost = 0.000001;

/**
 * The similarity from which on `<%` holds. PostgreSQL believes that comparing texts by trigrams costs as little as comparing
 * numbers and would rather read all rows than the index.
 */
export const settingsOf = ({
  view,
  search,
}: Pick<ResolvedQuery, 'view' | 'search'>): Readonly<Record<string, string>> => {
  if (!search || search.precision === 0) return {};
  const { precision } = search;
  return {
    ...(precision < wholeMatch && {
      'pg_trgm.word_similarity_threshold': (precision / 100 - roundingMost).toFixed(6),
    }),
    ...(isIndexed(view, search) && { enable_seqscan: 'off' }),
  };
};
