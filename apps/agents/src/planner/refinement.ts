/** The refinements of a query (values, filters, days, figures), as text for answers and as arguments of tools. */
import { type FieldChooser, createFieldChooser, isMonthField } from './choose-fields.js';
import type { Comparison } from './cues.js';
import type { DayRange } from './days.js';
import type { Interpretation } from './interpretation.js';
import type { JsonObject } from './json.js';
import { type Period, toDayRange } from './periods.js';
import { type Plan, type Refinement, type Refusal, createRefusalPlan } from './plan.js';
import type { Field, Kpi, Vocabulary } from './vocabulary.js';

export type RefineContext = {
  readonly vocabulary: Vocabulary;
  /** The newest day of the data; undefined before it was asked for. */
  readonly newest?: string | undefined;
  /** Fields that tools could not join. */
  readonly avoid: ReadonlySet<string>;
};

/** A day that was named beside the period: "with due date in May". */
export const findNamedDateField = ({ fields, groups }: Interpretation): Field | undefined =>
  [...fields, ...groups.flatMap((group) => (group.kind === 'field' ? [group.options] : []))]
    .flat()
    .find((field) => ['date', 'datetime', 'timestamp'].includes(field.type) && !isMonthField(field));

type RefineOptions = { readonly period?: Period | undefined; readonly kpis: readonly Kpi[] };

export const refineQuery = (
  interpretation: Interpretation,
  known: RefineContext,
  chooser: FieldChooser,
  { period, kpis }: RefineOptions,
): Refinement | Refusal => {
  const date = findNamedDateField(interpretation) ?? chooser.date();
  if (period && !date) return { why: 'no-period' };
  const values = new Map<string, Refinement['values'][number]>();
  for (const { options, isNegated } of interpretation.values) {
    const field = chooser.field(options.map((option) => option.field));
    if (!field) continue;
    const value = options.find((option) => option.field.id === field.id)?.value ?? '';
    const before = values.get(field.id)?.values ?? [];
    values.set(field.id, { field, values: [...new Set([...before, value])], isNegated });
  }
  const [kpi] = kpis;
  const comparisons = interpretation.comparisons.flatMap((comparison) => {
    const numeric = chooser.field(
      (comparison.field ?? []).filter(({ type }) => type === 'integer' || type === 'float'),
    );
    const of = numeric ?? kpi;
    return of ? [{ of, comparison, value: numeric ? comparison.value : scaleToFieldFormat(comparison, of) }] : [];
  });
  const days = period && date ? { field: date, days: daysOf(period, known) } : undefined;
  return { values: [...values.values()], filters: interpretation.filters, days, comparisons };
};

const daysOf = (period: Period, { newest = '' }: RefineContext): DayRange => toDayRange(period, newest);

/** Rates are parts of one. */
export const scaleToFieldFormat = (
  { value, unit }: Comparison,
  { format = '' }: { readonly format?: string | undefined },
): number =>
  format.endsWith('%') && (unit === 'percent' || value > 1) ? Number((value / 100).toPrecision(12)) : value;

/** Members without a filter are left out. */
export const toFilterArgs = ({ values, filters, days, comparisons }: Refinement): JsonObject => {
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
  const dates = days ? [{ column_id: days.field.id, ...startOf(days.days) }] : [];
  const applied = {
    ...(texts.length > 0 && { string_filters: texts }),
    ...(numbers.length > 0 && { numeric_filters: numbers }),
    ...(dates.length > 0 && { date_filters: dates }),
  };
  return {
    ...(Object.keys(applied).length > 0 && { applied_filters: applied }),
    ...(filters.length > 0 && { filters: filters.map(({ id }) => id) }),
  };
};

const startOf = ({ from, to }: DayRange): JsonObject => ({
  ...(from !== undefined && { start_date: from }),
  ...(to !== undefined && { end_date: to }),
});

/** Undefined when nothing has to be known first. */
export const planNewestDayLookup = (
  interpretation: Interpretation,
  { vocabulary, newest, avoid }: RefineContext,
): Plan | undefined => {
  if (newest !== undefined || interpretation.periods.every(({ kind }) => kind === 'days')) return undefined;
  const field = findNamedDateField(interpretation) ?? createFieldChooser(vocabulary, interpretation.kpis, avoid).date();
  return field ? { kind: 'newest-day', field } : createRefusalPlan({ why: 'no-period' });
};
