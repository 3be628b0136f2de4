/** What get-insights answers: the KPI over all rows and for each value of each field, measured and ranked. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import type { GetInsightsArguments } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { type CallerView, type CompiledInsights, compileInsights, type InsightQuery } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import pMap from 'p-map';
import type { z } from 'zod';
import type { RecordedResult } from '../evidence/keep-evidence.js';
import { QueryPreparer, type PreparedQuery } from '../queries/query-preparer.js';
import { encoderFor } from '../queries/encode-value.js';
import { QueryRunner } from '../queries/query-runner.js';
import {
  mapToToolArgumentFailure,
  type ArgumentFaultCollector,
  createArgumentFaultCollector,
  failInvalidArguments,
  createColumnFinder,
  listColumnIds,
  readToolFilters,
} from './tool-arguments.js';

/** Of the connections that all queries share. */
const statementsAtOnce = 3;

export type ReadInsights = {
  readonly prepared: PreparedQuery<CompiledInsights>;
  /** The members of the answer before its insights, as JSON without the last brace. */
  readonly head: string;
  /** JSON of each. */
  readonly entries: readonly string[];
  /** As PostgreSQL sent it. */
  readonly overall: string | null;
};

@Injectable()
export class InsightsReader {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  async read(
    caller: Caller,
    modelId: string,
    asked: InsightsInput,
    signal: AbortSignal,
  ): Promise<Result<ReadInsights>> {
    const prepared = await this.models.prepare(caller, modelId, ({ view, schema }) => compileFor(view, schema, asked));
    if (!prepared.ok) return prepared;
    const rows = await this.#measure(prepared.value, signal);
    return succeed({ prepared: prepared.value, ...presentInsights(prepared.value.compiled, rows, asked.limit) });
  }

  /** The rows of the overall statement, then those of each field. */
  #measure({ compiled, prepareStatement }: PreparedQuery<CompiledInsights>, signal: AbortSignal) {
    const statements = [compiled.overall, ...compiled.fields.map(({ values }) => values)];
    return pMap(statements, (statement) => this.runner.texts(prepareStatement(statement), signal), {
      concurrency: statementsAtOnce,
    });
  }
}

/** The insights in the place of rows. */
export const recordedInsights = ({ prepared, entries, overall }: ReadInsights): RecordedResult => ({
  rowCount: entries.length,
  rowsDigest: createHash('sha256').update(entries.join(',')).digest(),
  figures: [{ id: prepared.compiled.kpi.id, value: overall }],
});

const compileFor = (view: CallerView, schema: string, asked: InsightsInput): Result<CompiledInsights> => {
  const question = parseInsightArguments(view, asked);
  return question.ok ? mapToToolArgumentFailure(compileInsights(view, question.value, { schema })) : question;
};

type Rows = readonly TextRow[];

const presentInsights = (
  compiled: CompiledInsights,
  [overallRows, ...ofFields]: readonly Rows[],
  limit: number,
): Pick<ReadInsights, 'head' | 'entries' | 'overall'> => {
  const { kpi, isAdditive, fields } = compiled;
  const [overallRow] = overallRows ?? [];
  const overall = parseMeasurement(overallRow?.[0], overallRow?.[1]);
  const values = ofFields.flatMap((rows, field) =>
    rows.map(([value = null, ...figures]) => ({ field, value, ...parseMeasurement(figures[0], figures[1]) })),
  );
  const insights = rankByContribution(overall, values, isAdditive).slice(0, limit);
  const told = {
    kpi: { id: kpi.id, display_name: kpi.name, ...(kpi.unit !== undefined && { unit: kpi.unit }) },
    overall_value: overall.kpi,
    contribution_is: isAdditive ? 'part of the sum' : 'weighted difference',
  };
  const entries = insights.map((insight) => presentInsight(insight, fields[insight.field]?.field));
  return { head: JSON.stringify(told).slice(0, -1), entries, overall: overallRow?.[0] ?? null };
};

const presentInsight = (
  { value, kpi, share, contribution }: RankedValue,
  field: CompiledInsights['fields'][number]['field'] | undefined,
): string => {
  const json = value === null || !field ? 'null' : encoderFor(field.type, field.exact)(value);
  const named = JSON.stringify({ field_id: field?.id, field_display_name: field?.name }).slice(0, -1);
  const figures = JSON.stringify({ kpi_value: kpi, share_of_rows: share, contribution }).slice(1);
  return `${named},"value":${json},${figures}`;
};

