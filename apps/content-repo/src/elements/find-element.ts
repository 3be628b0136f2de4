/**
 * The text of one element for one caller. The statement runs by the definition that was read last and says which revision
 * is current; when that is another one, the definition is read again and the statement repeated.
 * Refuses: to answer by an old definition, also that something is not there.
 */
import type { ResourceName } from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import type { TenantReader } from '../database/tenant-reader.js';
import type { TaggedState } from '../etag.js';
import { contentNotFound } from '../not-found.js';
import type { Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import { addressPrefixOf, isStandardView, viewOf, type FacetView } from '../tree/view-of.js';
import type { ElementJson } from './element-json.js';
import {
  readElementRoot,
  readElementText,
  readShownElement,
  type ElementFound,
  type ElementWanted,
} from './element.repository.js';
import { findContentElement } from './find-content-element.js';
import { isShown } from './is-shown.js';
import { withPublicUrl } from './mark.js';
import { reshapeFor, type ReshapeOptions } from './reshape.js';
import { resourcesOf } from './resources.js';

export type ElementRequest = ReshapeOptions & {
  readonly collectionId: string;
  readonly storageId: string;
  readonly facetId: string;
  readonly viewId: string;
  /** A UUID in lower case. */
  readonly elementId: string;
  readonly $resources?: readonly ResourceName[] | undefined;
};

export type FoundElement = {
  readonly text: string;
  readonly state: TaggedState;
  /** The version that contains it; only of content elements. */
  readonly holder?: ElementJson;
};

export const findElement = async (
  reader: TenantReader,
  definitions: StorageDefinitions,
  request: ElementRequest,
  publicUrl: string,
): Promise<Result<FoundElement>> => {
  const known = definitions.lastRead(reader.tenant, request);
  const answer = known && (await findBy(reader, known, request, publicUrl));
  if (answer) return answer;
  const current = await definitions.find(reader, request);
  if (!current.ok) return current;
  return (await findBy(reader, current.value, request, publicUrl)) ?? contentNotFound;
};

/** In a snapshot, where `storage` was read. */
export const findElementIn = async (
  reader: TenantReader,
  storage: Storage,
  request: ElementRequest,
  publicUrl: string,
): Promise<Result<FoundElement>> => (await findBy(reader, storage, request, publicUrl)) ?? contentNotFound;

/** Undefined when `storage` is not the current definition, or says that there is nothing. */
const findBy = async (
  reader: TenantReader,
  storage: Storage,
  request: ElementRequest,
  publicUrl: string,
): Promise<Result<FoundElement> | undefined> => {
  const named = viewOf(storage, request.facetId, request.viewId);
  if (!named.ok) return undefined;
  const wanted: ElementWanted = {
    facet: named.value.facet.name,
    id: request.elementId,
    resources: resourcesOf(request.$resources),
    addressPrefix: addressPrefixOf(storage, named.value.facet),
  };
  const found =
    (await readShownElement(reader, storage.storageId, wanted)) ??
    (await readElementText(reader, storage.storageId, wanted));
  if (found.storageRevision !== storage.revision) return undefined;
  const reshape = reshapeFor(request, storage.storageId, wanted.resources, publicUrl, reader);
  if (found.text === undefined) {
    const content = await findContentElement(reader, storage, wanted, publicUrl);
    if (!content) return contentNotFound;
    const { element, holder, revision } = content;
    const [reshaped = element] = reshape ? await reshape.json([element]) : [element];
    return succeed({ text: JSON.stringify(reshaped), state: stateOf(storage, { ...found, revision }), holder });
  }
  if (!(await isIdShown(reader, storage, named.value, wanted))) return contentNotFound;
  const text = reshape ? await reshape.element(found.text) : withPublicUrl(found.text, publicUrl);
  return succeed({ text, state: stateOf(storage, found) });
};

const stateOf = ({ storageId, revision }: Storage, found: ElementFound): TaggedState => ({
  revision: found.revision,
  storageId,
  changeSequence: found.changeSequence ?? '0',
  storageRevision: revision,
});

/** Nothing is read where the view shows everything. */
const isIdShown = async (
  reader: TenantReader,
  { storageId }: Storage,
  named: FacetView,
  wanted: ElementWanted,
): Promise<boolean> => {
  if (isStandardView(named.view) || !named.view.types) return true;
  const root = await readElementRoot(reader, storageId, { ...wanted, resources: new Set() });
  return root !== undefined && isShown(reader, storageId, named, root);
};
