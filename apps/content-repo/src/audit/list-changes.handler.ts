/** The audit of a storage. Only who may administer the team; for everybody else the team does not exist. */
import { Controller } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { listChanges } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { runInTenantTransaction, mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { findStorageDefinition } from '../export/export-storage.js';
import { contentNotFound } from '../replies.js';
import { type ChangeRow, readChanges } from './changes.repository.js';

type ChangePageReply = ReplyOf<typeof listChanges>;

@Controller()
export class ListChangesHandler {
  constructor(private readonly pools: Pools) {}

  @Serves(listChanges)
  list(request: RequestOf<typeof listChanges>, { caller }: OperationContext): Promise<Result<ChangePageReply>> {
    const { team, collection, storage, elementId, versionId, subject, from, to, order, pageSize, after } = request;
    if (!canAdminister(caller, team)) return Promise.resolve(contentNotFound);
    return mapDatabaseErrors(() =>
      runInTenantTransaction(this.pools.light, team, async (client) => {
        const found = await findStorageDefinition(client, team, collection, storage);
        if (!found) return contentNotFound;
        const filter = { elementId, versionId, subject, from, to };
        const page = { order, after, rowsMax: pageSize + 1 };
        return succeed(changePageReply(await readChanges(client, team, found.storageId, filter, page), pageSize));
      }),
    );
  }
}

/** A row more than the page holds says that there is another one. */
const changePageReply = (rows: readonly ChangeRow[], pageSize: number): ChangePageReply => {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    changes: page.map(({ changed_at, request_id, entries, ...change }) => ({
      ...change,
      changedAt: changed_at.toISOString(),
      requestId: request_id,
      entries: [...entries],
    })),
    ...(last && rows.length > pageSize && { next: last.sequence }),
  };
};
