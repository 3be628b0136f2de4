/** What can happen next to a version. */
import { Controller } from '@nestjs/common';
import { isUuid, transitionsFrom, findType } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { listTransitions } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { findVersionState } from '../elements/element.repository.js';
import { pageHeaders } from '../next-page.js';
import { contentNotFound } from '../replies.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';

@Controller()
export class ListTransitionsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listTransitions)
  list(request: RequestOf<typeof listTransitions>, context: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const reader = createPoolReader(this.pools.light, context.caller.team);
      const storage = await this.definitions.find(reader, request);
      if (!storage.ok) return storage;
      const id = request.elementId.toLowerCase();
      const version = isUuid(id) ? await findVersionState(reader, storage.value.storageId, id) : undefined;
      const type = version && findType(storage.value.model, version.type);
      if (!type) return contentNotFound;
      const list = transitionsFrom(type, version.state);
      const count = list.length;
      const headers = pageHeaders(count, undefined);
      if (request.apiVersion === '4.0') return createJsonReply({ count, elements: list }, headers);
      const values = list.map(({ id: transitionId, from, to }) => ({
        transitionId,
        sourceState: from,
        targetState: to,
      }));
      return createJsonReply({ count, values }, headers);
    });
  }
}
