/**
 * The text of one element for one caller. The statement runs by the definition that was read last and says which
 * revision is current; when that is another one, the definition is read again and the statement repeated. Never answers
 * by an old definition, also that something is not there.
 */
import { findType, withPublicUrl } from '@tessera/content-model';
import type { ResourceName } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import type { TenantReader } from '../database/tenant-reader.js';
import { addressPrefixOf, type FacetView, isShownInView, isStandardView, findFacetView } from '../facets/facet-view.js';
import { contentNotFound, type EtagState } from '../replies.js';
import type { Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import { type ElementJson, parseElementJson } from './element-json.js';
import {
  type ElementJsonTextRow,
  type ElementQuery,
  findContentHolder,
  readReportRoot,
  readElementJsonText,
  readShownElementJsonText,
} from './element.repository.js';
import { createReshaper, type ReshapeOptions } from './reshape.js';
import { resolveResources } from './resources.js';

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
  readonly state: EtagState;
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
export const findElementInStorage = async (
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
  const named = findFacetView(storage, request.facetId, request.viewId);
  if (!named.ok) return undefined;
  const wanted: ElementQuery = {
    facet: named.value.facet.name,
    id: request.elementId,
    resources: resolveResources(request.$resources),
    addressPrefix: addressPrefixOf(storage, named.value.facet),
  };
  const found =
    (await readShownElementJsonText(reader, storage.storageId, wanted)) ??
    (await readElementJsonText(reader, storage.storageId, wanted));
  if (found?.storageRevision !== storage.revision) return undefined;
  const reshape = createReshaper(request, storage.storageId, wanted.resources, publicUrl, reader);
  if (found.text === null) {
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

const stateOf = ({ storageId, revision }: Storage, found: ElementJsonTextRow): EtagState => ({
  revision: found.revision ?? undefined,
  storageId,
  changeSequence: found.changeSequence,
  storageRevision: revision,
});

/** Nothing is read where the view shows everything. */
const isIdShown = async (
  reader: TenantReader,
  { storageId }: Storage,
  named: FacetView,
  wanted: ElementQuery,
): Promise<boolean> => {
  if (isStandardView(named.view) || !named.view.types) return true;
  const root = await readReportRoot(reader, storageId, { ...wanted, resources: new Set() });
  return root !== undefined && isShownInView(reader, storageId, named, root);
};

export type ContentElement = {
  readonly element: ElementJson;
  /** The version that contains it: its identity only. */
  readonly holder: ElementJson;
  /** Of that version. */
  readonly revision: string;
};

export const findContentElement = async (
  reader: TenantReader,
  storage: Storage,
  { facet, id, resources }: ElementQuery,
  publicUrl: string,
): Promise<ContentElement | undefined> => {
  const found = await findContentHolder(reader, storage.storageId, id);
  if (!found || findType(storage.model, found.type)?.facet !== facet) return undefined;
  const { content = [] } = parseElementJson(`{${found.content.slice(1)}}`, publicUrl);
  const element = content.find((candidate) => candidate.id === id);
  if (!element) return undefined;
  const { displayNames, attributes, related, expandUri, ...identity } = element;
  return {
    element: {
      ...identity,
      ...(displayNames !== undefined && resources.has('displayNames') && { displayNames }),
      ...(attributes && resources.has('attributes') && { attributes }),
      ...(related && resources.has('related') && { related }),
      ...(expandUri !== undefined && { expandUri }),
    },
    holder: parseElementJson(`${found.identity}}`, publicUrl),
    revision: found.revision,
  };
};