const parseMeasurement = (kpi: string | null | undefined, rows: string | null | undefined): KpiMeasurement => ({
  kpi: numberOf(kpi),
  rows: numberOf(rows) ?? 0,
});

const numberOf = (text: string | null | undefined): number | null => {
  const value = text === null || text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
};

export type InsightsInput = z.output<typeof GetInsightsArguments>;

/** Of one field. */
const valuesMax = 1_000;

export const parseInsightArguments = (view: CallerView, asked: InsightsInput): Result<InsightQuery> => {
  const faults = createArgumentFaultCollector();
  checkNames(view, asked, faults);
  const { filterIds, parsedFilters } = readToolFilters(view, asked, faults);
  checkFilters(view, asked, faults);
  if (faults.list.faults.length > 0) return failInvalidArguments(faults);
  return succeed({ kpi: asked.kpi, fields: asked.field_ids, filterIds, parsedFilters, valuesMax });
};

const checkNames = (view: CallerView, { kpi, field_ids }: InsightsInput, faults: ArgumentFaultCollector): void => {
  const { list, unknown } = faults;
  const { kpis } = view.names;
  const type = kpis.get(kpi)?.type;
  if (type === undefined) unknown(['kpi'], 'KPI', kpi, () => kpis.keys());
  else if (type !== 'integer' && type !== 'float')
    list.add(['kpi'], 'type', `"${kpi}" is of type ${type}; expected a KPI of type integer or float`);
  const find = createColumnFinder(view);
  field_ids.forEach((id, index) => {
    if (field_ids.indexOf(id) < index) list.add(['field_ids', index], 'uniqueItems', `"${id}" is named twice`);
    else if (find(id)?.isKpi !== false)
      unknown(['field_ids', index], 'field', id, () => listColumnIds(view).filter((known) => !kpis.has(known)));
  });
};

const checkFilters = (view: CallerView, asked: InsightsInput, { list }: ArgumentFaultCollector): void => {
  const message = (id: string): string => `"${id}" filters by a KPI; insights take filters of fields`;
  asked.filters.forEach((id, index) => {
    if ((view.names.filters.get(id)?.groups ?? []).length > 0) list.add(['filters', index], 'level', message(id));
  });
  for (const [kind, filters] of Object.entries(asked.applied_filters ?? {}))
    filters.forEach(({ column_id }, index) => {
      const path = ['applied_filters', kind, index, 'column_id'];
      if (view.names.kpis.has(column_id)) list.add(path, 'level', message(column_id));
    });
};

/**
 * What a KPI is over all rows and over those with each value of a field -> how much each value contributes, the largest
 * contribution first.
 */
export type KpiMeasurement = {
  readonly kpi: number | null;
  readonly rows: number;
};

type MeasuredValue = KpiMeasurement & {
  /** Its place among the requested fields. */
  readonly field: number;
  /** As PostgreSQL sent it. */
  readonly value: string | null;
};

export type RankedValue = MeasuredValue & { readonly share: number; readonly contribution: number | null };

/** `addsUp`: a contribution is a part of the sum, else the difference to the overall value times the share of rows. */
export const rankByContribution = (
  overall: KpiMeasurement,
  values: readonly MeasuredValue[],
  addsUp: boolean,
): readonly RankedValue[] =>
  values
    .map((value) => {
      const share = overall.rows > 0 ? value.rows / overall.rows : 0;
      return { ...value, share, contribution: addsUp ? (value.kpi ?? 0) : differenceOf(overall, value, share) };
    })
    .sort((left, right) => sizeOf(right) - sizeOf(left) || left.field - right.field || right.rows - left.rows);

const differenceOf = (overall: KpiMeasurement, { kpi }: KpiMeasurement, share: number): number | null =>
  kpi === null || overall.kpi === null ? null : (kpi - overall.kpi) * share;

/** What is not known is last. */
const sizeOf = ({ contribution }: RankedValue): number => (contribution === null ? -1 : Math.abs(contribution));
