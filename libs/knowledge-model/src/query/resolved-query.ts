/**
 * A question whose names are known and whose filters are typed: plain data that needs no text any more to be planned.
 * Refuses: ways between records, which are planned next.
 */
import type { TypedFilter } from '@tessera/filter';
import type { CallerView } from './caller-view.js';
import type { Keyset } from './data-query.js';
import type { AskedColumn, QueryField, RecordField } from './query-field.js';

export type ResolvedSearch = {
  readonly term: string;
  /** 0 to 100; 100: the field contains the term. */
  readonly precision: number;
  /** One at least, of type string. */
  readonly fields: readonly RecordField[];
};

export type ResolvedSort = {
  /** The place in `columns`. */
  readonly column: number;
  readonly descending: boolean;
};

export type ResolvedQuery = {
  readonly view: CallerView;
  /** At the level of this record; of the whole model when absent. */
  readonly record?: string;
  /** Fields in the order in which they were asked for, each once, then KPIs; one at least. Those of related records are last. */
  readonly columns: readonly AskedColumn[];
  /** All of them hold, before aggregation. */
  readonly rowFilters: readonly TypedFilter<RecordField>[];
  /** All of them hold, after aggregation: each names a KPI, and of fields only those of `columns`. */
  readonly groupFilters: readonly TypedFilter<QueryField>[];
  readonly search?: ResolvedSearch;
  readonly sort: readonly ResolvedSort[];
  readonly distinct: boolean;
  readonly page: number;
  readonly pageSize: number;
  /** At the level of a record and not of distinct rows only. */
  readonly keyset?: Keyset;
};
