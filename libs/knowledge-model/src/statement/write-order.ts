/** The order and the page of a plan. Refuses: a place of nulls where there are none, which would keep indexes from serving. */
import { column, parameter, type SqlExpression, type SqlOrder, type SqlSelect } from '@tessera/sql';
import type { OffsetPage, PlannedOrder, PlannedPage, RowsPlan } from '../plan/query-plan.js';
import { withCollation } from './write-fields.js';

export const writeOrder = (order: readonly PlannedOrder[]): readonly SqlOrder[] =>
  order.map((item) => writeItem(item, item.by.kind === 'position' ? item.by.position : writeAttribute(item.by)));

/** The same where every item is a column. */
export const writePlaces = ({ order, places }: Pick<RowsPlan, 'order' | 'places'>): readonly SqlOrder[] =>
  order.flatMap((item, at) => {
    const place = places[at];
    return place ? [writeItem(item, place.column + 1)] : [];
  });

const writeItem = ({ descending, nullable }: PlannedOrder, by: SqlOrder['by']): SqlOrder => ({
  by,
  descending,
  ...(nullable && { nulls: descending ? 'last' : 'first' }),
});

type OrderedAttribute = PlannedOrder['by'] & { readonly kind: 'attribute' };

export const writeAttribute = ({ alias, column: name, collation }: OrderedAttribute): SqlExpression =>
  withCollation(column(alias, name), collation);

export const writePage = (page: OffsetPage): Pick<SqlSelect, 'limit' | 'offset'> => ({
  limit: writeLimit(page),
  offset: parameter(String(page.offset), 'bigint'),
});

export const writeLimit = ({ size }: PlannedPage): SqlExpression => parameter(String(size), 'bigint');
