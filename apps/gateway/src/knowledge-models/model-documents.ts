/** The OpenAPI document, service document and metadata of a model, kept for callers who see the same of it. */
import { Injectable } from '@nestjs/common';
import { type ByteReply, type CallFrame, callerVisibilityKey, type RequestOf } from '@tessera/contracts';
import type { generateModelSpec, readODataMetadata, readODataService } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { EtagReplyCache } from '../http/etag-reply-cache.js';

type DocumentOperation = typeof generateModelSpec | typeof readODataMetadata | typeof readODataService;

@Injectable()
export class ModelDocumentCache {
  readonly #kept = new EtagReplyCache();

  constructor(private readonly client: OperationClient) {}

  /** 304 when `If-None-Match` names the document. Failures: those of the operation. */
  answer(
    operation: DocumentOperation,
    { ifNoneMatch, ...request }: RequestOf<DocumentOperation>,
    frame: CallFrame,
    leaving: AbortSignal,
  ): Promise<Result<ByteReply>> {
    const key = JSON.stringify([operation.name, callerVisibilityKey(frame.caller), frame.publicUrl, request]);
    const ask = (etag: string | undefined) =>
      this.client.call(operation, { ...request, ifNoneMatch: etag }, frame, leaving);
    return this.#kept.answer(key, ask, ifNoneMatch);
  }
}
