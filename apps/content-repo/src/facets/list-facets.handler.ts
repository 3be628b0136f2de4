/** A1: the facets of a storage. */
import { Controller, Inject } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listFacets } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { poolReader } from '../database/tenant-reader.js';
import { jsonReply } from '../json-reply.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
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
      return jsonReply(presentFacets(storage.value.model, `${publicUrl}${storage.value.path}`, request));
    });
  }
}
