/** Brings back from the bin what was deleted: an element at its place, with the references to it, or a version. */
import { checkParent, checkVersionRestore, findType, formatVersion } from '@tessera/content-model';
import { fail, succeed, type Result } from '@tessera/failures';
import type { ChangeContext, ChangeResult } from '../change/change-storage.js';
import { replaceRenditions, findReferringVersionIds } from '../change/rendition.repository.js';
import { findStoredElement, setElementRevision } from '../change/stored-element.repository.js';
import {
  findDeletedElement,
  findDeletedVersion,
  restoreVersionFromBin,
  unmarkDeleted,
  findVersionIds,
  type DeletedElement,
  type DeletedVersion,
} from './restore.repository.js';

/** `id`: of an element or of a version that was deleted alone. */
export const restoreDeletedItem = async (change: ChangeContext, id: string): Promise<Result<ChangeResult>> => {
  const element = await findDeletedElement(change, id);
  if (element) return restoreElement(change, element);
  const version = await findDeletedVersion(change, id);
  return version
    ? restoreVersion(change, version)
    : fail('CONTENT_NOTFOUND', `The bin does not have ${id}; list what it has.`);
};

const restoreElement = async (change: ChangeContext, element: DeletedElement): Promise<Result<ChangeResult>> => {
  const { elementId, facet, type } = element;
  const refusal = refusalOfElement(change, element);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  await unmarkDeleted(change, elementId);
  await replaceRenditions(change, await findVersionIds(change, elementId));
  await replaceRenditions(change, await findReferringVersionIds(change, [elementId]));
  return succeed({
    entries: [{ action: 'restored', facet, elementId, detail: {} }],
    body: JSON.stringify({ id: elementId, facet, type }),
  });
};

const refusalOfElement = ({ model }: ChangeContext, element: DeletedElement): string | undefined => {
  const { type, facet, parentId, parent } = element;
  if (findType(model, type)?.facet !== facet)
    return `The storage has no type "${type}" in the facet "${facet}" any more; define it again first.`;
  if (parentId === null) return undefined;
  const broken = checkParent(model, element, parentId, parent ?? undefined);
  return broken && `The element cannot come back to its parent: ${broken.message}.`;
};

const restoreVersion = async (change: ChangeContext, version: DeletedVersion): Promise<Result<ChangeResult>> => {
  const { elementId, versionId } = version;
  const element = await findStoredElement(change, elementId);
  if (!element)
    return fail('CONTENT_CONFLICT', `The element ${elementId} of the version was deleted as well; restore it first.`);
  const refusal = checkVersionRestore(element.heads, version);
  if (refusal) return fail('CONTENT_CONFLICT', refusal);
  await restoreVersionFromBin(change, versionId);
  await setElementRevision(change, elementId);
  await replaceRenditions(change, [...element.heads.map((head) => head.versionId), versionId]);
  const { facet, type } = element;
  const detail = { version: formatVersion(version), state: version.state };
  return succeed({
    entries: [{ action: 'restored', facet, elementId, versionId, detail }],
    body: JSON.stringify({ id: elementId, versionId, facet, type }),
  });
};
