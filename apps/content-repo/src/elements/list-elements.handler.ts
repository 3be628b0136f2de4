/** The elements of a view: the roots of a tree, or the flat list of another view. */
import { Controller, Inject } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listElements } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { poolsToken, type Pools } from '../database/pools.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { viewOf } from '../tree/view-of.js';
import { listPage } from './list-page.js';

@Controller()
export class ListElementsHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listElements)
  list(request: RequestOf<typeof listElements>, context: OperationContext): Promise<Result<ByteReply>> {
    const source = { pool: this.pools.reports, definitions: this.definitions };
    return readStorage(source, request, context, async (reading) => {
      const named = viewOf(reading.storage, request.facetId, request.viewId);
      return named.ok ? listPage(reading, named.value, request, context.publicUrl) : named;
    });
  }
}
