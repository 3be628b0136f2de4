/**
 * Answers a question to a model, from its request to bytes: the model as the caller sees it, the compiled statements, the
 * page. Refuses: other shapes of answers; whoever has one reads pages as well (page-reader.ts).
 */
import { Injectable } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import type { DataQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import { QueryPreparer } from './query-preparer.js';
import { CompiledQueries } from './compiled-queries.js';
import { PageReader } from './page-reader.js';
import { presentPage, type AnswerShape } from './present-page.js';
import { mapQueryErrors } from './query-failure.js';
import { plainObjects } from './row-format.js';

@Injectable()
export class DataReader {
  constructor(
    private readonly models: QueryPreparer,
    private readonly queries: CompiledQueries,
    private readonly pages: PageReader,
  ) {}

  answer(
    { caller, signal }: OperationContext,
    modelId: string,
    asked: Result<DataQuery>,
    shape: AnswerShape,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      if (!asked.ok) return asked;
      const query = asked.value;
      const prepared = await this.models.prepare(caller, modelId, (view, schema) =>
        this.queries.of(view, query, schema),
      );
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      const { page: number, pageSize } = query;
      const format = plainObjects(compiled.columns, pageSize);
      const page = await this.pages.read(prepared.value, { offset: number * pageSize, pageSize, format }, signal);
      return succeed(presentPage({ shape, query, compiled, ...page }));
    });
  }
}
