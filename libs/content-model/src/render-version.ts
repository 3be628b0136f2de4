/**
 * The JSON text of one version, in the pieces that the read model stores and reports are assembled from. Every URI
 * begins with the character U+0001 in place of the public address, which a reader puts in; JSON escapes that character
 * everywhere else, so it cannot be met by chance.
 */
import { detailAddress, publicUrlPlaceholder } from './addresses.js';
import { neutralCulture, sortCultures, type StoredAttributes } from './attributes.js';
import { type StorageModel, type TypeModel, findType } from './storage-model.js';

export type ReferenceToRender = {
  readonly facet: string;
  readonly elementId: string;
  readonly creationId: string;
  readonly type: string;
  /** Only of references to one version. */
  readonly versionId?: string;
  readonly state?: string;
  readonly stereotype?: string | undefined;
};

/** Relation in its defined spelling -> references in order; empty lists are left out. */
export type ReferencesByRelation = Readonly<Record<string, readonly ReferenceToRender[]>>;

export type ContentToRender = {
  readonly contentId: string;
  readonly creationId: string;
  readonly type: string;
  readonly stereotype?: string | undefined;
  readonly state: string;
  readonly attributes: StoredAttributes;
  readonly references: ReferencesByRelation;
};

export type VersionToRender = {
  readonly elementId: string;
  readonly versionId: string;
  readonly creationId: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype?: string | undefined;
  readonly state: string;
  /** Everything that is shown, server-kept ones too; see fillAttributes. */
  readonly attributes: StoredAttributes;
  readonly references: ReferencesByRelation;
  readonly content: readonly ContentToRender[];
};

/** `identity` opens an object and does not close it; the others begin with a comma, or are empty. */
export type Rendition = {
  readonly identity: string;
  readonly displayNames: string;
  readonly attributes: string;
  readonly related: string;
  readonly content: string;
};

export const renderVersion = (storage: StorageModel, version: VersionToRender): Rendition => {
  const type = findType(storage, version.type);
  return {
    identity: renderIdentity({
      facetName: version.facet,
      id: version.elementId,
      ...(type?.versioned && { versionId: version.versionId }),
      creationId: version.creationId,
      type: version.type,
      state: version.state,
      ...(version.stereotype && { stereotype: version.stereotype }),
    }),
    displayNames: renderDisplayNames(type),
    attributes: renderAttributes(type, version.attributes),
    related: renderReferences(storage, version.references),
    content: renderContent(storage, version.content),
  };
};

/** One content element, complete but for its last brace; `{` + members as an element has them. */
export const renderContentElement = (
  storage: StorageModel,
  element: ContentToRender,
): Rendition & { readonly expandUri: string } => {
  const type = findType(storage, element.type);
  const facetName = type?.facet ?? '';
  return {
    identity: renderIdentity({
      facetName,
      id: element.contentId,
      creationId: element.creationId,
      type: element.type,
      state: element.state,
      ...(element.stereotype && { stereotype: element.stereotype }),
    }),
    displayNames: renderDisplayNames(type),
    attributes: renderAttributes(type, element.attributes),
    related: renderReferences(storage, element.references),
    content: '',
    expandUri: detailAddress(storage, facetName, element.contentId),
  };
};

const renderIdentity = (members: Readonly<Record<string, string>>): string => JSON.stringify(members).slice(0, -1);

const renderDisplayNames = (type: TypeModel | undefined): string =>
  type && Object.keys(type.displayNames).length > 0 ? `,"displayNames":${JSON.stringify(type.displayNames)}` : '';

/** In the order of the type; what the type does not know (any more) stands last. */
const renderAttributes = (type: TypeModel | undefined, attributes: StoredAttributes): string => {
  const known = (type?.attributes ?? []).map(({ name }) => name).filter((name) => attributes[name] !== undefined);
  const other = Object.keys(attributes).filter((name) => !known.includes(name));
  const texts = [...known, ...other].map((name) => `${JSON.stringify(name)}:${renderValue(name, attributes[name])}`);
  return texts.length > 0 ? `,"attributes":{${texts.join(',')}}` : '';
};

/** `gotoUrl` keeps the placeholder as it is, only the server writes it; any other value has it escaped. */
const renderValue = (name: string, cultures: StoredAttributes[string] | undefined): string => {
  const address = cultures?.[neutralCulture];
  if (name !== 'gotoUrl' || typeof address !== 'string') return JSON.stringify(cultures && sortCultures(cultures));
  return `{"${neutralCulture}":"${publicUrlPlaceholder}${JSON.stringify(address.replace(publicUrlPlaceholder, '')).slice(1)}}`;
};

const renderReferences = (storage: StorageModel, references: ReferencesByRelation): string => {
  const named = Object.keys(references).filter((name) => (references[name]?.length ?? 0) > 0);
  if (named.length === 0) return '';
  const order = storage.relations.map(({ name }) => name);
  const ordered = [...order.filter((name) => named.includes(name)), ...named.filter((name) => !order.includes(name))];
  const texts = ordered.map((name) => {
    const list = (references[name] ?? []).map((reference) => renderReference(storage, reference));
    return `${JSON.stringify(name)}:[${list.join(',')}]`;
  });
  return `,"related":{${texts.join(',')}}`;
};

const renderReference = (storage: StorageModel, reference: ReferenceToRender): string => {
  const members = {
    facetName: reference.facet,
    id: reference.elementId,
    ...(reference.versionId && { versionId: reference.versionId }),
    creationId: reference.creationId,
    type: reference.type,
    ...(reference.state && { state: reference.state }),
    ...(reference.stereotype && { stereotype: reference.stereotype }),
  };
  const address = detailAddress(storage, reference.facet, reference.versionId ?? reference.elementId);
  return `${renderIdentity(members)},"expandUri":"${address}"}`;
};

const renderContent = (storage: StorageModel, content: readonly ContentToRender[]): string => {
  if (content.length === 0) return '';
  const texts = content.map((element) => {
    const text = renderContentElement(storage, element);
    return `${text.identity}${text.displayNames}${text.attributes}${text.related},"expandUri":"${text.expandUri}"}`;
  });
  return `,"content":[${texts.join(',')}]`;
};
