/** The refinements of a query (values, flags, filters, days, figures), as text for answers and as arguments of tools. */
import { type FieldChooser, createFieldChooser, isDay } from './choose-fields.js';
import type { Comparison } from './cues.js';
import type { DayRange } from './days.js';
import type { Interpretation } from './interpretation.js';
import type { JsonObject } from './json.js';
import { type Period, toDayRange } from './periods.js';
import { shiftRange, type PeriodShift } from './period-shift.js';
import { type Plan, type Refinement, type Refusal, createRefusalPlan } from './plan.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';

export type RefineContext = {
  readonly vocabulary: Vocabulary;
  /** Today, or the newest day of the data; undefined before it was asked for. */
  readonly newest?: string | undefined;
  /** Fields that tools could not join. */
  readonly avoid: ReadonlySet<string>;
};

/** Days that were named beside the period: "with due date in May". */
const findNamedDates = ({ fields, groups }: Interpretation): readonly Field[] =>
  [...fields, ...groups.flatMap((group) => (group.kind === 'field' ? [group.options] : []))]
    .find((options) => options.some(isDay))
    ?.filter(isDay) ?? [];

type RefineOptions = {
  readonly period?: Period | undefined;
  readonly shift?: PeriodShift['unit'] | undefined;
  readonly kpis: readonly Kpi[];
};

/** All that narrows the rows down; nothing of it is ever left out. */
export const refineQuery = (
  interpretation: Interpretation,
  known: RefineContext,
  chooser: FieldChooser,
  { period, shift, kpis }: RefineOptions,
): Refinement | Refusal => {
  const date = chooser.date(findNamedDates(interpretation));
  if (period && !date) return { why: 'no-period' };
  const values = new Map<string, Refinement['values'][number]>();
  const flags: Refinement['flags'][number][] = [];
  for (const { options, isNegated } of interpretation.values) {
    const field = chooser.field(options.map((option) => option.field));
    const value = options.find((option) => option.field.id === field?.id)?.value;
    if (!field || value === undefined)
      return { why: 'not-of-rows', what: options[0]?.field, home: chooser.home?.name ?? '' };
    if (typeof value !== 'string') {
      flags.push({ field, holds: value === null ? (isNegated ? 'present' : 'missing') : !isNegated });
      continue;
    }
    const before = values.get(field.id)?.values ?? [];
    values.set(field.id, { field, values: [...new Set([...before, value])], isNegated });
  }
  const [kpi] = kpis;
  const comparisons: Refinement['comparisons'][number][] = [];
  for (const comparison of interpretation.comparisons) {
    const numeric = comparison.field && chooser.field(comparison.field);
    if (comparison.field && !numeric)
      return { why: 'not-of-rows', what: comparison.field[0], home: chooser.home?.name ?? '' };
    const of = numeric ?? kpi;
    if (!of) return { why: 'cannot-compare' };
    comparisons.push({ of, comparison, value: numeric ? comparison.value : scaleToFieldFormat(comparison, of) });
  }
  const range = period && toDayRange(period, known.newest ?? '');
  const days = range && date ? { field: date, days: shift ? shiftRange(range, shift) : range } : undefined;
  return { values: [...values.values()], flags, filters: interpretation.filters, days, comparisons };
};

/** Rates are parts of one. */
export const scaleToFieldFormat = (
  { value, unit }: Comparison,
  { format = '' }: { readonly format?: string | undefined },
): number =>
  format.endsWith('%') && (unit === 'percent' || value > 1) ? Number((value / 100).toPrecision(12)) : value;

/** Members without a filter are left out. */
export const toFilterArgs = ({ values, flags, filters, days, comparisons }: Refinement): JsonObject => {
  const texts = values.map(({ field, values: each, isNegated }) => ({
    column_id: field.id,
    values: each,
    ...(isNegated && { negation: true }),
  }));
  const numbers = comparisons.map(({ of, comparison, value }) => ({
    column_id: of.id,
    value,
    comparator: comparison.comparator,
  }));
  const dates = days ? [{ column_id: days.field.id, ...toDateArgs(days.days) }] : [];
  const isTrue = flags.flatMap(({ field, holds }) =>
    typeof holds === 'boolean' ? [{ column_id: field.id, value: holds }] : [],
  );
  const isNull = flags.flatMap(({ field, holds }) =>
    typeof holds === 'boolean' ? [] : [{ column_id: field.id, is_null: holds === 'missing' }],
  );
  const applied = {
    ...(texts.length > 0 && { string_filters: texts }),
    ...(numbers.length > 0 && { numeric_filters: numbers }),
    ...(dates.length > 0 && { date_filters: dates }),
    ...(isTrue.length > 0 && { boolean_filters: isTrue }),
    ...(isNull.length > 0 && { null_filters: isNull }),
  };
  return {
    ...(Object.keys(applied).length > 0 && { applied_filters: applied }),
    ...(filters.length > 0 && { filters: filters.map(({ id }) => id) }),
  };
};

const toDateArgs = ({ from, to }: DayRange): JsonObject => ({
  ...(from !== undefined && { start_date: from }),
  ...(to !== undefined && { end_date: to }),
});

/** Undefined when nothing has to be known first. */
export const planNewestDayLookup = (
  interpretation: Interpretation,
  { vocabulary, newest, avoid }: RefineContext,
  kpis: readonly Kpi[],
): Plan | undefined => {
  if (newest !== undefined || interpretation.periods.every(({ kind }) => kind === 'days')) return undefined;
  const field = createFieldChooser(vocabulary, kpis, avoid).date(findNamedDates(interpretation));
  return field ? { kind: 'newest-day', field } : createRefusalPlan({ why: 'no-period' });
};
