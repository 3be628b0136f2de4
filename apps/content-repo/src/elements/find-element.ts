/**
 * The text of one element for one caller. The statement runs by the definition that was read last and says which revision
 * is current; when that is another one, the definition is read again and the statement repeated.
 * Refuses: to answer by an old definition, also that something is not there.
 */
import { succeed, type Result } from '@tessera/failures';
import type { TenantReader } from '../database/tenant-reader.js';
import { contentNotFound } from '../not-found.js';
import type { Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import { addressPrefixOf, isStandardView, viewOf, type FacetView } from '../tree/view-of.js';
import {
  isChainOfTypes,
  readElementRoot,
  readElementText,
  readShownElement,
  type ElementWanted,
} from './element.repository.js';
import { findContentElement } from './find-content-element.js';
import { withPublicUrl } from './mark.js';
import { reshapeFor, type ReshapeOptions } from './reshape.js';
import { resourcesOf } from './resources.js';
import type { ResourceName } from '@tessera/contracts/content-repo';

export type ElementRequest = ReshapeOptions & {
  readonly collectionId: string;
  readonly storageId: string;
  readonly facetId: string;
  readonly viewId: string;
  /** A UUID in lower case. */
  readonly elementId: string;
  readonly $resources?: readonly ResourceName[] | undefined;
};

export const findElement = async (
  reader: TenantReader,
  definitions: StorageDefinitions,
  request: ElementRequest,
  publicUrl: string,
): Promise<Result<string>> => {
  const known = definitions.lastRead(reader.tenant, request);
  const answer = known && (await findBy(reader, known, request, publicUrl));
  if (answer) return answer;
  const current = await definitions.find(reader, request);
  if (!current.ok) return current;
  return (await findBy(reader, current.value, request, publicUrl)) ?? contentNotFound;
};

/** Undefined when `storage` is not the current definition, or says that there is nothing. */
const findBy = async (
  reader: TenantReader,
  storage: Storage,
  request: ElementRequest,
  publicUrl: string,
): Promise<Result<string> | undefined> => {
  const named = viewOf(storage, request.facetId, request.viewId);
  if (!named.ok) return undefined;
  const { facet, view } = named.value;
  const wanted: ElementWanted = {
    facet: facet.name,
    id: request.elementId,
    resources: resourcesOf(request.$resources),
    addressPrefix: addressPrefixOf(storage, facet),
  };
  const found =
    (await readShownElement(reader, storage.storageId, wanted)) ??
    (await readElementText(reader, storage.storageId, wanted));
  if (found.revision !== storage.revision) return undefined;
  const reshape = reshapeFor(request, storage.storageId, wanted.resources, publicUrl, reader);
  if (found.text === undefined) {
    const element = await findContentElement(reader, storage, wanted, publicUrl);
    if (!element) return contentNotFound;
    const [reshaped = element] = reshape ? await reshape.json([element]) : [element];
    return succeed(JSON.stringify(reshaped));
  }
  if (!isStandardView(view) && !(await isShown(reader, storage, named.value, wanted))) return contentNotFound;
  return succeed(reshape ? await reshape.element(found.text) : withPublicUrl(found.text, publicUrl));
};

/** A view with types shows these only, in a tree only where their ancestors are shown. */
const isShown = async (
  reader: TenantReader,
  { storageId }: Storage,
  { facet, view }: FacetView,
  wanted: ElementWanted,
): Promise<boolean> => {
  if (!view.types) return true;
  const root = await readElementRoot(reader, storageId, { ...wanted, resources: new Set() });
  if (!root) return false;
  if (!view.isHierarchical) return view.types.includes(root.type);
  return isChainOfTypes(reader, storageId, facet.name, root.path, view.types);
};
