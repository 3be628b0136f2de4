/** A6: a new version of a released element. */
import { Controller } from '@nestjs/common';
import { newVersionRows, refusalOfNewVersion } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { createVersion } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { callerElement } from '../change/caller-element.js';
import { type Change, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { insertVersions } from '../change/element-rows.repository.js';
import { renderVersions } from '../change/rendition.repository.js';
import {
  changedElementText,
  findRequestedVersion,
  readStoredVersion,
  touchElement,
} from '../change/stored-element.repository.js';
import { contentNotFound } from '../replies.js';

@Controller()
export class CreateVersionHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(createVersion)
  create(request: RequestOf<typeof createVersion>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(createVersion, request, context, (change) => createVersionOf(change, request.elementId));
  }
}

const createVersionOf = async (change: Change, requestedId: string): Promise<Result<ChangeResult>> => {
  const requested = await findRequestedVersion(change, requestedId);
  if (!requested) return contentNotFound;
  const { element, type, version: source } = requested;
  const refusal = refusalOfNewVersion(type, element.heads, source);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  const [parts, { callerId, entries }] = await Promise.all([
    readStoredVersion(change, source.versionId),
    callerElement(change),
  ]);
  if (!parts) return contentNotFound;
  const { elementId, facet } = element;
  const versionId = change.newId;
  const facts = { elementId, versionId, heads: element.heads, now: change.changedAt, callerId };
  const rows = newVersionRows(change.model, type, { ...source, ...parts }, facts);
  await Promise.all([
    insertVersions(change, rows),
    touchElement(change, elementId),
    renderVersions(change, [versionId]),
  ]);
  const text = await changedElementText(change, facet, versionId);
  const [made] = rows.versions;
  const detail = { version: `${made?.major}.${made?.minor}`, from: source.versionId };
  return succeed({
    entries: [...entries, { action: 'versionCreated', facet, elementId, versionId, detail }],
    body: `{"count":1,"elements":[${text}],"values":[${text}]}`,
  });
};
