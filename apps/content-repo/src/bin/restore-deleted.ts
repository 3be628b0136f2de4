/** Brings back from the bin what was deleted: an element at its place, with the references to it, or a version. */
import { refusalOfParent, refusalOfRestoredVersion, typeNamed, versionText } from '@tessera/content-model';
import { fail, succeed, type Result } from '@tessera/failures';
import type { Change, ChangeResult } from '../change/change-storage.js';
import { replaceRenditions, versionsReferringTo } from '../change/rendition.repository.js';
import { findStoredElement, touchElement } from '../change/stored-element.repository.js';
import {
  findDeletedElement,
  findDeletedVersion,
  takeVersionFromBin,
  unmarkDeleted,
  versionsOf,
  type DeletedElement,
  type DeletedVersion,
} from './restore.repository.js';

/** `id`: of an element or of a version that was deleted alone. */
export const restoreDeletedItem = async (change: Change, id: string): Promise<Result<ChangeResult>> => {
  const element = await findDeletedElement(change, id);
  if (element) return restoreElement(change, element);
  const version = await findDeletedVersion(change, id);
  return version
    ? restoreVersion(change, version)
    : fail('CONTENT_NOTFOUND', `The bin does not have ${id}; list what it has.`);
};

const restoreElement = async (change: Change, element: DeletedElement): Promise<Result<ChangeResult>> => {
  const { elementId, facet, type } = element;
  const refusal = refusalOfElement(change, element);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  await unmarkDeleted(change, elementId);
  await replaceRenditions(change, await versionsOf(change, elementId));
  await replaceRenditions(change, await versionsReferringTo(change, [elementId]));
  return succeed({
    entries: [{ action: 'restored', facet, elementId, detail: {} }],
    body: JSON.stringify({ id: elementId, facet, type }),
  });
};

const refusalOfElement = ({ model }: Change, element: DeletedElement): string | undefined => {
  const { type, facet, parentId, parent } = element;
  if (typeNamed(model, type)?.facet !== facet)
    return `The storage has no type "${type}" in the facet "${facet}" any more; define it again first.`;
  if (parentId === null) return undefined;
  const broken = refusalOfParent(model, element, parentId, parent ?? undefined);
  return broken && `The element cannot come back to its parent: ${broken.message}.`;
};

const restoreVersion = async (change: Change, version: DeletedVersion): Promise<Result<ChangeResult>> => {
  const { elementId, versionId } = version;
  const element = await findStoredElement(change, elementId);
  if (!element)
    return fail('CONTENT_CONFLICT', `The element ${elementId} of the version was deleted as well; restore it first.`);
  const refusal = refusalOfRestoredVersion(element.heads, version);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  await takeVersionFromBin(change, versionId);
  await touchElement(change, elementId);
  await replaceRenditions(change, [...element.heads.map((head) => head.versionId), versionId]);
  const { facet, type } = element;
  const detail = { version: versionText(version), state: version.state };
  return succeed({
    entries: [{ action: 'restored', facet, elementId, versionId, detail }],
    body: JSON.stringify({ id: elementId, versionId, facet, type }),
  });
};
