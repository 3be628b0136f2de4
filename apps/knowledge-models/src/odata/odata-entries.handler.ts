/** Rows of a record as OData entries: a page of them, one by its key, how many there are. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { countODataEntries, readODataEntries, readODataEntry } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { toldOfOptions } from './faults-of-options.js';
import { ODataReader } from './odata-reader.js';

@Controller()
export class ODataEntriesHandler {
  constructor(private readonly reader: ODataReader) {}

  @Serves(readODataEntries)
  async page(request: RequestOf<typeof readODataEntries>, context: OperationContext): Promise<Result<ByteReply>> {
    return toldOfOptions(await this.reader.page(request, context));
  }

  @Serves(readODataEntry)
  async entry(request: RequestOf<typeof readODataEntry>, context: OperationContext): Promise<Result<ByteReply>> {
    return toldOfOptions(await this.reader.entry(request, context));
  }

  @Serves(countODataEntries)
  async count(request: RequestOf<typeof countODataEntries>, context: OperationContext): Promise<Result<ByteReply>> {
    return toldOfOptions(await this.reader.count(request, context));
  }
}
