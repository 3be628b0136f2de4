/** The storages that a caller may read: all of the own team. */
import { Controller } from '@nestjs/common';
import { storagePath } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listReadableStorages } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { nextPageAddress, pageHeaders } from '../next-page.js';
import { readStoragePage, type StoragePage } from './readable-storages.repository.js';

@Controller()
export class ListStoragesHandler {
  constructor(private readonly pools: Pools) {}

  @Serves(listReadableStorages)
  list(
    request: RequestOf<typeof listReadableStorages>,
    { caller, publicUrl }: OperationContext,
  ): Promise<Result<ByteReply>> {
    const { $page, $pageSize } = request;
    return mapDatabaseErrors(async () => {
      const { total, storages } = await readStoragePage(
        createPoolReader(this.pools.light, caller.team),
        $page,
        $pageSize,
      );
      const hasNext = $page * $pageSize < total;
      const next = hasNext ? nextPageAddress(listReadableStorages, request, publicUrl) : undefined;
      const values = storages.map((storage) => presentStorage(storage, publicUrl));
      const body = { count: values.length, values, ...(next !== undefined && { nextUri: next }) };
      return createJsonReply(body, pageHeaders(total, next));
    });
  }
}

const presentStorage = (
  { collection, id, title, cultures, defaultCulture, facets }: StoragePage['storages'][number],
  publicUrl: string,
) => {
  const address = `${publicUrl}${storagePath({ collection, id })}`;
  return {
    ...{ collection, id, title, cultures, defaultCulture },
    info: `${address}/info`,
    facets: facets.map(({ name, displayNames }) => ({
      ...{ name, displayNames },
      views: `${address}/facets/${encodeURIComponent(name)}/views`,
    })),
  };
};
