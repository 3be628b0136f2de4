/**
 * Interpretation -> plan, or the reason why there is none. Never drops a name of the question: a figure of everything would
 * look like an answer.
 */
import { createFieldChooser, type FieldChooser, isMonthField, uniqueFields } from './choose-fields.js';
import {
  type RefineContext,
  toFilterArgs,
  planNewestDayLookup,
  refineQuery,
  scaleToFieldFormat,
} from './refinement.js';
import { isCountKpi } from './mention.js';
import type { Period } from './periods.js';
import { planDrivers } from './plan-drivers.js';
import { planRows } from './plan-rows.js';
import { type LoadDataQuery, type Plan, type Refusal, createRefusalPlan, type Remarks } from './plan.js';
import type { Interpretation } from './interpretation.js';
import type { Field, Kpi } from './vocabulary.js';

export const makePlan = (interpretation: Interpretation, known: RefineContext): Plan => {
  const { intents, kpis, unknown } = interpretation;
  const names = unknown.filter(({ isName }) => isName).map(({ text }) => text);
  if (intents.has('explain') && kpis.length > 0) return { kind: 'explain', kpis };
  if (kpis.length === 0 && unknown.length > 0)
    return createRefusalPlan({ why: 'unknown-names', words: unknown.map(({ text }) => text) });
  if (names.length > 0) return createRefusalPlan({ why: 'unknown-names', words: names });
  if (intents.has('median') || (intents.has('average') && kpis.some(isSum)))
    return createRefusalPlan({ why: 'cannot-average' });
  const left = kpis.length === 0 ? [] : namesLeftOut(interpretation);
  const remarks = {
    unknown: [...unknown.map(({ text }) => text), ...left],
    isByMonthInstead: intents.has('by-other-time'),
  };
  if (kpis.length === 0) return planRows(interpretation, known, remarks);
  const waits = planNewestDayLookup(interpretation, known);
  if (waits) return waits;
  if (intents.has('drivers')) return planDrivers(interpretation, known, remarks);
  return intents.has('since-when')
    ? planSinceWhen(interpretation, known, remarks)
    : planFigures(interpretation, known, remarks);
};

/** Money and counts: what they are of is added up, and its average another figure. */
const isSum = (kpi: Kpi): boolean => /^[A-Z]{3}$/.test(kpi.unit ?? '') || isCountKpi(kpi);

/** Numbers that were named and are no KPI. */
const namesLeftOut = ({ fields, comparisons }: Interpretation): readonly string[] =>
  fields.flatMap((options) => {
    const [first] = options;
    const isNumber = first !== undefined && (first.type === 'float' || first.unit !== undefined);
    const isCompared = comparisons.some(({ field }) => field?.some(({ id }) => id === first?.id));
    return isNumber && !isCompared ? [first.name] : [];
  });

const planFigures = (interpretation: Interpretation, known: RefineContext, remarks: Remarks): Plan => {
  const { groups, comparisons, ranking, intents } = interpretation;
  const dated =
    interpretation.periods.length > 0 || groups.some(({ kind }) => kind === 'month') || remarks.isByMonthInstead;
  const homes = new Set(interpretation.kpis.map(({ records }) => records[0]));
  const sets = dated && homes.size > 1 ? interpretation.kpis.map((kpi) => [kpi]) : [interpretation.kpis];
  const periods = interpretation.periods.length > 0 ? interpretation.periods : [undefined];
  const results = sets.flatMap((kpis) =>
    periods.map((period) => figuresOf(interpretation, known, kpis, { period, remarks })),
  );
  const missing = results.find((result): result is Refusal => 'why' in result);
  if (missing) return createRefusalPlan(missing);
  const queries = results.filter((result): result is LoadDataQuery => !('why' in result));
  const [comparison] = queries[0]?.groups.length === 0 ? comparisons.filter(({ field }) => !field) : [];
  const kpi = interpretation.kpis[0];
  if (comparison && !intents.has('yes-or-no')) return createRefusalPlan({ why: 'cannot-compare' });
  return {
    kind: 'figures',
    queries,
    isRanked: ranking !== undefined && queries.some((query) => query.groups.length > 0),
    asksTarget: intents.has('target'),
    remarks,
    threshold: comparison && kpi && { comparison, value: scaleToFieldFormat(comparison, kpi) },
  };
};

