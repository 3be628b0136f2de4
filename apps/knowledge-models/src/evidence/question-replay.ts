/** Asks a kept question again, of the data and the model as they are now, as the one who wants to know. */
import { Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import { fail, succeed, type Result } from '@tessera/failures';
import type { PageEnd } from '../cache/result-cache.js';
import { QueryPreparer } from '../queries/query-preparer.js';
import { QueryRunner } from '../queries/query-runner.js';
import { createJsonObjectFormat, withEvidence } from '../queries/row-format.js';
import { InsightsReader, recordedInsights } from '../tools/insights-reader.js';
import { isInsightsQuestion, type RowsQuestion } from './asked-question.js';
import type { EvidenceRow } from './evidence.repository.js';
import { dataVersionsOf, type RecordedResult, recordedRows } from './keep-evidence.js';

export type ReplayedResult = RecordedResult & Pick<EvidenceRow, 'data'>;

@Injectable()
export class QuestionReplay {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
    private readonly insights: InsightsReader,
  ) {}

  /** Failures: those of the question. */
  async ask(
    caller: Caller,
    { modelId, question }: Pick<EvidenceRow, 'modelId' | 'question'>,
    signal: AbortSignal,
  ): Promise<Result<ReplayedResult>> {
    if (!isInsightsQuestion(question)) return this.#askRows(caller, modelId, question, signal);
    const read = await this.insights.read(caller, modelId, question.insights, signal);
    if (!read.ok) return read;
    const { model, compiled } = read.value.prepared;
    return succeed({ ...recordedInsights(read.value), data: dataVersionsOf(model, compiled.tables) });
  }

  async #askRows(
    caller: Caller,
    modelId: string,
    { query, order, rowsMax }: RowsQuestion,
    signal: AbortSignal,
  ): Promise<Result<ReplayedResult>> {
    const prepared = await this.models.prepare(caller, modelId, ({ compile }) => compile(query));
    if (!prepared.ok) return prepared;
    const { compiled, model, prepareStatement } = prepared.value;
    const { columns, rows, tables } = compiled;
    const format = withEvidence(createJsonObjectFormat(columns, rowsMax, order), columns, { order, isCanonical: true });
    const result = recordedRows(columns, order, await this.#readToEnd(prepareStatement(rows), format, signal));
    return result ? succeed({ ...result, data: dataVersionsOf(model, tables) }) : unread;
  }

  async #readToEnd(...[statement, format, signal]: Parameters<QueryRunner['page']>): Promise<PageEnd> {
    const page = await this.runner.page(statement, format, signal);
    if (page.kind === 'rows') return page;
    for await (const _ of page.pieces);
    return page.end();
  }
}

const unread = fail('SERVICE_UNAVAILABLE', 'The rows could not be read.', { retryAfterSeconds: 1 });
