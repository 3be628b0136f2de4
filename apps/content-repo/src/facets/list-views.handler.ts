/** A2: the views of a facet. */
import { Controller, Inject } from '@nestjs/common';
import { facetNamed } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listViews } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { poolReader } from '../database/tenant-reader.js';
import { etagOf, unchangedReply } from '../etag.js';
import { contentNotFound } from '../not-found.js';
import { StorageDefinitions, taggedState } from '../storage/storage-definitions.js';
import { presentViews } from './present-facets.js';

@Controller()
export class ListViewsHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listViews)
  list(request: RequestOf<typeof listViews>, { caller, publicUrl }: OperationContext): Promise<Result<ByteReply>> {
    return orOutage(async () => {
      const storage = await this.definitions.find(poolReader(this.pools.light, caller.team), request);
      if (!storage.ok) return storage;
      const { model, path } = storage.value;
      const facet = facetNamed(model, request.facetId);
      if (!facet) return contentNotFound;
      const etag = etagOf(taggedState(storage.value), request, publicUrl);
      const unchanged = unchangedReply(request, etag);
      return unchanged ?? jsonReply(presentViews(model, facet, `${publicUrl}${path}`, request), { etag });
    });
  }
}
