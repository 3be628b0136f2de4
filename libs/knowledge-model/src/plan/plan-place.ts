/**
 * Which rows of an order are the page: so many from a number on, or those behind a row that told its place. The values of
 * a place are not looked at, only which of them are there.
 * Refuses: places of another order.
 */
import { type Result, succeed } from '@tessera/failures';
import type { OrderPlace } from '../query/compiled-query.js';
import type { RecordField } from '../query/query-field.js';
import { refuse } from '../query/query-fault.js';
import type { ResolvedQuery } from '../query/resolved-query.js';
import { planPage } from './plan-order.js';
import type { PageBehind, PlannedOrder, PlannedPage } from './query-plan.js';

export const placesOf = (order: readonly PlannedOrder[], fields: readonly RecordField[]): readonly OrderPlace[] => {
  let next = fields.length;
  return order.map(({ by, descending }) =>
    by.kind === 'attribute'
      ? { column: next++, type: by.type, descending }
      : { column: by.position - 1, type: fields[by.position - 1]?.type ?? 'string', descending },
  );
};

export const planRowsPage = (
  query: ResolvedQuery,
  order: readonly PlannedOrder[],
  fields: readonly RecordField[],
): Result<PlannedPage> => {
  const { keyset, pageSize: size } = query;
  if (!keyset) return succeed(planPage(query));
  const { skip, after } = keyset;
  if (!after) return succeed({ kind: 'offset', size, offset: BigInt(skip) });
  if (after.length !== order.length) return refuse(placeElsewhere);
  return succeed({ kind: 'behind', size, values: after, isDivided: isDivided(query, order, fields, after) });
};

const placeElsewhere = {
  code: 'GENERAL_PARAMETER_ILLEGAL',
  path: '$skiptoken',
  rule: 'order',
  message: 'The $skiptoken is of another order; ask for the first page again, without $skiptoken.',
} as const;

/**
 * Only where an index brings both parts in order, which is of a column and then the identifier. Else the rows without a
 * value would be sorted for every page.
 */
const isDivided = (
  { sort }: ResolvedQuery,
  [first]: readonly PlannedOrder[],
  fields: readonly RecordField[],
  [value = null]: PageBehind['values'],
): boolean => {
  if (!first?.nullable || sort.length > 1) return false;
  const isColumn = first.by.kind === 'attribute' || fields[first.by.position - 1]?.expression.kind === 'column';
  return isColumn && (value === null) !== first.descending;
};
