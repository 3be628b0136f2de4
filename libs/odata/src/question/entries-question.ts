/**
 * A request for entries, understood: the question to the model, and what of its answer is shown.
 * Refuses: to know how rows are read.
 */
import type { DataQuery } from '@tessera/knowledge-model';
import type { EntityProperty, EntityType } from '../model/entity-model.js';

export type EntriesQuestion = {
  readonly type: EntityType;
  /** Asks for the shown fields first; one row more than a page holds, so that the last page is known as such. */
  readonly query: DataQuery;
  /** In the order of `query.fields`. */
  readonly shown: readonly EntityProperty[];
  /** Whether `$select` chose them. */
  readonly isSelected: boolean;
  /** Entries of a page. */
  readonly pageSize: number;
  /** The page size that the client preferred, when it was heeded. */
  readonly preferred?: number;
  /** Whether the answer says how many match. */
  readonly isCounted: boolean;
};
