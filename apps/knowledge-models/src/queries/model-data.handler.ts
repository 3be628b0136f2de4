/** Rows over all records of a model: with headers or without, asked for by parameters or by a body. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { postModelQuery, queryModelData, readModelData, readModelQuery } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { DataReader } from './data-reader.js';
import { queryOfBody, queryOfParameters } from './data-query-of.js';
import { withBodyFaultPaths } from './data-query-of.js';

@Controller()
export class ModelDataHandler {
  constructor(private readonly reader: DataReader) {}

  @Serves(readModelData)
  readData(request: RequestOf<typeof readModelData>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.reader.answer(context, request.km_id, queryOfParameters(request, {}), 'data');
  }

  @Serves(queryModelData)
  async queryData(request: RequestOf<typeof queryModelData>, context: OperationContext): Promise<Result<ByteReply>> {
    return withBodyFaultPaths(await this.reader.answer(context, request.km_id, queryOfBody(request.query, {}), 'data'));
  }

  @Serves(readModelQuery)
  readQuery(request: RequestOf<typeof readModelQuery>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.reader.answer(context, request.km_id, queryOfParameters(request, {}), 'query');
  }

  @Serves(postModelQuery)
  async postQuery(request: RequestOf<typeof postModelQuery>, context: OperationContext): Promise<Result<ByteReply>> {
    return withBodyFaultPaths(
      await this.reader.answer(context, request.km_id, queryOfBody(request.query, {}), 'query'),
    );
  }
}
