/** Rows of a record as OData entries: a page of them, one by its key, how many there are. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { countODataEntries, readODataEntries, readODataEntry } from '@tessera/contracts/knowledge-models';
import type { Result, Fault } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { ODataReader } from './odata-reader.js';

@Controller()
export class ODataEntriesHandler {
  constructor(private readonly reader: ODataReader) {}

  @Serves(readODataEntries)
  async page(request: RequestOf<typeof readODataEntries>, context: OperationContext): Promise<Result<ByteReply>> {
    return withOptionFaultPaths(await this.reader.page(request, context));
  }

  @Serves(readODataEntry)
  async entry(request: RequestOf<typeof readODataEntry>, context: OperationContext): Promise<Result<ByteReply>> {
    return withOptionFaultPaths(await this.reader.entry(request, context));
  }

  @Serves(countODataEntries)
  async count(request: RequestOf<typeof countODataEntries>, context: OperationContext): Promise<Result<ByteReply>> {
    return withOptionFaultPaths(await this.reader.count(request, context));
  }
}

/** What no option of OData says otherwise is checked by the names of the query parameters; paths of its faults name the options. */
const withOptionFaultPaths = <Value>(result: Result<Value>): Result<Value> => {
  if (result.ok || !result.failure.faults) return result;
  return { ok: false, failure: { ...result.failure, faults: result.failure.faults.map(withOptionPath) } };
};

const withOptionPath = (fault: Fault): Fault => {
  if (fault.path === 'filters') return { ...fault, path: 'filterid' };
  return fault.path === 'key' ? { ...fault, in: 'path' } : fault;
};
