/** A6: a new version of a released element. */
import { Controller } from '@nestjs/common';
import { createNewVersionRows, checkNewVersion } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { createVersion } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { ensureCallerElement, findStoredCallerElement } from '../change/caller-element.js';
import { type ChangeContext, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { insertVersions } from '../change/element-rows.repository.js';
import { prepareRenditions } from '../change/rendition.repository.js';
import {
  readChangedElementJsonTexts,
  findRequestedVersion,
  readStoredVersion,
  type RequestedVersion,
  type StoredElement,
  setElementRevision,
} from '../change/stored-element.repository.js';
import { contentNotFound } from '../replies.js';

@Controller()
export class CreateVersionHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(createVersion)
  create(request: RequestOf<typeof createVersion>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(createVersion, request, context, {
      read: (scope) => Promise.all([findRequestedVersion(scope, request.elementId), findStoredCallerElement(scope)]),
      apply: createVersionOf,
    });
  }
}

type Read = readonly [RequestedVersion | undefined, StoredElement | undefined];

const createVersionOf = async (change: ChangeContext, [requested, caller]: Read): Promise<Result<ChangeResult>> => {
  if (!requested) return contentNotFound;
  const { element, type, version: source } = requested;
  const refusal = checkNewVersion(type, element.heads, source);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  const [parts, { callerId, entries }] = await Promise.all([
    readStoredVersion(change, source.versionId),
    ensureCallerElement(change, caller),
  ]);
  if (!parts) return contentNotFound;
  const { elementId, facet } = element;
  const versionId = change.newId;
  const facts = { elementId, versionId, heads: element.heads, now: change.changedAt, callerId };
  const rows = createNewVersionRows(change.model, type, { ...source, ...parts }, facts);
  // In the order in which they are sent.
  const [, , insertRenditions] = await Promise.all([
    insertVersions(change, rows),
    setElementRevision(change, elementId),
    prepareRenditions(change, [versionId]),
  ]);
  const [made] = rows.versions;
  const detail = { version: `${made?.major}.${made?.minor}`, from: source.versionId };
  return succeed({
    entries: [...entries, { action: 'versionCreated', facet, elementId, versionId, detail }],
    body: async () => {
      const [, [text]] = await Promise.all([
        insertRenditions(),
        readChangedElementJsonTexts(change, facet, [versionId]),
      ]);
      return `{"count":1,"elements":[${text}],"values":[${text}]}`;
    },
  });
};
