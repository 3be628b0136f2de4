/** A1: the facets of a storage. */
import { Controller, Inject } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listFacets } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { poolReader } from '../database/tenant-reader.js';
import { etagOf, unchangedReply } from '../etag.js';
import { StorageDefinitions, taggedState } from '../storage/storage-definitions.js';
import { presentFacets } from './present-facets.js';

@Controller()
export class ListFacetsHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listFacets)
  list(request: RequestOf<typeof listFacets>, { caller, publicUrl }: OperationContext): Promise<Result<ByteReply>> {
    return orOutage(async () => {
      const storage = await this.definitions.find(poolReader(this.pools.light, caller.team), request);
      if (!storage.ok) return storage;
      const etag = etagOf(taggedState(storage.value), request, publicUrl);
      const address = `${publicUrl}${storage.value.path}`;
      const unchanged = unchangedReply(request, etag);
      return unchanged ?? jsonReply(presentFacets(storage.value.model, address, request), { etag });
    });
  }
}
