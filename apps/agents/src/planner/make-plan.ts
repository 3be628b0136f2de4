/**
 * Interpretation -> plan, or the reason why there is none. Never drops a name of the question: a figure of everything would
 * look like an answer.
 */
import { createFieldChooser, type FieldChooser, isDay, isTimeColumn, reaches, uniqueFields } from './choose-fields.js';
import { withSizes } from './bind-comparison.js';
import { aggregateField, countOwners, findFunction, findRecordOfKpi, findSizeFields, isSum } from './find-measure.js';
import {
  type RefineContext,
  toFilterArgs,
  planNewestDayLookup,
  refineQuery,
  scaleToFieldFormat,
} from './refinement.js';
import type { Period } from './periods.js';
import type { PeriodShift } from './period-shift.js';
import { phrases } from './phrases.js';
import { planDrivers } from './plan-drivers.js';
import { planRows } from './plan-rows.js';
import { type FiguresPlan, type LoadDataQuery, type Plan, type Refusal, createRefusalPlan } from './plan.js';
import type { Interpretation } from './interpretation.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';

export const makePlan = (interpretation: Interpretation, known: RefineContext): Plan => {
  const { intents, kpis, unknown, problem } = interpretation;
  if (intents.has('explain') && kpis.length > 0) return { kind: 'explain', kpis };
  if (unknown.length > 0) return createRefusalPlan({ why: 'unknown-names', words: unknown.map(({ text }) => text) });
  if (problem) return createRefusalPlan(problem);
  const measured = measuresOf(interpretation, known.vocabulary);
  if ('why' in measured) return createRefusalPlan(measured);
  if (measured.kpis.length === 0) return planRows(interpretation, known);
  const left = leftOut(interpretation);
  if (left.length > 0) return createRefusalPlan({ why: 'unknown-names', words: left });
  const apart = unrelatedRecord(interpretation, measured.kpis, known.vocabulary);
  if (apart) return createRefusalPlan(apart);
  const asked = { ...interpretation, kpis: measured.kpis, groups: measured.groups };
  const waits = planNewestDayLookup(asked, known, asked.kpis);
  if (waits) return waits;
  if (measured.median) return planMedian(asked, known, measured.median);
  if (intents.has('drivers')) return planDrivers(asked, known);
  return intents.has('since-when') ? planSinceWhen(asked, known) : planFigures(asked, known, measured.quotient);
};

/** A record that was named beside a figure whose rows do not lead to it: the figure would be without it. */
const unrelatedRecord = (
  { records }: Interpretation,
  kpis: readonly Kpi[],
  vocabulary: Vocabulary,
): Refusal | undefined => {
  const homes = kpis.flatMap((kpi) => vocabulary.records.filter(({ id }) => id === kpi.records[0]));
  const apart = records.find(
    ({ id }) => !homes.some((home) => reaches(home, id) || kpis.some((kpi) => kpi.records.includes(id))),
  );
  return apart && homes[0] ? { why: 'not-of-rows', what: apart, home: homes[0].name } : undefined;
};

type Measures = {
  readonly kpis: readonly Kpi[];
  readonly groups: Interpretation['groups'];
  readonly quotient?: Kpi | undefined;
  readonly median?: Field | undefined;
};

const measuresOf = (interpretation: Interpretation, vocabulary: Vocabulary): Measures | Refusal => {
  const { kpis, aggregate, groups, language } = interpretation;
  const say = phrases[language];
  if (aggregate) {
    const [field] = aggregate.options;
    if (!field) return { why: 'no-kpi' };
    if (aggregate.function === 'median')
      return { kpis: [aggregateField(field, 'avg', field.name)], groups, median: field };
    const title = say.aggregate(aggregate.function, field.name);
    return { kpis: [aggregateField(field, aggregate.function, title)], groups };
  }
  const [kpi] = kpis;
  const asked = findFunction(interpretation);
  if (!kpi || asked === undefined || asked === 'sum') return { kpis, groups };
  if (!isSum(kpi)) {
    // The average of a rate is the rate, when it is called one; a delay is none.
    const isCalledRate = !(kpi.format ?? '').endsWith('%') || interpretation.saysRate === true;
    return asked === 'avg' && isCalledRate ? { kpis, groups } : { why: 'cannot-average' };
  }
  const [first, ...others] = groups.filter(({ kind }) => kind === 'record');
  const per = first?.kind === 'record' && others.length === 0 ? first.record : findRecordOfKpi(kpi, vocabulary);
  const home = vocabulary.records.find(({ id }) => id === kpi.records[0]);
  if (!per || !home || kpis.length > 1) return { why: 'cannot-average' };
  const own = groups.filter((group) => group.kind !== 'record' || group.record !== per);
  if (asked !== 'avg') {
    const [size, ...more] = findSizeFields(per);
    if (!size || more.length > 0) return { why: 'cannot-average' };
    if (asked === 'median') return { kpis: [aggregateField(size, 'avg', size.name)], groups: own, median: size };
    return { kpis: [aggregateField(size, asked, say.aggregate(asked, size.name))], groups: own };
  }
  const count = countOwners(home, per);
  if (!count) return { why: 'cannot-average' };
  const quotient = { ...kpi, id: 'quotient', name: say.quotient(kpi.name, per.name), format: ',.2f' };
  return { kpis: [kpi, count], groups: own, quotient };
};

