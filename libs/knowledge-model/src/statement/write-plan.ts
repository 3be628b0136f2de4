/**
 * A plan -> its two statements: the rows of the page, and how many there are on all pages.
 * Refuses: decisions; everything that could be otherwise is in the plan.
 */
import type { SqlSelect } from '@tessera/sql';
import type { QueryPlan } from '../plan/query-plan.js';
import { writeGroupCount, writeGroups } from './write-groups.js';
import { writeRowCount, writeRows } from './write-rows.js';

/** `schema`: the one in which the tables are. */
export const writePlan = (
  plan: QueryPlan,
  { schema }: { readonly schema: string },
): { readonly rows: SqlSelect; readonly count: SqlSelect } => {
  const writing = { view: plan.view, schema };
  switch (plan.kind) {
    case 'rows':
      return { rows: writeRows(writing, plan), count: writeRowCount(writing, plan) };
    case 'groups':
      return { rows: writeGroups(writing, plan), count: writeGroupCount(writing, plan) };
  }
};
