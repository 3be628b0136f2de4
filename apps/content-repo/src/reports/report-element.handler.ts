/** A4: the report tree of one element, with its versions, streamed. */
import { Controller, Inject } from '@nestjs/common';
import { isUuid, reportingView } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { reportElement } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { poolsToken, type Pools } from '../database/pools.js';
import { contentNotFound } from '../not-found.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { viewOf } from '../tree/view-of.js';
import { reportElementTree } from './element-report.js';

@Controller()
export class ReportElementHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(reportElement)
  report(request: RequestOf<typeof reportElement>, context: OperationContext): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, definitions: this.definitions };
    return readStorage(source, request, context, async (reading) => {
      const named = viewOf(reading.storage, request.facetId, request.viewId ?? reportingView, true);
      if (!named.ok) return named;
      if (!isUuid(request.elementId)) return contentNotFound;
      const asked = { ...request, elementId: request.elementId.toLowerCase() };
      return reportElementTree(reading, named.value, asked, context.publicUrl);
    });
  }
}
