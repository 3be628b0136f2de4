/** Follow-up questions: what they say replaces what the earlier question said about the same thing; the rest stays. */
import type { Reading } from './reading.js';

/** Whether it needs what was said before: it begins like one that goes on, or names no figure, and says something. */
export const goesOn = (reading: Reading): boolean => {
  const { wishes, kpis, groups, values, filters, periods, ranking } = reading;
  if (['help', 'act', 'forecast', 'procedure'].some((wish) => [...wishes].some((each) => each === wish))) return false;
  const says =
    groups.length + values.length + filters.length + periods.length + reading.fields.length > 0 ||
    ranking !== undefined;
  const saysKpi = kpis.length > 0;
  // "Why?"
  if (wishes.has('drivers') && saysNothing(reading)) return reading.unknown.length === 0;
  if (!wishes.has('follow-up')) return !saysKpi && !wishes.has('count') && says && reading.records.length === 0;
  return saysKpi ? groups.length === 0 && values.length === 0 && periods.length === 0 : true;
};

export const saysNothing = ({ kpis, groups, values, filters, periods, ...others }: Reading): boolean =>
  [kpis, groups, values, filters, periods, others.fields, others.records, others.comparisons].every(
    ({ length }) => length === 0,
  ) && others.ranking === undefined;

export const joinReadings = (before: Reading, now: Reading): Reading => {
  const fieldsNow = new Set(now.values.flatMap(({ options }) => options.map(({ field }) => field.id)));
  const kept = before.values.filter(({ options }) => !options.some(({ field }) => fieldsNow.has(field.id)));
  const wishes = [...before.wishes].filter((wish) => keptWishes.has(wish));
  const groups = now.groups.length > 0 ? now.groups : now.fields.length > 0 ? asGroups(now) : before.groups;
  return {
    language: now.language,
    wishes: new Set([...wishes, ...now.wishes]),
    kpis: now.kpis.length > 0 ? now.kpis : before.kpis,
    groups,
    values: [...kept, ...now.values],
    filters: [...new Map([...before.filters, ...now.filters].map((filter) => [filter.id, filter])).values()],
    periods: now.periods.length > 0 ? now.periods : before.periods,
    comparisons: now.comparisons.length > 0 ? now.comparisons : before.comparisons,
    ranking: now.ranking ?? (now.groups.length > 0 ? undefined : before.ranking),
    records: now.records.length > 0 ? now.records : before.records,
    fields: now.fields.length > 0 ? [] : before.fields,
    unknown: now.unknown,
  };
};

/** "And the plants?" asks for them. */
const asGroups = ({ fields }: Reading): Reading['groups'] => fields.map((options) => ({ kind: 'field', options }));

const keptWishes: ReadonlySet<string> = new Set(['count', 'target', 'drivers']);
