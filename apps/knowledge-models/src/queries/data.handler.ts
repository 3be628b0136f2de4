/**
 * Rows over all records of a model, or of one record: with headers (`data`) or without (`query`), described by parameters or by a
 * body. With headers the fields of a record have to be named.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import {
  postModelQuery,
  postRecordQuery,
  queryModelData,
  queryRecordData,
  readModelData,
  readModelQuery,
  readRecordData,
  readRecordQuery,
} from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { DataQuery } from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import { parseQueryBody, parseQueryParameters, withBodyFaultPaths } from './parse-query.js';
import { presentPage, type AnswerShape } from './present-page.js';
import { mapQueryErrors } from './query-failure.js';
import { QueryPreparer } from './query-preparer.js';
import { QueryRunner } from './query-runner.js';
import { plainObjects } from './row-format.js';

type Reply = Promise<Result<ByteReply>>;

@Controller()
export class DataHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  @Serves(readModelData)
  readModelData(request: RequestOf<typeof readModelData>, context: OperationContext): Reply {
    return this.#read(context, request.km_id, parseQueryParameters(request, {}), 'data');
  }

  @Serves(queryModelData)
  async queryModelData(request: RequestOf<typeof queryModelData>, context: OperationContext): Reply {
    return withBodyFaultPaths(await this.#read(context, request.km_id, parseQueryBody(request.query, {}), 'data'));
  }

  @Serves(readModelQuery)
  readModelQuery(request: RequestOf<typeof readModelQuery>, context: OperationContext): Reply {
    return this.#read(context, request.km_id, parseQueryParameters(request, {}), 'query');
  }

  @Serves(postModelQuery)
  async postModelQuery(request: RequestOf<typeof postModelQuery>, context: OperationContext): Reply {
    return withBodyFaultPaths(await this.#read(context, request.km_id, parseQueryBody(request.query, {}), 'query'));
  }

  @Serves(readRecordData)
  readRecordData(request: RequestOf<typeof readRecordData>, context: OperationContext): Reply {
    const query = parseQueryParameters(request, { record: request.record_id, needsFields: true });
    return this.#read(context, request.km_id, query, 'data');
  }

  @Serves(queryRecordData)
  async queryRecordData(request: RequestOf<typeof queryRecordData>, context: OperationContext): Reply {
    const query = parseQueryBody(request.query, { record: request.record_id, needsFields: true });
    return withBodyFaultPaths(await this.#read(context, request.km_id, query, 'data'));
  }

  @Serves(readRecordQuery)
  readRecordQuery(request: RequestOf<typeof readRecordQuery>, context: OperationContext): Reply {
    const query = parseQueryParameters(request, { record: request.record_id });
    return this.#read(context, request.km_id, query, 'query');
  }

  @Serves(postRecordQuery)
  async postRecordQuery(request: RequestOf<typeof postRecordQuery>, context: OperationContext): Reply {
    const query = parseQueryBody(request.query, { record: request.record_id });
    return withBodyFaultPaths(await this.#read(context, request.km_id, query, 'query'));
  }

  #read({ caller, signal }: OperationContext, modelId: string, parsed: Result<DataQuery>, shape: AnswerShape): Reply {
    return mapQueryErrors(async () => {
      if (!parsed.ok) return parsed;
      const query = parsed.value;
      const prepared = await this.models.prepare(caller, modelId, ({ compile }) => compile(query));
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      const { page: number, pageSize } = query;
      const format = plainObjects(compiled.columns, pageSize);
      const page = await this.runner.pageWithTotal(
        prepared.value,
        { offset: number * pageSize, pageSize, format },
        signal,
      );
      return succeed(presentPage({ shape, query, compiled, ...page }));
    });
  }
}