type PlanRequest = { readonly period?: Period | undefined; readonly remarks: Remarks };

const figuresOf = (
  interpretation: Interpretation,
  known: RefineContext,
  kpis: readonly Kpi[],
  { period, remarks }: PlanRequest,
): LoadDataQuery | Refusal => {
  const chooser = createFieldChooser(known.vocabulary, kpis, known.avoid);
  const columns = columnsOf(interpretation, chooser, remarks);
  if ('why' in columns) return columns;
  const narrowed = refineQuery(interpretation, known, chooser, { period, kpis });
  if ('why' in narrowed) return narrowed;
  const compared = narrowed.values
    .filter(({ values, isNegated }) => values.length > 1 && !isNegated)
    .map(({ field }) => field);
  const groups = uniqueFields([...columns.fields, ...compared]);
  const [first] = kpis;
  const shown =
    groups.length === 0
      ? { ...narrowed, comparisons: narrowed.comparisons.filter(({ of }) => 'record' in of) }
      : narrowed;
  const month = groups.find(isMonthField);
  const { ranking } = interpretation;
  const isOrdered = month === undefined || ranking !== undefined;
  const args = {
    columns: [...groups, ...kpis].map(({ id }) => id),
    ...(groups.length > 0 &&
      isOrdered &&
      first && { order_by: first.id, ascending: isAscending(ranking?.by ?? 'most', first) }),
    ...(month && !isOrdered && { order_by: month.id, ascending: true }),
    ...(ranking && groups.length > 0 && { limit: ranking.limit ?? superlativeRows }),
    page_size: groups.length === 0 ? 1 : month ? rowsOfMonths : rowsMax,
    ...toFilterArgs(shown),
  };
  return { args, kpis, groups, refinement: shown };
};

const rowsMax = 25;
const rowsOfMonths = 100;
/** "The highest" is shown with those that come next. */
const superlativeRows = 5;

const isAscending = (by: 'most' | 'least' | 'best' | 'worst', { direction }: Kpi): boolean => {
  switch (by) {
    case 'most':
      return false;
    case 'least':
      return true;
    case 'best':
      return direction === 'Down';
    case 'worst':
      return direction === 'Up';
  }
};

const columnsOf = (
  { groups }: Interpretation,
  chooser: FieldChooser,
  { isByMonthInstead }: Remarks,
): { readonly fields: readonly Field[] } | Refusal => {
  const wanted =
    isByMonthInstead && groups.every(({ kind }) => kind !== 'month') ? [...groups, { kind: 'month' as const }] : groups;
  const columns = wanted.map((group) => chooser.columns(group));
  if (columns.some((fields) => fields === undefined)) return { why: 'no-month' };
  const fields = uniqueFields(columns.flatMap((found) => found ?? []));
  return fields.some(({ type }) => type === 'float') ? { why: 'cannot-group' } : { fields };
};

const planSinceWhen = (interpretation: Interpretation, known: RefineContext, remarks: Remarks): Plan => {
  const chooser = createFieldChooser(known.vocabulary, interpretation.kpis, known.avoid);
  const [month] = chooser.columns({ kind: 'month' }) ?? [];
  if (!month) return createRefusalPlan({ why: 'no-month' });
  const groups = [...interpretation.groups.filter(({ kind }) => kind !== 'month'), { kind: 'month' as const }];
  const monthly = { ...interpretation, groups, ranking: undefined, kpis: interpretation.kpis.slice(0, 1) };
  const query = figuresOf(monthly, known, monthly.kpis, { period: interpretation.periods[0], remarks });
  if ('why' in query) return createRefusalPlan(query);
  return {
    kind: 'since-when',
    query: { ...query, args: { ...query.args, page_size: rowsOfSeries } },
    month,
    remarks,
  };
};

const rowsOfSeries = 1_000;
