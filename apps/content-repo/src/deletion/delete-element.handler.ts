/** A5: deletes an element, or its draft when there are older versions. Never destroys: what goes can be restored. */
import { Controller } from '@nestjs/common';
import {
  chooseDeletion,
  dateTimeText,
  facetNamed,
  releasedOf,
  type TypeModel,
  versionText,
} from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { deleteElement } from '@tessera/contracts/content-repo';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { type Change, type ChangeResult, StorageChanges } from '../change/change-storage.js';
import { replaceRenditions, versionsReferringTo } from '../change/rendition.repository.js';
import {
  changeReader,
  countChildren,
  findRequestedVersion,
  type StoredElement,
  type StoredHead,
  touchElement,
} from '../change/stored-element.repository.js';
import { addressPrefixOf, type FacetView, isShownInView, viewOf } from '../facets/facet-view.js';
import { contentNotFound } from '../replies.js';
import { markDeleted, moveVersionToBin, removeVersion } from './deletion.repository.js';

type Request = RequestOf<typeof deleteElement>;

@Controller()
export class DeleteElementHandler {
  constructor(private readonly changes: StorageChanges) {}

  @Serves(deleteElement)
  delete(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return this.changes.run(deleteElement, request, context, (change) => deletion(change, request));
  }
}

const deletion = async (change: Change, request: Request): Promise<Result<ChangeResult>> => {
  const named = viewOf(change.storage, request.facetId, request.viewId);
  if (!named.ok) return named;
  const requested = await findRequestedVersion(change, request.elementId);
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
    entries: [{ ...place, detail: type.versioned ? { version: versionText(version), state: version.state } : {} }],
    body: JSON.stringify({
      message: isVersion
        ? `Draft ${versionText(version)} was deleted; the element keeps its older versions.`
        : 'The element was deleted.',
      output: 'Volatile',
      type: 'Success',
      count: 1,
      values: [referenceTo(change, element, type, version, isVersion)],
    }).replaceAll('\\u0001', '\u0001'),
  });
};

/** A view deletes what it answers by id, and nothing else. */
const isFound = async (change: Change, view: FacetView, { facet, type, treePath }: StoredElement): Promise<boolean> =>
  facet === view.facet.name &&
  treePath !== null &&
  (await isShownInView(changeReader(change), change.storage.storageId, view, { type, path: treePath }));

const deleteDraft = async (change: Change, element: StoredElement, { versionId }: StoredHead): Promise<void> => {
  await moveVersionToBin(change, versionId, change.changedAt);
  await removeVersion(change, versionId);
  await touchElement(change, element.elementId);
  if (releasedOf(element.heads)) return;
  const left = element.heads.filter((head) => head.versionId !== versionId);
  await replaceRenditions(
    change,
    left.map((head) => head.versionId),
  );
};

const deleteWhole = async (change: Change, { elementId }: StoredElement): Promise<void> => {
  await markDeleted(change, elementId, change.changedAt);
  await replaceRenditions(change, await versionsReferringTo(change, [elementId]));
};

/** Its address leads to what it was before it was deleted. */
const referenceTo = (
  change: Change,
  { elementId, facet, creationId, type: typeName }: StoredElement,
  type: TypeModel,
  { versionId, state }: StoredHead,
  isVersion: boolean,
) => {
  const facetModel = facetNamed(change.model, facet);
  const before = dateTimeText(new Date(change.changedAt.getTime() - 1));
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
