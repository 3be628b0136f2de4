/** One element of a view with its parts: one statement, whose text is the answer. */
import { Controller, Inject } from '@nestjs/common';
import { isUuid } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readElement } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { orOutage } from '../database/outage.js';
import { poolsToken, type Pools } from '../database/pools.js';
import { poolReader } from '../database/tenant-reader.js';
import { jsonText } from '../json-reply.js';
import { contentNotFound } from '../not-found.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { findElement } from './find-element.js';

@Controller()
export class ReadElementHandler {
  constructor(
    @Inject(poolsToken) private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(readElement)
  read(request: RequestOf<typeof readElement>, { caller, publicUrl }: OperationContext): Promise<Result<ByteReply>> {
    return orOutage(async () => {
      if (!isUuid(request.elementId)) return contentNotFound;
      const reader = poolReader(this.pools.light, caller.team);
      const asked = { ...request, elementId: request.elementId.toLowerCase() };
      const element = await findElement(reader, this.definitions, asked, publicUrl);
      if (!element.ok) return element;
      return jsonText(`{"count":1,"${request.apiVersion === '1.0' ? 'values' : 'elements'}":[${element.value}]}`);
    });
  }
}
