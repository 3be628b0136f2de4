/** Plans queries without a KPI: the number of rows, or the rows. */
import { createFieldChooser, identifyingFields, uniqueFields } from './choose-fields.js';
import { type RefineContext, toFilterArgs, planNewestDayLookup, refineQuery } from './refinement.js';
import { type Plan, createRefusalPlan, type Remarks } from './plan.js';
import type { Interpretation } from './interpretation.js';
import type { Field, Kpi } from './vocabulary.js';

export const planRows = (interpretation: Interpretation, known: RefineContext, remarks: Remarks): Plan => {
  const { vocabulary } = known;
  const records = [
    ...interpretation.records,
    ...interpretation.groups.flatMap((group) => (group.kind === 'record' ? [group.record] : [])),
  ];
  const fields = [
    ...interpretation.fields,
    ...interpretation.groups.flatMap((group) => (group.kind === 'field' ? [group.options] : [])),
  ];
  const says =
    interpretation.values.length +
    interpretation.filters.length +
    interpretation.comparisons.length +
    fields.length +
    records.length;
  if (says === 0) return createRefusalPlan({ why: 'not-understood' });
  const ofValue = interpretation.values.flatMap(({ options }) => options.map(({ field }) => field.record));
  const home = records[0] ?? vocabulary.records.find(({ id }) => id === (fields[0]?.[0]?.record ?? ofValue[0]));
  if (
    !home ||
    interpretation.intents.has('average') ||
    interpretation.ranking ||
    interpretation.intents.has('by-month')
  )
    return createRefusalPlan({ why: 'no-kpi' });
  const waits = planNewestDayLookup({ ...interpretation, kpis: [rowsAsKpi(home.id)] }, known);
  if (waits) return waits;
  const chooser = createFieldChooser(vocabulary, [rowsAsKpi(home.id)], known.avoid);
  const refinement = refineQuery(interpretation, known, chooser, { period: interpretation.periods[0], kpis: [] });
  if ('why' in refinement) return createRefusalPlan(refinement);
  if (refinement.comparisons.length < interpretation.comparisons.length)
    return createRefusalPlan({ why: 'cannot-compare' });
  const isCount = interpretation.intents.has('count');
  // All rows would be counted, whatever is said of them.
  const isFlag = (options: readonly Field[]): boolean =>
    isCount ? options.some(({ type }) => type === 'boolean') : options.every(({ type }) => type === 'boolean');
  if (fields.some(isFlag)) return createRefusalPlan({ why: 'cannot-flag' });
  const narrows =
    interpretation.values.length +
      interpretation.filters.length +
      refinement.comparisons.length +
      interpretation.periods.length >
    0;
  if (!isCount && !narrows && records.length === 0) return createRefusalPlan({ why: 'no-kpi' });
  const asked = isCount ? [] : fields.flatMap((options) => chooser.field(options) ?? []);
  const groups = uniqueFields([...identifyingFields(home), ...asked]);
  if (groups.length === 0) return createRefusalPlan({ why: 'no-kpi' });
  const args = {
    columns: groups.map(({ id }) => id),
    page_size: isCount ? 1 : listedRows,
    ...toFilterArgs(refinement),
  };
  const query = { args, kpis: [], groups, refinement };
  return { kind: isCount ? 'count-rows' : 'rows', query, name: home.name, remarks };
};

const listedRows = 10;
/** Rows are chosen for as a KPI over them is. */
const rowsAsKpi = (record: string): Kpi => ({
  ...{ id: '', name: '', description: '', variants: [], direction: 'None', records: [record] },
});
