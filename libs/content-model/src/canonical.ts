/**
 * Definitions and elements as files say them in the canonical layout: one order of members, nothing that is standard.
 * What is exported and what the demo writes goes through here, so that export after apply gives the same bytes.
 */
import {
  StorageDefinition,
  type AttributeValues,
  type ContentDocument,
  type ElementDocument,
  type RelationTargets,
  type VersionDocument,
} from '@tessera/contracts';
import { toDocumentAttributes, toStoredAttributes } from './attributes.js';
import { parseVersionNumber, defaultVersionNumber } from './plan-element.js';
import { initialState } from './states.js';
import { findRelation, findType, type StorageModel, type TypeModel } from './storage-model.js';

/** The same definition, every object in the order of its schema; jsonb and people order members otherwise. */
export const toCanonicalDefinition = (definition: StorageDefinition): StorageDefinition =>
  StorageDefinition.parse(definition);

/** The same element: spelled as defined, members in order, standards and empty members left out. */
export const toCanonicalElement = (storage: StorageModel, document: ElementDocument): ElementDocument => {
  const type = findType(storage, document.type);
  const versions = [...(document.versions ?? [])].sort((left, right) => compareNumbers(left.version, right.version));
  const only = versions.length === 1 ? versions[0] : undefined;
  const flat = only ?? (versions.length === 0 ? document : undefined);
  const head = {
    id: document.id,
    type: type?.name ?? document.type,
    ...(document.stereotype !== undefined && { stereotype: document.stereotype }),
    ...(document.parent !== undefined && { parent: document.parent }),
    ...(document.creationId !== undefined &&
      document.creationId !== document.id && { creationId: document.creationId }),
  };
  if (!flat)
    return {
      ...head,
      versions: versions.map((version) => ({ version: version.version, ...versionMembers(storage, type, version) })),
    };
  const standard = isStandardVersion(type, flat);
  return { ...head, ...(!standard && { version: flat.version }), ...versionMembers(storage, type, flat) };
};

type VersionMembers = Omit<VersionDocument, 'version'>;

const versionMembers = (
  storage: StorageModel,
  type: TypeModel | undefined,
  version: VersionMembers,
): VersionMembers => {
  const state = version.state ?? initialState(type?.versioned ?? false);
  const attributes = canonicalAttributes(type, version.attributes);
  const relations = canonicalRelations(storage, version.relations);
  const content = (version.content ?? []).map((element) => canonicalContent(storage, element));
  return {
    ...((type?.versioned || state !== initialState(false)) && { state }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(Object.keys(relations).length > 0 && { relations }),
    ...(content.length > 0 && { content }),
  };
};

const canonicalContent = (storage: StorageModel, element: ContentDocument): ContentDocument => {
  const type = findType(storage, element.type);
  const attributes = canonicalAttributes(type, element.attributes);
  const relations = canonicalRelations(storage, element.relations);
  return {
    id: element.id,
    type: type?.name ?? element.type,
    ...(element.stereotype !== undefined && { stereotype: element.stereotype }),
    ...(element.creationId !== undefined && { creationId: element.creationId }),
    ...(element.state !== undefined && element.state !== initialState(false) && { state: element.state }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(Object.keys(relations).length > 0 && { relations }),
  };
};

const canonicalAttributes = (type: TypeModel | undefined, attributes: AttributeValues = {}): AttributeValues =>
  type ? toDocumentAttributes(type, toStoredAttributes(type, attributes)) : attributes;

const canonicalRelations = (storage: StorageModel, relations: RelationTargets = {}): RelationTargets => {
  const given = new Map(
    Object.entries(relations).map(([name, targets]) => [findRelation(storage, name)?.name ?? name, targets]),
  );
  if (given.size === 0) return {};
  const order = new Set([...storage.relations.map(({ name }) => name), ...given.keys()]);
  return Object.fromEntries(
    [...order].flatMap((name) => ((given.get(name)?.length ?? 0) > 0 ? [[name, given.get(name) ?? []]] : [])),
  );
};

const isStandardVersion = (
  type: TypeModel | undefined,
  version: VersionMembers & { readonly version?: string | undefined },
): boolean => {
  if (version.version === undefined || !type) return version.version === undefined;
  const standard = defaultVersionNumber(type, version.state ?? initialState(type.versioned));
  return version.version === `${standard.major}.${standard.minor}`;
};

const compareNumbers = (left: string, right: string): number => {
  const [first, second] = [parseVersionNumber(left), parseVersionNumber(right)];
  return first.major - second.major || first.minor - second.minor;
};
