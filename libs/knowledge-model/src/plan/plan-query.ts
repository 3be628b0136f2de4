/**
 * A resolved question -> everything that is to be decided about it: rows or groups, their root, joins, grains, policies,
 * order and page. No later stage decides.
 * Refuses: records that no relationships connect (KM_JOIN_NOTFOUND).
 */
import type { Result } from '@tessera/failures';
import type { ResolvedQuery } from '../query/resolved-query.js';
import { planGroups } from './plan-groups.js';
import { planRows } from './plan-rows.js';
import type { QueryPlan } from './query-plan.js';

export const planQuery = (query: ResolvedQuery): Result<QueryPlan> => {
  const fields = query.columns.flatMap((column) => (column.isKpi ? [] : [column]));
  const kpis = query.columns.flatMap((column) => (column.isKpi ? [column] : []));
  if (kpis.length > 0 || query.groupFilters.length > 0) {
    if (query.keyset) throw new Error('Groups have no place to go on behind.');
    return planGroups(query, fields, kpis);
  }
  return planRows(query, fields);
};
