/** The order and the page of a plan. Refuses: a place of nulls where there are none, which would keep indexes from serving. */
import { column, parameter, type SqlOrder, type SqlSelect } from '@tessera/sql';
import type { PlannedOrder, PlannedPage } from '../plan/query-plan.js';
import { withCollation } from './write-fields.js';

export const writeOrder = (order: readonly PlannedOrder[]): readonly SqlOrder[] =>
  order.map(({ by, descending, nullable }) => ({
    by: by.kind === 'position' ? by.position : withCollation(column(by.alias, by.column), by.collation),
    descending,
    ...(nullable && { nulls: descending ? 'last' : 'first' }),
  }));

export const writePage = ({ size, offset }: PlannedPage): Pick<SqlSelect, 'limit' | 'offset'> => ({
  limit: parameter(String(size), 'bigint'),
  offset: parameter(String(offset), 'bigint'),
});
