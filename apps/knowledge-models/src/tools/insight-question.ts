/**
 * The arguments of get-insights -> the question that they ask.
 * Refuses: names that the caller does not see, KPIs that are no numbers, filters by a KPI, which would take values away
 * instead of rows; all at once.
 */
import type { GetInsightsArguments } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { CallerView, InsightQuestion } from '@tessera/knowledge-model';
import type { z } from 'zod';
import { type ArgumentFaults, argumentFaults, refuseArguments } from './argument-faults.js';
import { columnFinder, columnIds, narrowDown } from './narrow-down.js';

export type InsightArguments = z.output<typeof GetInsightsArguments>;

/** Of one field. */
const valuesMax = 1_000;

export const readInsights = (view: CallerView, asked: InsightArguments): Result<InsightQuestion> => {
  const faults = argumentFaults();
  checkNames(view, asked, faults);
  const { filterIds, parsedFilters } = narrowDown(view, asked, faults);
  checkFilters(view, asked, faults);
  if (faults.list.faults.length > 0) return refuseArguments(faults);
  return succeed({ kpi: asked.kpi, fields: asked.field_ids, filterIds, parsedFilters, valuesMax });
};

const checkNames = (view: CallerView, { kpi, field_ids }: InsightArguments, faults: ArgumentFaults): void => {
  const { list, unknown } = faults;
  const { kpis } = view.names;
  const type = kpis.get(kpi)?.type;
  if (type === undefined) unknown(['kpi'], 'KPI', kpi, () => kpis.keys());
  else if (type !== 'integer' && type !== 'float')
    list.add(['kpi'], 'type', `"${kpi}" is of type ${type}; expected a KPI of type integer or float`);
  const find = columnFinder(view);
  field_ids.forEach((id, index) => {
    if (field_ids.indexOf(id) < index) list.add(['field_ids', index], 'uniqueItems', `"${id}" is named twice`);
    else if (find(id)?.isKpi !== false)
      unknown(['field_ids', index], 'field', id, () => columnIds(view).filter((known) => !kpis.has(known)));
  });
};

const checkFilters = (view: CallerView, asked: InsightArguments, { list }: ArgumentFaults): void => {
  const message = (id: string): string => `"${id}" filters by a KPI; insights take filters of fields`;
  asked.filters.forEach((id, index) => {
    if ((view.names.filters.get(id)?.groups ?? []).length > 0) list.add(['filters', index], 'level', message(id));
  });
  for (const [kind, filters] of Object.entries(asked.applied_filters ?? {}))
    filters.forEach(({ column_id }, index) => {
      const path = ['applied_filters', kind, index, 'column_id'];
      if (view.names.kpis.has(column_id)) list.add(path, 'level', message(column_id));
    });
};
