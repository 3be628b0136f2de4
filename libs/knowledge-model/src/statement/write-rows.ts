/** The statements of a plan for rows: a page of them, and how many there are. Refuses: KPIs. */
import { countRows, type SqlSelect } from '@tessera/sql';
import type { RowsPlan } from '../plan/query-plan.js';
import { placesIn, withCollation, writeField } from './write-fields.js';
import { writeOrder, writePage } from './write-order.js';
import { writeSource, type Writing } from './write-source.js';

export const writeRows = (writing: Writing, plan: RowsPlan): SqlSelect => ({
  ...writeFields(writing, plan),
  orderBy: writeOrder(plan.order),
  ...writePage(plan.page),
});

/** The rows without their order. */
const writeFields = (writing: Writing, { source, columns, distinct }: RowsPlan): SqlSelect => {
  const places = placesIn(writing.view, source);
  return {
    kind: 'select',
    distinct,
    columns: columns.map(({ asked, collation }) => ({ value: withCollation(writeField(asked, places), collation) })),
    ...writeSource(writing, source),
  };
};

export const writeRowCount = (writing: Writing, plan: RowsPlan): SqlSelect => ({
  kind: 'select',
  columns: [{ value: countRows }],
  ...(plan.distinct
    ? { from: { kind: 'query', query: writeFields(writing, plan), alias: 'rows' } }
    : writeSource(writing, plan.countSource)),
});