/** Numbers and texts that were named and are no part of what is asked. */
const leftOut = ({ fields, groups }: Interpretation): readonly string[] => {
  const grouped = new Set(groups.flatMap((group) => (group.kind === 'field' ? group.options.map(({ id }) => id) : [])));
  return fields.flatMap((options) => {
    const [first] = options;
    return first && !options.some(isDay) && !options.some(({ id }) => grouped.has(id)) ? [first.name] : [];
  });
};

type Span = { readonly period?: Period | undefined; readonly shift?: PeriodShift['unit'] | undefined };

/** The periods that are looked at, one query each. */
const spansOf = ({ periods, shift, intents }: Interpretation): readonly Span[] => {
  const [first] = periods;
  if (shift?.isAlone) return [{ period: first, shift: shift.unit }];
  if (shift) return [{ period: first ?? yearToDate }, { period: first ?? yearToDate, shift: shift.unit }];
  if (!first && intents.has('trend') && !intents.has('yes-or-no')) return [{}];
  if (!first && intents.has('trend')) return [{ period: yearToDate }, { period: yearToDate, shift: 'year' }];
  return periods.length > 0 ? periods.map((period) => ({ period })) : [{}];
};

const yearToDate: Period = { kind: 'to-date', unit: 'year' };

const planFigures = (interpretation: Interpretation, known: RefineContext, quotient: Kpi | undefined): Plan => {
  const { groups, comparisons, ranking, intents } = interpretation;
  const dated = interpretation.periods.length > 0 || groups.some(({ kind }) => kind === 'time');
  const homes = new Set(interpretation.kpis.map(({ records }) => records[0]));
  const sets = dated && homes.size > 1 && !quotient ? interpretation.kpis.map((kpi) => [kpi]) : [interpretation.kpis];
  const spans = spansOf(interpretation);
  // A rate is a share already.
  const isRate = interpretation.kpis.every(({ format = '' }) => format.endsWith('%'));
  const isShare = intents.has('share') && !isRate;
  const asked = isShare ? partAndWhole(interpretation) : [interpretation];
  if (!asked || (isShare && (!interpretation.kpis.every(isSum) || spans.length > 1 || quotient !== undefined)))
    return createRefusalPlan({ why: 'cannot-share' });
  const results = sets.flatMap((kpis) =>
    spans.flatMap((span) =>
      asked.map((each) => figuresOf(each, known, kpis, { ...span, isQuotient: quotient !== undefined })),
    ),
  );
  const missing = results.find((result): result is Refusal => 'why' in result);
  if (missing) return createRefusalPlan(missing);
  const queries = results.filter((result): result is LoadDataQuery => !('why' in result));
  const [comparison] = queries[0]?.groups.length === 0 ? comparisons.filter(({ field }) => !field) : [];
  const kpi = interpretation.kpis[0];
  if (comparison && !intents.has('yes-or-no')) return createRefusalPlan({ why: 'cannot-compare' });
  const plan: FiguresPlan = {
    kind: 'figures',
    queries,
    isRanked: ranking !== undefined && queries.some((query) => query.groups.length > 0),
    asksTarget: intents.has('target'),
    asksTrend:
      spans.length === 2 && groups.length === 0 && (intents.has('trend') || interpretation.shift !== undefined),
    isShare,
    quotient: quotient && {
      kpi: quotient,
      ...(ranking && { ascending: isAscending(ranking.by, quotient), limit: ranking.limit ?? superlativeRows }),
    },
    threshold: comparison && kpi && { comparison, value: scaleToFieldFormat(comparison, kpi) },
  };
  return plan;
};

/** What rows are like is the part; where they are asked for only by their values, these are. Undefined when nothing narrows them down. */
const partAndWhole = (interpretation: Interpretation): readonly Interpretation[] | undefined => {
  const { values, filters, comparisons } = interpretation;
  const isFlag = ({ options }: Interpretation['values'][number]): boolean =>
    options.every(({ value }) => typeof value !== 'string');
  const flags = values.filter(isFlag);
  if (flags.length + filters.length + comparisons.length > 0)
    return [
      interpretation,
      { ...interpretation, values: values.filter((value) => !isFlag(value)), filters: [], comparisons: [] },
    ];
  if (values.length > 0) return [interpretation, { ...interpretation, values: [] }];
  // Of each group as a part of all.
  return interpretation.groups.length > 0
    ? [interpretation, { ...interpretation, groups: [], ranking: undefined }]
    : undefined;
};

