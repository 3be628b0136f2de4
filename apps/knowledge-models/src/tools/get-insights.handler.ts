/** The tool get-insights: which values of fields drive a KPI. What was computed is kept as every other result is. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { getInsights } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { type CallerView, type CompiledInsights, compileInsights } from '@tessera/knowledge-model';
import { jsonType, type OperationContext, Serves } from '@tessera/messaging';
import type { TextRow } from '@tessera/persistence';
import pMap from 'p-map';
import { QueryPreparer, type PreparedQuery } from '../queries/query-preparer.js';
import { encoderFor } from '../queries/encode-value.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { QueryRunner } from '../queries/query-runner.js';
import { withArgumentPaths } from './argument-faults.js';
import { type InsightArguments, readInsights } from './insight-question.js';
import { type Measured, type WeighedValue, weighValues } from './weigh-values.js';

/** Of the connections that all queries share. */
const statementsAtOnce = 3;

@Controller()
export class GetInsightsHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  @Serves(getInsights)
  find(
    { km_id, arguments: asked }: RequestOf<typeof getInsights>,
    { caller, signal }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const prepared = await this.models.prepare(caller, km_id, ({ view, schema }) => compileFor(view, schema, asked));
      if (!prepared.ok) return prepared;
      const rows = await this.#measure(prepared.value, signal);
      return succeed({ contentType: jsonType, body: Buffer.from(present(prepared.value.compiled, rows, asked.limit)) });
    });
  }

  /** The rows of the overall statement, then those of each field. */
  #measure({ compiled, prepareStatement }: PreparedQuery<CompiledInsights>, signal: AbortSignal) {
    const statements = [compiled.overall, ...compiled.fields.map(({ values }) => values)];
    return pMap(statements, (statement) => this.runner.texts(prepareStatement(statement), signal), {
      concurrency: statementsAtOnce,
    });
  }
}

const compileFor = (view: CallerView, schema: string, asked: InsightArguments): Result<CompiledInsights> => {
  const question = readInsights(view, asked);
  return question.ok ? withArgumentPaths(compileInsights(view, question.value, { schema })) : question;
};

type Rows = readonly TextRow[];

const present = (compiled: CompiledInsights, [overallRows, ...ofFields]: readonly Rows[], limit: number): string => {
  const { kpi, isAdditive, fields } = compiled;
  const [overallRow] = overallRows ?? [];
  const overall = measured(overallRow?.[0], overallRow?.[1]);
  const values = ofFields.flatMap((rows, field) =>
    rows.map(([value = null, ...figures]) => ({ field, value, ...measured(figures[0], figures[1]) })),
  );
  const insights = weighValues(overall, values, isAdditive).slice(0, limit);
  const told = {
    kpi: { id: kpi.id, display_name: kpi.name, ...(kpi.unit !== undefined && { unit: kpi.unit }) },
    overall_value: overall.kpi,
    contribution_is: isAdditive ? 'part of the sum' : 'weighted difference',
  };
  const entries = insights.map((insight) => presentInsight(insight, fields[insight.field]?.field));
  return `${JSON.stringify(told).slice(0, -1)},"insights":[${entries.join(',')}]}`;
};

const presentInsight = (
  { value, kpi, share, contribution }: WeighedValue,
  field: CompiledInsights['fields'][number]['field'] | undefined,
): string => {
  const json = value === null || !field ? 'null' : encoderFor(field.type, field.exact)(value);
  const named = JSON.stringify({ field_id: field?.id, field_display_name: field?.name }).slice(0, -1);
  const figures = JSON.stringify({ kpi_value: kpi, share_of_rows: share, contribution }).slice(1);
  return `${named},"value":${json},${figures}`;
};

const measured = (kpi: string | null | undefined, rows: string | null | undefined): Measured => ({
  kpi: numberOf(kpi),
  rows: numberOf(rows) ?? 0,
});

const numberOf = (text: string | null | undefined): number | null => {
  const value = text === null || text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
};
