/** A5: deletes an element, or its draft when there are older versions. Never destroys: what goes can be restored. */
import { Controller } from '@nestjs/common';
import {
  chooseDeletion,
  formatDateTime,
  findFacet,
  findReleasedVersion,
  type TypeModel,
  formatVersion,
} from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { deleteElement } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { type ChangeContext, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { replaceRenditions, findReferringVersionIds } from '../change/rendition.repository.js';
import {
  createTransactionReader,
  countChildren,
  findRequestedVersion,
  type RequestedVersion,
  type StoredElement,
  type StoredVersionHead,
  setElementRevision,
} from '../change/stored-element.repository.js';
import { addressPrefixOf, type FacetView, isShownInView, findFacetView } from '../facets/facet-view.js';
import { contentNotFound } from '../replies.js';
import { markDeleted, moveVersionToBin, removeVersion } from './deletion.repository.js';

type Request = RequestOf<typeof deleteElement>;

@Controller()
export class DeleteElementHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(deleteElement)
  delete(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(deleteElement, request, context, {
      read: (scope) => findRequestedVersion(scope, request.elementId),
      apply: (change, requested) => decideDeletion(change, request, requested),
    });
  }
}

const decideDeletion = async (
  change: ChangeContext,
  request: Request,
  requested: RequestedVersion | undefined,
): Promise<Result<ChangeResult>> => {
  const named = findFacetView(change.storage, request.facetId, request.viewId);
  if (!named.ok) return named;
  if (!requested || !(await isFound(change, named.value, requested.element))) return contentNotFound;
  const { element, type, version } = requested;
  const { heads } = element;
  const chosen = chooseDeletion({ type, heads, version, children: await countChildren(change, element) });
  if (typeof chosen === 'object') return fail('CONTENT_CONFLICT', chosen.refusal);
  if (chosen === 'draft') await deleteDraft(change, element, version);
  else await deleteWhole(change, element);
  const { facet, elementId } = element;
  const isVersion = chosen === 'draft';
  const place = { action: 'deleted', facet, elementId, ...(isVersion && { versionId: version.versionId }) } as const;
  return succeed({
    entries: [{ ...place, detail: type.versioned ? { version: formatVersion(version), state: version.state } : {} }],
    body: JSON.stringify({
      message: isVersion
        ? `Draft ${formatVersion(version)} was deleted; the element keeps its older versions.`
        : 'The element was deleted.',
      output: 'Volatile',
      type: 'Success',
      count: 1,
      values: [referenceTo(change, element, type, version, isVersion)],
    }).replaceAll('\\u0001', '\u0001'),
  });
};

/** A view deletes what it answers by id, and nothing else. */
const isFound = async (
  change: ChangeContext,
  view: FacetView,
  { facet, type, treePath }: StoredElement,
): Promise<boolean> =>
  facet === view.facet.name &&
  treePath !== null &&
  (await isShownInView(createTransactionReader(change), change.storage.storageId, view, { type, path: treePath }));

const deleteDraft = async (
  change: ChangeContext,
  element: StoredElement,
  { versionId }: StoredVersionHead,
): Promise<void> => {
  await moveVersionToBin(change, versionId, change.changedAt);
  await removeVersion(change, versionId);
  await setElementRevision(change, element.elementId);
  if (findReleasedVersion(element.heads)) return;
  const left = element.heads.filter((head) => head.versionId !== versionId);
  await replaceRenditions(
    change,
    left.map((head) => head.versionId),
  );
};

const deleteWhole = async (change: ChangeContext, { elementId }: StoredElement): Promise<void> => {
  await markDeleted(change, elementId, change.changedAt);
  await replaceRenditions(change, await findReferringVersionIds(change, [elementId]));
};

/** Its address leads to what it was before it was deleted. */
const referenceTo = (
  change: ChangeContext,
  { elementId, facet, creationId, type: typeName }: StoredElement,
  type: TypeModel,
  { versionId, state }: StoredVersionHead,
  isVersion: boolean,
) => {
  const facetModel = findFacet(change.model, facet);
  const before = formatDateTime(new Date(change.changedAt.getTime() - 1));
  return {
    facetName: facet,
    id: elementId,
    ...(type.versioned && { versionId }),
    creationId,
    type: typeName,
    state,
    ...(facetModel && {
      expandUri: `${addressPrefixOf(change.storage, facetModel)}${isVersion ? versionId : elementId}?asOf=${before}`,
    }),
  };
};