const figuresOf = (
  interpretation: Interpretation,
  known: RefineContext,
  kpis: readonly Kpi[],
  { isQuotient = false, ...span }: Span & { readonly isQuotient?: boolean },
): LoadDataQuery | Refusal => {
  const chooser = createFieldChooser(known.vocabulary, kpis, known.avoid);
  const columns = columnsOf(interpretation, chooser);
  if ('why' in columns) return columns;
  const sized = withSizes(interpretation, chooser, columns.fields.length > 0);
  if ('why' in sized) return sized;
  const narrowed = refineQuery(sized, known, chooser, { ...span, kpis });
  if ('why' in narrowed) return narrowed;
  const compared = narrowed.values
    .filter(({ values, isNegated }) => values.length > 1 && !isNegated)
    .map(({ field }) => field);
  const groups = uniqueFields([...columns.fields, ...(interpretation.intents.has('share') ? [] : compared)]);
  const [first] = kpis;
  const shown =
    groups.length === 0
      ? { ...narrowed, comparisons: narrowed.comparisons.filter(({ of }) => 'record' in of) }
      : narrowed;
  const time = groups.find(isTimeColumn);
  const { ranking } = interpretation;
  const isOrdered = time === undefined || ranking !== undefined;
  const args = {
    columns: [...groups, ...kpis].map(({ id }) => id),
    ...(groups.length > 0 &&
      isOrdered &&
      first && { order_by: first.id, ascending: isAscending(ranking?.by ?? 'most', first) }),
    ...(time && !isOrdered && { order_by: time.id, ascending: true }),
    ...(ranking && groups.length > 0 && !isQuotient && { limit: ranking.limit ?? superlativeRows }),
    page_size: groups.length === 0 ? 1 : time || isQuotient ? rowsOfMonths : rowsMax,
    ...toFilterArgs(shown),
  };
  return { args, kpis, groups, refinement: shown };
};

const rowsMax = 25;
const rowsOfMonths = 200;
/** "The highest" is shown with those that come next. */
const superlativeRows = 5;

const isAscending = (by: NonNullable<Interpretation['ranking']>['by'], { direction }: Kpi): boolean => {
  switch (by) {
    case 'most':
    case 'newest':
      return false;
    case 'least':
    case 'oldest':
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
): { readonly fields: readonly Field[] } | Refusal => {
  const columns = groups.map((group) => ({ group, fields: chooser.columns(group) }));
  const missing = columns.find(({ fields }) => fields === undefined);
  if (missing) return { why: missing.group.kind === 'time' ? 'no-month' : 'cannot-group' };
  const fields = uniqueFields(columns.flatMap(({ fields: found }) => found ?? []));
  // Nobody groups by square metres: a figure per square metre was asked for.
  const isMeasured = fields.some(({ type, unit }) => type === 'float' || (type === 'integer' && unit !== undefined));
  return isMeasured ? { why: 'cannot-group' } : { fields };
};

const planMedian = (interpretation: Interpretation, known: RefineContext, field: Field): Plan => {
  const chooser = createFieldChooser(known.vocabulary, interpretation.kpis, known.avoid);
  const [period, ...others] = interpretation.periods;
  const sized = withSizes(interpretation, chooser, false);
  if ('why' in sized) return createRefusalPlan(sized);
  if (interpretation.groups.length > 0 || others.length > 0 || interpretation.shift)
    return createRefusalPlan({ why: 'cannot-average' });
  const refinement = refineQuery(sized, known, chooser, { period, kpis: [] });
  if ('why' in refinement) return createRefusalPlan(refinement);
  const filters = toFilterArgs({ ...refinement, flags: [...refinement.flags, { field, holds: 'present' }] });
  const args = { columns: [field.id], order_by: field.id, ascending: true, page_size: 1, ...filters };
  return { kind: 'median', field, query: { args, kpis: [], groups: [field], refinement } };
};

const planSinceWhen = (interpretation: Interpretation, known: RefineContext): Plan => {
  const chooser = createFieldChooser(known.vocabulary, interpretation.kpis, known.avoid);
  const time = { kind: 'time', grain: 'month' } as const;
  const [month] = chooser.columns(time) ?? [];
  if (!month) return createRefusalPlan({ why: 'no-month' });
  const groups = [...interpretation.groups.filter(({ kind }) => kind !== 'time'), time];
  const monthly = { ...interpretation, groups, ranking: undefined, kpis: interpretation.kpis.slice(0, 1) };
  const query = figuresOf(monthly, known, monthly.kpis, { period: interpretation.periods[0] });
  if ('why' in query) return createRefusalPlan(query);
  return { kind: 'since-when', query: { ...query, args: { ...query.args, page_size: rowsOfSeries } }, month };
};

const rowsOfSeries = 1_000;
