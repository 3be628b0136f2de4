/** Plans queries without a KPI: the number of rows, or the rows. */
import { chooseFields, tellingFields, uniqueFields } from './choose-fields.js';
import { filtersOf, type Known, narrow } from './narrow.js';
import { type Plan, refuse, type Remarks } from './plan.js';
import type { Reading } from './reading.js';
import type { Field, Kpi } from './vocabulary.js';
import { waitsFor } from './wait-for-newest.js';

export const planRows = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const { vocabulary } = known;
  const records = [
    ...reading.records,
    ...reading.groups.flatMap((group) => (group.kind === 'record' ? [group.record] : [])),
  ];
  const fields = [
    ...reading.fields,
    ...reading.groups.flatMap((group) => (group.kind === 'field' ? [group.options] : [])),
  ];
  const says =
    reading.values.length + reading.filters.length + reading.comparisons.length + fields.length + records.length;
  if (says === 0) return refuse({ why: 'not-understood' });
  const ofValue = reading.values.flatMap(({ options }) => options.map(({ field }) => field.record));
  const home = records[0] ?? vocabulary.records.find(({ id }) => id === (fields[0]?.[0]?.record ?? ofValue[0]));
  if (!home || reading.wishes.has('average') || reading.ranking || reading.wishes.has('by-month'))
    return refuse({ why: 'no-kpi' });
  const waits = waitsFor({ ...reading, kpis: [rowsAsKpi(home.id)] }, known);
  if (waits) return waits;
  const chooser = chooseFields(vocabulary, [rowsAsKpi(home.id)], known.avoid);
  const narrowing = narrow(reading, known, chooser, { period: reading.periods[0], kpis: [] });
  if ('why' in narrowing) return refuse(narrowing);
  if (narrowing.comparisons.length < reading.comparisons.length) return refuse({ why: 'cannot-compare' });
  const isCount = reading.wishes.has('count');
  // All rows would be counted, whatever is said of them.
  const isFlag = (options: readonly Field[]): boolean =>
    isCount ? options.some(({ type }) => type === 'boolean') : options.every(({ type }) => type === 'boolean');
  if (fields.some(isFlag)) return refuse({ why: 'cannot-flag' });
  const narrows =
    reading.values.length + reading.filters.length + narrowing.comparisons.length + reading.periods.length > 0;
  if (!isCount && !narrows && records.length === 0) return refuse({ why: 'no-kpi' });
  const asked = isCount ? [] : fields.flatMap((options) => chooser.field(options) ?? []);
  const groups = uniqueFields([...tellingFields(home), ...asked]);
  if (groups.length === 0) return refuse({ why: 'no-kpi' });
  const args = { columns: groups.map(({ id }) => id), page_size: isCount ? 1 : listedRows, ...filtersOf(narrowing) };
  const question = { args, kpis: [], groups, narrowing };
  return { kind: isCount ? 'count-rows' : 'rows', question, name: home.name, remarks };
};

const listedRows = 10;
/** Rows are chosen for as a KPI over them is. */
const rowsAsKpi = (record: string): Kpi => ({
  ...{ id: '', name: '', description: '', variants: [], direction: 'None', records: [record] },
});
