/**
 * Interpretation -> plan, or the reason why there is none. Never drops a name of the question: a figure of everything would
 * look like an answer.
 */
import { chooseFields, type Chooser, isMonth, uniqueFields } from './choose-fields.js';
import { filtersOf, type Known, narrow, valueFor } from './narrow.js';
import { isCountKpi } from './mention.js';
import type { Period } from './periods.js';
import { planDrivers } from './plan-drivers.js';
import { planRows } from './plan-rows.js';
import { type LoadQuestion, type Plan, type Refusal, refuse, type Remarks } from './plan.js';
import type { Reading } from './reading.js';
import type { Field, Kpi } from './vocabulary.js';
import { waitsFor } from './wait-for-newest.js';

export const makePlan = (reading: Reading, known: Known): Plan => {
  const { wishes, kpis, unknown } = reading;
  const names = unknown.filter(({ isName }) => isName).map(({ text }) => text);
  if (wishes.has('explain') && kpis.length > 0) return { kind: 'explain', kpis };
  if (kpis.length === 0 && unknown.length > 0)
    return refuse({ why: 'unknown-names', words: unknown.map(({ text }) => text) });
  if (names.length > 0) return refuse({ why: 'unknown-names', words: names });
  if (wishes.has('median') || (wishes.has('average') && kpis.some(isSum))) return refuse({ why: 'cannot-average' });
  const left = kpis.length === 0 ? [] : leftOut(reading);
  const remarks = {
    unknown: [...unknown.map(({ text }) => text), ...left],
    isByMonthInstead: wishes.has('by-other-time'),
  };
  if (kpis.length === 0) return planRows(reading, known, remarks);
  const waits = waitsFor(reading, known);
  if (waits) return waits;
  if (wishes.has('drivers')) return planDrivers(reading, known, remarks);
  return wishes.has('since-when') ? planSinceWhen(reading, known, remarks) : planFigures(reading, known, remarks);
};

/** Money and counts: what they are of is added up, and its average another figure. */
const isSum = (kpi: Kpi): boolean => /^[A-Z]{3}$/.test(kpi.unit ?? '') || isCountKpi(kpi);

/** Numbers that were named and are no KPI. */
const leftOut = ({ fields, comparisons }: Reading): readonly string[] =>
  fields.flatMap((options) => {
    const [first] = options;
    const isNumber = first !== undefined && (first.type === 'float' || first.unit !== undefined);
    const isCompared = comparisons.some(({ field }) => field?.some(({ id }) => id === first?.id));
    return isNumber && !isCompared ? [first.name] : [];
  });

const planFigures = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const { groups, comparisons, ranking, wishes } = reading;
  const dated = reading.periods.length > 0 || groups.some(({ kind }) => kind === 'month') || remarks.isByMonthInstead;
  const homes = new Set(reading.kpis.map(({ records }) => records[0]));
  const sets = dated && homes.size > 1 ? reading.kpis.map((kpi) => [kpi]) : [reading.kpis];
  const periods = reading.periods.length > 0 ? reading.periods : [undefined];
  const questions = sets.flatMap((kpis) =>
    periods.map((period) => figuresOf(reading, known, kpis, { period, remarks })),
  );
  const missing = questions.find((question): question is Refusal => 'why' in question);
  if (missing) return refuse(missing);
  const asked = questions.filter((question): question is LoadQuestion => !('why' in question));
  const [comparison] = asked[0]?.groups.length === 0 ? comparisons.filter(({ field }) => !field) : [];
  const kpi = reading.kpis[0];
  if (comparison && !wishes.has('yes-or-no')) return refuse({ why: 'cannot-compare' });
  return {
    kind: 'figures',
    questions: asked,
    isRanked: ranking !== undefined && asked.some((question) => question.groups.length > 0),
    asksTarget: wishes.has('target'),
    remarks,
    threshold: comparison && kpi && { comparison, value: valueFor(comparison, kpi) },
  };
};

type Wanted = { readonly period?: Period | undefined; readonly remarks: Remarks };

const figuresOf = (
  reading: Reading,
  known: Known,
  kpis: readonly Kpi[],
  { period, remarks }: Wanted,
): LoadQuestion | Refusal => {
  const chooser = chooseFields(known.vocabulary, kpis, known.avoid);
  const columns = columnsOf(reading, chooser, remarks);
  if ('why' in columns) return columns;
  const narrowed = narrow(reading, known, chooser, { period, kpis });
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
  const month = groups.find(isMonth);
  const { ranking } = reading;
  const isOrdered = month === undefined || ranking !== undefined;
  const args = {
    columns: [...groups, ...kpis].map(({ id }) => id),
    ...(groups.length > 0 &&
      isOrdered &&
      first && { order_by: first.id, ascending: isAscending(ranking?.by ?? 'most', first) }),
    ...(month && !isOrdered && { order_by: month.id, ascending: true }),
    ...(ranking && groups.length > 0 && { limit: ranking.limit ?? superlativeRows }),
    page_size: groups.length === 0 ? 1 : month ? rowsOfMonths : rowsMax,
    ...filtersOf(shown),
  };
  return { args, kpis, groups, narrowing: shown };
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
  { groups }: Reading,
  chooser: Chooser,
  { isByMonthInstead }: Remarks,
): { readonly fields: readonly Field[] } | Refusal => {
  const wanted =
    isByMonthInstead && groups.every(({ kind }) => kind !== 'month') ? [...groups, { kind: 'month' as const }] : groups;
  const columns = wanted.map((group) => chooser.columns(group));
  if (columns.some((fields) => fields === undefined)) return { why: 'no-month' };
  const fields = uniqueFields(columns.flatMap((found) => found ?? []));
  return fields.some(({ type }) => type === 'float') ? { why: 'cannot-group' } : { fields };
};

const planSinceWhen = (reading: Reading, known: Known, remarks: Remarks): Plan => {
  const chooser = chooseFields(known.vocabulary, reading.kpis, known.avoid);
  const [month] = chooser.columns({ kind: 'month' }) ?? [];
  if (!month) return refuse({ why: 'no-month' });
  const groups = [...reading.groups.filter(({ kind }) => kind !== 'month'), { kind: 'month' as const }];
  const asked = { ...reading, groups, ranking: undefined, kpis: reading.kpis.slice(0, 1) };
  const question = figuresOf(asked, known, asked.kpis, { period: reading.periods[0], remarks });
  if ('why' in question) return refuse(question);
  return {
    kind: 'since-when',
    question: { ...question, args: { ...question.args, page_size: rowsOfSeries } },
    month,
    remarks,
  };
};

const rowsOfSeries = 1_000;
