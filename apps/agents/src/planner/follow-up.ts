/** Follow-up questions: what they say replaces what the earlier question said about the same thing; the rest stays. */
import type { Interpretation } from './interpretation.js';

/** Whether it needs what was said before: it begins like one that goes on, or names no figure, and says something. */
export const isFollowUp = (interpretation: Interpretation): boolean => {
  const { intents, kpis, groups, values, filters, periods, ranking } = interpretation;
  if (['help', 'act', 'forecast', 'procedure'].some((intent) => [...intents].some((each) => each === intent)))
    return false;
  const says =
    groups.length + values.length + filters.length + periods.length + interpretation.fields.length > 0 ||
    ranking !== undefined;
  const namesKpi = kpis.length > 0;
  // "Why?"
  if (intents.has('drivers') && isEmptyInterpretation(interpretation)) return interpretation.unknown.length === 0;
  if (!intents.has('follow-up'))
    return !namesKpi && !intents.has('count') && says && interpretation.records.length === 0;
  return namesKpi ? groups.length === 0 && values.length === 0 && periods.length === 0 : true;
};

export const isEmptyInterpretation = ({ kpis, groups, values, filters, periods, ...others }: Interpretation): boolean =>
  [kpis, groups, values, filters, periods, others.fields, others.records, others.comparisons].every(
    ({ length }) => length === 0,
  ) && others.ranking === undefined;

export const mergeInterpretations = (before: Interpretation, now: Interpretation): Interpretation => {
  const fieldsNow = new Set(now.values.flatMap(({ options }) => options.map(({ field }) => field.id)));
  const kept = before.values.filter(({ options }) => !options.some(({ field }) => fieldsNow.has(field.id)));
  const intents = [...before.intents].filter((intent) => keptIntents.has(intent));
  const groups = now.groups.length > 0 ? now.groups : now.fields.length > 0 ? asGroups(now) : before.groups;
  return {
    language: now.language,
    intents: new Set([...intents, ...now.intents]),
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
const asGroups = ({ fields }: Interpretation): Interpretation['groups'] =>
  fields.map((options) => ({ kind: 'field', options }));

const keptIntents: ReadonlySet<string> = new Set(['count', 'target', 'drivers']);
