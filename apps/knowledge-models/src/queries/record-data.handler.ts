/** Rows of one record: with headers, where the fields have to be named, or without. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { postRecordQuery, queryRecordData, readRecordData, readRecordQuery } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { DataReader } from './data-reader.js';
import { queryOfBody, queryOfParameters } from './data-query-of.js';
import { withBodyFaultPaths } from './data-query-of.js';

@Controller()
export class RecordDataHandler {
  constructor(private readonly reader: DataReader) {}

  @Serves(readRecordData)
  readData(request: RequestOf<typeof readRecordData>, context: OperationContext): Promise<Result<ByteReply>> {
    const query = queryOfParameters(request, { record: request.record_id, needsFields: true });
    return this.reader.answer(context, request.km_id, query, 'data');
  }

  @Serves(queryRecordData)
  async queryData(request: RequestOf<typeof queryRecordData>, context: OperationContext): Promise<Result<ByteReply>> {
    const query = queryOfBody(request.query, { record: request.record_id, needsFields: true });
    return withBodyFaultPaths(await this.reader.answer(context, request.km_id, query, 'data'));
  }

  @Serves(readRecordQuery)
  readQuery(request: RequestOf<typeof readRecordQuery>, context: OperationContext): Promise<Result<ByteReply>> {
    const query = queryOfParameters(request, { record: request.record_id });
    return this.reader.answer(context, request.km_id, query, 'query');
  }

  @Serves(postRecordQuery)
  async postQuery(request: RequestOf<typeof postRecordQuery>, context: OperationContext): Promise<Result<ByteReply>> {
    const query = queryOfBody(request.query, { record: request.record_id });
    return withBodyFaultPaths(await this.reader.answer(context, request.km_id, query, 'query'));
  }
}
