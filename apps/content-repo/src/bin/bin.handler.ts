/**
 * The bin of a storage: list, restore, purge. Only who may administer the team; for everybody else the team does not
 * exist.
 */
import { Controller } from '@nestjs/common';
import { type ByteReply, canAdminister, type Operation, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { listBin, purgeBin, restoreFromBin } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { runInTenantTransaction, mapDatabaseErrors } from '@tessera/persistence';
import { StorageChanges, createWorkWithoutReads, type ChangeWork } from '../change/change-storage.js';
import { Pools } from '../database.module.js';
import { findStorageDefinition } from '../export/export-storage.js';
import { contentNotFound } from '../replies.js';
import { type BinRow, readBin } from './bin.repository.js';
import { purgeDeletedElements } from './purge-deleted.js';
import { restoreDeletedItem } from './restore-deleted.js';

type BinPageReply = ReplyOf<typeof listBin>;

@Controller()
export class BinHandler {
  constructor(
    private readonly pools: Pools,
    private readonly changes: StorageChanges,
  ) {}

  @Serves(listBin)
  list(request: RequestOf<typeof listBin>, { caller }: OperationContext): Promise<Result<BinPageReply>> {
    const { team, collection, storage } = request;
    if (!canAdminister(caller, team)) return Promise.resolve(contentNotFound);
    return mapDatabaseErrors(() =>
      runInTenantTransaction(this.pools.light, team, async (client) => {
        const found = await findStorageDefinition(client, team, collection, storage);
        if (!found) return contentNotFound;
        const culture = found.definition.defaultCulture;
        const page = { culture, rowsMax: request.pageSize + 1, after: placeOf(request.after) };
        return succeed(binPageReply(await readBin(client, team, found.storageId, page), request.pageSize));
      }),
    );
  }

  @Serves(restoreFromBin)
  restore(request: RequestOf<typeof restoreFromBin>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#change(restoreFromBin, request, context, (change) =>
      restoreDeletedItem(change, request.id.toLowerCase()),
    );
  }

  @Serves(purgeBin)
  purge(request: RequestOf<typeof purgeBin>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#change(purgeBin, request, context, async (change) => {
      const { done } = await purgeDeletedElements(change, request.purge.olderThanDays);
      return succeed(done);
    });
  }

  #change(
    operation: Operation,
    request: AdminRequest,
    context: OperationContext,
    apply: ChangeWork['apply'],
  ): Promise<Result<ByteReply>> {
    const { team, collection: collectionId, storage: storageId } = request;
    if (!canAdminister(context.caller, team)) return Promise.resolve(contentNotFound);
    return this.changes.run(
      operation,
      { ...request, collectionId, storageId },
      context,
      createWorkWithoutReads(apply),
      team,
    );
  }
}

type AdminRequest = { readonly team: string; readonly collection: string; readonly storage: string };

const placeOf = (after: string | undefined) => {
  const [deletedAt, id] = after?.split('~') ?? [];
  return deletedAt !== undefined && id !== undefined ? { deletedAt, id } : undefined;
};

/** A row more than the page holds says that there is another one. */
const binPageReply = (rows: readonly BinRow[], pageSize: number): BinPageReply => {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    deleted: page.map(entryOf),
    ...(last &&
      rows.length > pageSize && { next: `${last.deleted_at.toISOString()}~${last.version_id ?? last.element_id}` }),
  };
};

const entryOf = (row: BinRow): BinPageReply['deleted'][number] => ({
  id: row.element_id,
  ...(row.version_id !== null && { versionId: row.version_id }),
  ...(row.version !== null && { version: row.version }),
  facet: row.facet,
  type: row.type,
  ...(row.name !== null && { name: row.name }),
  deletedAt: row.deleted_at.toISOString(),
  ...(row.deleted_by !== null && { deletedBy: row.deleted_by }),
});
