/** One element of a view with its parts: one statement, whose text is the answer; of an earlier state, in a snapshot. */
import { Controller } from '@nestjs/common';
import { isUuid } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readElement } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { createJsonTextReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { contentNotFound, etagOf, listMemberName, notModifiedReply } from '../replies.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { findElement, findElementInStorage, type FoundElement } from './find-element.js';

type Request = RequestOf<typeof readElement>;

@Controller()
export class ReadElementHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(readElement)
  read(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      if (!isUuid(request.elementId)) return contentNotFound;
      const { caller, publicUrl } = context;
      const requested = { ...request, elementId: request.elementId.toLowerCase() };
      const [pool, definitions] = [this.pools.light, this.definitions];
      if (request.asOf !== undefined)
        return readStorage({ pool, light: pool, definitions }, request, context, async ({ snapshot, storage }) =>
          replyOf(await findElementInStorage(snapshot, storage, requested, publicUrl), request, publicUrl),
        );
      return replyOf(
        await findElement(createPoolReader(pool, caller.team), definitions, requested, publicUrl),
        request,
        publicUrl,
      );
    });
  }
}

const replyOf = (found: Result<FoundElement>, request: Request, publicUrl: string): Result<ByteReply> => {
  if (!found.ok) return found;
  const etag = etagOf(found.value.state, request, publicUrl);
  const text = `{"count":1,"${listMemberName(request.apiVersion)}":[${found.value.text}]}`;
  return notModifiedReply(request, etag) ?? createJsonTextReply(text, { etag });
};
