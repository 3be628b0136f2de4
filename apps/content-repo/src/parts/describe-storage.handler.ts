/** What is known about a storage. */
import { Controller, Inject } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { describeStorage } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { poolReader } from '../database/tenant-reader.js';
import { etagOf, unchangedReply } from '../etag.js';
import { listName } from '../api-version.js';
import { StorageDefinitions, taggedState } from '../storage/storage-definitions.js';

type Request = RequestOf<typeof describeStorage>;

@Controller()
export class DescribeStorageHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(describeStorage)
  describe(request: Request, { caller, publicUrl }: OperationContext): Promise<Result<ByteReply>> {
    return orOutage(async () => {
      const storage = await this.definitions.find(poolReader(this.pools.light, caller.team), request);
      if (!storage.ok) return storage;
      const { model, path } = storage.value;
      const { title, collection, id, cultures, defaultCulture } = model;
      const entry = { title, collection, id, cultures, defaultCulture, facets: `${publicUrl}${path}/facets` };
      const etag = etagOf(taggedState(storage.value), request, publicUrl);
      return (
        unchangedReply(request, etag) ?? jsonReply({ count: 1, [listName(request.apiVersion)]: [entry] }, { etag })
      );
    });
  }
}
