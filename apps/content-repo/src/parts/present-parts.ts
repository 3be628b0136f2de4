/** The parts of one element as entries of a list, from the element as it is answered whole. */
import {
  attributeNamed,
  detailAddress,
  neutralCulture,
  relationNamed,
  type TypeModel,
  withPublicUrl,
} from '@tessera/content-model';
import { type Result, succeed } from '@tessera/failures';
import type { ElementJson } from '../elements/element-json.js';
import { type ApiVersion, contentNotFound, listName } from '../replies.js';
import type { Storage } from '../storage/storage-definitions.js';

export type Part = {
  readonly element: ElementJson;
  /** Undefined when the definition does not have it any more. */
  readonly type: TypeModel | undefined;
  readonly storage: Storage;
  readonly revision: string;
  /** The version that contains it; only of content elements. */
  readonly holder?: ElementJson | undefined;
};

export const attributeEntries = ({ element, type }: Part) =>
  Object.entries(element.attributes ?? {}).map(([name, values]) => ({
    name,
    type: type && attributeNamed(type, name)?.type,
    values,
  }));

export const attributeEntry = (part: Part, name: string): Result<ReturnType<typeof attributeEntries>> => {
  const found = attributeEntries(part).filter((entry) => isSameReference(entry.name, name));
  const isKnown = found.length > 0 || (part.type && attributeNamed(part.type, name) !== undefined);
  return isKnown ? succeed(found) : contentNotFound;
};

export const relationEntries = ({ element }: Part, apiVersion: ApiVersion) =>
  Object.entries(element.related ?? {}).map(([name, references]) => ({ name, [listName(apiVersion)]: references }));

export const referencesOf = (part: Part, name: string): Result<readonly ElementJson[]> => {
  const [found] = Object.entries(part.element.related ?? {}).filter(([relation]) => isSameReference(relation, name));
  if (found) return succeed(found[1]);
  const relation = relationNamed(part.storage.model, name);
  const mayHave = relation && part.type && (relation.from?.includes(part.type.name) ?? true);
  return mayHave ? succeed([]) : contentNotFound;
};

export const descriptionOf = ({ element, storage, revision, holder }: Part, publicUrl: string) => {
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

const isSameReference = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
