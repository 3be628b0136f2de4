/**
 * The arguments of load-data -> the question that they ask, and in which order its columns are answered.
 * Refuses: columns that the caller does not see, the same one twice, an order by what is not asked for; all at once.
 */
import type { LoadDataArguments } from '@tessera/contracts/knowledge-models';
import { nearestName, succeed, type Result } from '@tessera/failures';
import type { CallerView, DataQuery } from '@tessera/knowledge-model';
import type { z } from 'zod';
import { type ArgumentFaults, argumentFaults, refuseArguments } from './argument-faults.js';
import { columnFinder, columnIds, narrowDown } from './narrow-down.js';

export type LoadArguments = z.output<typeof LoadDataArguments>;

export type LoadQuestion = {
  readonly query: DataQuery;
  /** Places of the columns that were asked for among those of the query, fields first; absent when it is the same. */
  readonly order?: readonly number[];
  /** So many rows are answered at most. */
  readonly rowsMax: number;
};

export const readLoad = (view: CallerView, asked: LoadArguments): Result<LoadQuestion> => {
  const faults = argumentFaults();
  checkColumns(view, asked, faults);
  const narrowed = narrowDown(view, asked, faults);
  checkGroups(view, asked, faults);
  if (faults.list.faults.length > 0) return refuseArguments(faults);
  const { columns, page, page_size, limit, order_by, ascending } = asked;
  const isKpi = (id: string): boolean => view.names.kpis.has(id);
  const fields = columns.filter((id) => !isKpi(id));
  const kpis = columns.filter(isKpi);
  const inOrder = [...fields, ...kpis];
  const rowsMax = limit === undefined ? page_size : Math.max(0, Math.min(page_size, limit - page * page_size));
  const query: DataQuery = {
    fields,
    kpis,
    filterExpressions: [],
    ...narrowed,
    ...(order_by !== undefined && { sort: `${ascending ? '+' : '-'}${order_by}` }),
    distinct: false,
    page,
    // Behind the first page a smaller one would begin elsewhere.
    pageSize: page === 0 ? rowsMax : page_size,
  };
  const isSame = inOrder.every((id, index) => columns[index] === id);
  return succeed({ query, rowsMax, ...(!isSame && { order: columns.map((id) => inOrder.indexOf(id)) }) });
};

const checkColumns = (view: CallerView, { columns, order_by }: LoadArguments, faults: ArgumentFaults): void => {
  const { list, unknown } = faults;
  const find = columnFinder(view);
  const first = new Map<string, number>();
  columns.forEach((id, index) => {
    if (first.has(id)) list.add(['columns', index], 'uniqueItems', `"${id}" is named twice`);
    else if (!find(id)) unknown(['columns', index], 'column', id, () => columnIds(view));
    if (!first.has(id)) first.set(id, index);
  });
  if (order_by === undefined) return;
  if (!first.has(order_by)) {
    const message = `"${order_by}" is not one of the columns of this call`;
    list.add(['order_by'], 'enum', message, nearestName(order_by, first.keys()));
  } else if (find(order_by)?.column.sortable === false)
    list.add(['order_by'], 'sortable', `"${order_by}" is not sortable`);
};

/** A condition that joins a KPI with a field by `or` is one of groups, which have only the fields that are asked for. */
const checkGroups = (view: CallerView, { columns, filters }: LoadArguments, { list }: ArgumentFaults): void =>
  filters.forEach((id, index) => {
    const apart = view.names.filters.get(id)?.besideKpis.find((name) => !columns.includes(name));
    if (apart !== undefined)
      list.add(['filters', index], 'group', `"${id}" joins a KPI with a field; name "${apart}" in columns as well`);
  });
