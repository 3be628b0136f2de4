/**
 * A question and the model as its caller sees it -> the question with its names known and its filters typed, or what of
 * it leads nowhere and what would be right.
 * Refuses: ways between records (planning), and bounds of the wire (contracts).
 */
import { type Result, succeed } from '@tessera/failures';
import type { CallerView } from './caller-view.js';
import type { DataQuery } from './data-query.js';
import { resolveLevel } from './query-level.js';
import { resolveColumns, resolveRelated } from './resolve-columns.js';
import { resolveFilters } from './resolve-filters.js';
import type { ResolvedQuery } from './resolved-query.js';
import { resolveSearch } from './resolve-search.js';
import { resolveSort } from './resolve-sort.js';

export const resolveQuery = (view: CallerView, query: DataQuery): Result<ResolvedQuery> => {
  const level = resolveLevel(view, query.record);
  if (!level.ok) return level;
  const columns = resolveColumns(level.value, query);
  if (!columns.ok) return columns;
  const related = resolveRelated(level.value, query);
  if (!related.ok) return related;
  const filters = resolveFilters(level.value, columns.value, query);
  if (!filters.ok) return filters;
  const search = resolveSearch(level.value, columns.value, query.search);
  if (!search.ok) return search;
  const sort = resolveSort(level.value, columns.value, query.sort);
  if (!sort.ok) return sort;
  const { distinct, page, pageSize, keyset } = query;
  return succeed({
    view,
    ...(query.record !== undefined && { record: query.record }),
    columns: related.value.length > 0 ? [...columns.value, ...related.value] : columns.value,
    rowFilters: filters.value.rows,
    groupFilters: filters.value.groups,
    ...(search.value && { search: search.value }),
    sort: sort.value,
    distinct,
    page,
    pageSize,
    ...(keyset && { keyset }),
  });
};
