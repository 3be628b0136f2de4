/** The parts of one element as entries of a list, from the element as it is answered whole. */
import {
  findAttribute,
  findFacet,
  detailAddress,
  initialState,
  neutralCulture,
  findRelation,
  type TypeModel,
  withPublicUrl,
} from '@tessera/content-model';
import { type Result, succeed } from '@tessera/failures';
import type { ElementJson } from '../elements/element-json.js';
import { chooseDisplayName } from '../facets/choose-culture.js';
import { contentNotFound } from '../replies.js';
import type { Storage } from '../storage/storage-definitions.js';

export type ElementPresentation = {
  readonly element: ElementJson;
  /** Undefined when the definition does not have it any more. */
  readonly type: TypeModel | undefined;
  readonly storage: Storage;
  readonly revision: string;
  /** The version that contains it; only of content elements. */
  readonly holder?: ElementJson | undefined;
};

export const toAttributeEntries = ({ element, type }: ElementPresentation) =>
  Object.entries(element.attributes ?? {}).map(([name, values]) => ({
    name,
    type: type && findAttribute(type, name)?.type,
    values,
  }));

/** The one of that name, none when it has no value. */
export const findAttributesByName = (
  part: ElementPresentation,
  name: string,
): Result<NonNullable<ElementJson['attributes']>> => {
  const found = Object.entries(part.element.attributes ?? {}).filter(([attribute]) => isSameName(attribute, name));
  const isKnown = found.length > 0 || (part.type && findAttribute(part.type, name) !== undefined);
  return isKnown ? succeed(Object.fromEntries(found)) : contentNotFound;
};

export const toRelationEntries = ({ element }: ElementPresentation) =>
  Object.entries(element.related ?? {}).map(([name, elements]) => ({ name, elements }));

type RelationReferences = { readonly name: string; readonly references: readonly ElementJson[] };

export const findRelationByName = (part: ElementPresentation, name: string): Result<RelationReferences> => {
  const [found] = Object.entries(part.element.related ?? {}).filter(([relation]) => isSameName(relation, name));
  if (found) return succeed({ name: found[0], references: found[1] });
  const relation = findRelation(part.storage.model, name);
  const mayHave = relation && part.type && (relation.from?.includes(part.type.name) ?? true);
  return mayHave ? succeed({ name: relation.name, references: [] }) : contentNotFound;
};

/** What the caller may do with the element, by scope and by the state of the version; content goes with its version. */
export const toElementPermissions = (
  part: ElementPresentation,
  scopes: readonly string[],
  { acceptLanguage, viewId }: { readonly acceptLanguage?: string | undefined; readonly viewId: string },
) => {
  const { element, type, storage, holder } = part;
  const {
    id = '',
    versionId,
    facetName = '',
    attributes = {},
    children = [],
    content = [],
    rootPath = [],
    related = {},
  } = element;
  const { defaultCulture } = storage.model;
  const names = Object.entries(attributes).find(([name]) => isSameName(name, 'name'))?.[1] ?? {};
  const texts = Object.fromEntries(Object.entries(names).map(([culture, value]) => [culture, String(value)]));
  // A draft beside older versions goes alone; an element goes when nothing stands under it.
  const wasReleasedBefore = Object.keys(related).some((name) => isSameName(name, 'releaseHistory'));
  const isWriter = scopes.includes('content:write');
  const isOpen = type?.versioned !== true || element.state === initialState(true);
  const isWritable = isWriter && holder === undefined && isOpen;
  const insertable = isWriter && holder === undefined ? (type?.childTypes ?? []) : [];
  const isInsertable = insertable.length > 0;
  const view = findFacet(storage.model, facetName)?.views.find(({ name }) => isSameName(name, viewId));
  return {
    id,
    name: texts[neutralCulture] ?? chooseDisplayName(texts, acceptLanguage, defaultCulture, ''),
    elementTypeName: element.type,
    entityTypeName: element.type,
    facetTypeName: facetName,
    facetViewKey: view?.name ?? viewId,
    entityIds: [versionId ?? id],
    shapeId: versionId ?? id,
    uid: versionId ?? id,
    rootPath: rootPath.map((above) => above.id),
    permissions: isWriter ? ['read', 'write'] : ['read'],
    hasEditPermission: isWriter,
    isCurrentInsertable: isInsertable,
    isCurrentMovable: isWritable,
    isCurrentRemovable: isWritable && (children.length === 0 || wasReleasedBefore),
    isCurrentCopyable: isWriter && holder === undefined,
    insertableDynamicTypes: insertable,
    isReadOnly: !isWritable,
    isReadOnlyCollection: !isInsertable,
    readOnlyContext: isWritable ? 'None' : 'All',
    readOnlyCollectionContext: isInsertable ? 'None' : 'All',
    hasDiagram: content.length > 0,
  };
};

export const toElementDescription = (
  { element, storage, revision, holder }: ElementPresentation,
  publicUrl: string,
) => {
  const { facetName = '', id = '', versionId, attributes = {}, rootPath = [], expandUri } = element;
  const attribute = (name: string): Readonly<Record<string, unknown>> | undefined => attributes[name];
  const neutral = (name: string): unknown => attribute(name)?.[neutralCulture];
  const [above] = rootPath;
  const parent = holder ?? (above && { ...above, versionId: undefined, state: undefined });
  const address = `${publicUrl}${storage.path}`;
  return {
    ...identityOf(element),
    version: neutral('version'),
    isReleased: neutral('isReleased'),
    name: attribute('name'),
    parent: parent && referenceTo(parent, storage, publicUrl),
    createdOn: neutral('createdOn'),
    changedOn: neutral('changedOn'),
    revision,
    transitions: holder ? undefined : `${address}/release/${versionId ?? id}/transitions`,
    reporting: `${address}/facets/${encodeURIComponent(facetName)}/reporting/${versionId ?? id}`,
    expandUri,
  };
};

const identityOf = ({ facetName, id, versionId, creationId, type, state, stereotype }: ElementJson) => ({
  facetName,
  id,
  versionId,
  creationId,
  type,
  state,
  stereotype,
});

const referenceTo = (element: ElementJson, storage: Storage, publicUrl: string) => {
  const { stereotype: _stereotype, ...identity } = identityOf(element);
  const { facetName = '', id = '', versionId } = element;
  const address = detailAddress(storage.model, facetName, versionId ?? id);
  return { ...identity, expandUri: withPublicUrl(address, publicUrl) };
};

const isSameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
