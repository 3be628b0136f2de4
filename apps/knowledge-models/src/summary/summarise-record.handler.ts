/**
 * Statistics of the attributes of a record over all rows that match, with a sample of them. What was computed is kept as every
 * other result is, so the same summary over the same data is computed once.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { summariseRecord } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { compileSummary, type CompiledStatement, type CompiledSummary } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import pMap from 'p-map';
import type { WrittenRows } from '../cache/result-cache.js';
import { QueryPreparer, type PreparedQuery } from '../queries/query-preparer.js';
import { queryOfParameters } from '../queries/data-query-of.js';
import { enclose, headersOf } from '../queries/present-page.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { QueryRunner } from '../queries/query-runner.js';
import { plainObjects, noRows } from '../queries/row-format.js';
import type { RowStream } from '../queries/row-stream.js';
import { presentSummary, type SummaryRows } from './present-summary.js';

type Prepared = PreparedQuery<CompiledSummary>;

/** Of the connections that all queries share. */
const statementsAtOnce = 3;

@Controller()
export class SummariseRecordHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  @Serves(summariseRecord)
  summarise(
    request: RequestOf<typeof summariseRecord>,
    { caller, signal }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const { record_id, sampleSize, excludeFields = [] } = request;
      const parameters = { ...request, page: 0, pageSize: sampleSize, searchPrecision: 100 };
      const sample = queryOfParameters(parameters, { record: record_id });
      if (!sample.ok) return sample;
      const prepared = await this.models.prepare(caller, request.km_id, ({ view, schema }) =>
        compileSummary(view, sample.value, excludeFields, { schema }),
      );
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      // First what is computed, since rows that stream keep their connection.
      const behind = presentSummary(compiled, await this.#compute(prepared.value, signal));
      const rows = await this.#sample(prepared.value, sampleSize, signal);
      const headers = JSON.stringify(headersOf(compiled.sample.columns));
      return succeed(enclose(`{"content":{"headers":${headers},"data":[`, rows, `]},${behind}}`));
    });
  }

  async #compute(
    { compiled: { figures, tops }, prepareStatement }: Prepared,
    signal: AbortSignal,
  ): Promise<SummaryRows> {
    const statements = [...figures, ...tops];
    const read = async (statement: CompiledStatement) => {
      const [row] = await this.runner.texts(prepareStatement(statement), signal);
      return row;
    };
    const rows = await pMap(statements, read, { concurrency: statementsAtOnce });
    return { figures: rows.slice(0, figures.length), tops: rows.slice(figures.length) };
  }

  async #sample(
    { compiled, prepareStatement }: Prepared,
    rowsMax: number,
    signal: AbortSignal,
  ): Promise<WrittenRows | RowStream> {
    const { columns, rows } = compiled.sample;
    return rowsMax === 0 ? noRows : this.runner.page(prepareStatement(rows), plainObjects(columns, rowsMax), signal);
  }
}
