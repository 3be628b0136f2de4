/**
 * A question for a sample of a record's rows -> the statements of its summary: the sample, the figures of its
 * attributes over all rows that match, and for each text or moment the most frequent value.
 */
import { type Result, succeed } from '@tessera/failures';
import { printPostgres } from '@tessera/sql';
import { compileResolvedQuery } from '../compile-query.js';
import { planRows } from '../plan/plan-query.js';
import { type CallerView, type QueryLevel, resolveQueryLevel } from '../query/caller-view.js';
import type { CompiledQuery, CompiledStatement, DataQuery } from '../query/data-query.js';
import type { RequestedField } from '../query/query-field.js';
import { type QueryFault, refuseQuery, succeedUnlessFaults } from '../query/query-fault.js';
import { resolveFieldNames, resolveQuery } from '../query/resolve-query.js';
import type { SqlBuildContext } from '../statement/write-clauses.js';
import {
  type ComputedFigure,
  figuresOf,
  isCountedByValue,
  isNumericType,
  buildFiguresSelect,
  buildTopValueSelect,
} from './write-summary.js';

/** One row: how many rows there are, then what the figures of each field are read from, in the order of both lists. */
type FiguresStatement = CompiledStatement & {
  readonly fields: readonly { readonly id: string; readonly figures: readonly ComputedFigure[] }[];
};

/** At most one row: the most frequent value, how often it is there, and how many values there are. */
type TopStatement = CompiledStatement & { readonly field: string };

export type CompiledSummary = Pick<CompiledQuery, 'tables' | 'settings'> & {
  readonly sample: CompiledQuery;
  /** One at least. */
  readonly figures: readonly FiguresStatement[];
  readonly tops: readonly TopStatement[];
};

/** `sample`: at the level of a record. `excluded`: ids of fields that it is not about. */
export const compileSummary = (
  view: CallerView,
  sample: DataQuery,
  excluded: readonly string[],
  { schema }: { readonly schema: string },
): Result<CompiledSummary> => {
  const level = resolveQueryLevel(view, sample.record);
  if (!level.ok) return level;
  const fields = keptFields(level.value, sample.fields, excluded);
  if (!fields.ok) return fields;
  const resolved = resolveQuery(view, { ...sample, fields: fields.value.map(({ field }) => field) });
  if (!resolved.ok) return resolved;
  const compiled = compileResolvedQuery(resolved.value, { schema });
  if (!compiled.ok) return compiled;
  const plan = planRows(resolved.value, fields.value);
  if (!plan.ok) return plan;
  const attributes = fields.value.filter(({ expression }) => expression.kind === 'column');
  const { tables, settings } = compiled.value;
  return succeed({
    sample: compiled.value,
    tables,
    settings,
    figures: chunksOf(attributes).map((part) => compileFigures({ view, schema }, plan.value, part)),
    tops: attributes
      .filter(({ type }) => isCountedByValue(type))
      .map((field) => ({
        field: field.field,
        ...printPostgres(buildTopValueSelect({ view, schema }, plan.value, field)),
      })),
  });
};

const keptFields = (
  level: QueryLevel,
  asked: DataQuery['fields'],
  excluded: readonly string[],
): Result<readonly RequestedField[]> => {
  const { view, record } = level;
  const faults: QueryFault[] = [];
  const all = [...(view.names.fields.get(record?.id ?? '')?.values() ?? [])].map(({ ofRecord }) => ofRecord);
  const named = asked === 'all' ? all : resolveFieldNames(level, asked, 'fields', faults);
  const without = new Set(resolveFieldNames(level, excluded, 'excludeFields', faults).map(({ field }) => field));
  const kept = named.filter(({ field }) => !without.has(field));
  if (faults.length > 0 || kept.length > 0) return succeedUnlessFaults(faults, kept);
  const message = 'Every field is left out; name one at least that excludeFields does not name.';
  return refuseQuery({ code: 'GENERAL_PARAMETER_MISSMATCH', path: 'excludeFields', rule: 'missing', message });
};

/** PostgreSQL answers at most 1,664 columns. */
const fieldsOfStatement = 200;
/** Percentiles sort all values of a field, which for many fields of many rows takes longer than a statement may. */
const numbersOfStatement = 5;

/** One at least, which counts the rows. */
const chunksOf = (fields: readonly RequestedField[]): readonly (readonly RequestedField[])[] => {
  const chunks: RequestedField[][] = [[]];
  for (const field of fields) {
    const last = chunks.at(-1) ?? [];
    const numbers = last.filter(({ type }) => isNumericType(type)).length;
    const isFull = last.length >= fieldsOfStatement || (numbers >= numbersOfStatement && isNumericType(field.type));
    if (isFull) chunks.push([field]);
    else last.push(field);
  }
  return chunks;
};

const compileFigures = (
  writing: SqlBuildContext,
  plan: Parameters<typeof buildFiguresSelect>[1],
  fields: readonly RequestedField[],
): FiguresStatement => {
  const asked = fields.map((field) => ({ field, figures: figuresOf(field.type) }));
  return {
    ...printPostgres(buildFiguresSelect(writing, plan, asked)),
    fields: asked.map(({ field, figures }) => ({ id: field.field, figures })),
  };
};
