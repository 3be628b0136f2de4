/**
 * What an element document becomes: resolved ids, defined spellings, standards filled in, in one fixed order, so that
 * the same meaning has the same digest.
 */
import { hash } from 'node:crypto';
import type { ContentDocument, ElementDocument, RelationTargets, VersionDocument } from '@tessera/contracts';
import { toStoredAttributes, type StoredAttributes } from './attributes.js';
import { elementIdOf, isUuid } from './element-ids.js';
import { initialState, wasReleased } from './states.js';
import { findRelation, type StorageModel, type TypeModel, findType } from './storage-model.js';

export type RelationPlan = { readonly name: string; readonly targets: readonly string[] };

export type ContentPlan = {
  /** A key or a UUID, as the file gives it. */
  readonly id: string;
  readonly creationId?: string;
  readonly type: string;
  readonly stereotype?: string;
  readonly state: string;
  readonly attributes: StoredAttributes;
  readonly relations: readonly RelationPlan[];
};

export type VersionPlan = {
  readonly major: number;
  readonly minor: number;
  readonly state: string;
  readonly attributes: StoredAttributes;
  readonly relations: readonly RelationPlan[];
  readonly content: readonly ContentPlan[];
};

export type ElementPlan = {
  readonly elementId: string;
  readonly key?: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype?: string;
  readonly creationId: string;
  readonly parentId?: string;
  /** By number, the oldest first. */
  readonly versions: readonly VersionPlan[];
};

export type VersionNumber = { readonly major: number; readonly minor: number };

/** The one version of what has no versions; never shown. */
const internalVersion: VersionNumber = { major: 1, minor: 0 };

/** The number that a version has when a file gives none. */
export const defaultVersionNumber = (type: TypeModel, state: string): VersionNumber =>
  !type.versioned || wasReleased(state) ? internalVersion : { major: 0, minor: 1 };

export const planElement = (storage: StorageModel, type: TypeModel, document: ElementDocument): ElementPlan => {
  const elementId = elementIdOf(storage, document.id);
  const versions = document.versions ?? [document];
  return {
    elementId,
    ...(!isUuid(document.id) && { key: document.id }),
    facet: type.facet,
    type: type.name,
    ...(document.stereotype !== undefined && { stereotype: document.stereotype }),
    creationId: document.creationId === undefined ? elementId : elementIdOf(storage, document.creationId),
    ...(document.parent !== undefined && { parentId: elementIdOf(storage, document.parent) }),
    versions: versions.map((version) => planVersion(storage, type, version)).sort(byNumber),
  };
};

/** Equal for documents that mean the same. */
export const digestPlan = (plan: ElementPlan): Buffer => hash('sha256', JSON.stringify(plan), 'buffer');

type VersionMembers = Omit<VersionDocument, 'version'> & { readonly version?: string | undefined };

const planVersion = (storage: StorageModel, type: TypeModel, version: VersionMembers): VersionPlan => {
  const state = version.state ?? initialState(type.versioned);
  return {
    ...(version.version === undefined ? defaultVersionNumber(type, state) : parseVersionNumber(version.version)),
    state,
    attributes: toStoredAttributes(type, version.attributes),
    relations: planRelations(storage, version.relations),
    content: (version.content ?? []).map((element) => planContent(storage, element)),
  };
};

const planContent = (storage: StorageModel, element: ContentDocument): ContentPlan => {
  const type = findType(storage, element.type);
  return {
    id: isUuid(element.id) ? element.id.toLowerCase() : element.id,
    ...(element.creationId !== undefined && { creationId: element.creationId.toLowerCase() }),
    type: type?.name ?? element.type,
    ...(element.stereotype !== undefined && { stereotype: element.stereotype }),
    state: element.state ?? initialState(false),
    attributes: type ? toStoredAttributes(type, element.attributes) : {},
    relations: planRelations(storage, element.relations),
  };
};

/** In the order of the definition; empty lists are left out. */
const planRelations = (storage: StorageModel, relations: RelationTargets = {}): readonly RelationPlan[] => {
  const given = new Map<string, readonly string[]>();
  for (const [name, targets] of Object.entries(relations))
    if (targets.length > 0) given.set(findRelation(storage, name)?.name ?? name, targets);
  if (given.size === 0) return [];
  return storage.relations.flatMap(({ name }) => {
    const targets = given.get(name);
    return targets ? [{ name, targets: targets.map((target) => elementIdOf(storage, target)) }] : [];
  });
};

export const parseVersionNumber = (text: string): VersionNumber => {
  const [major = 0, minor = 0] = text.split('.').map(Number);
  return { major, minor };
};

const byNumber = (left: VersionNumber, right: VersionNumber): number =>
  left.major - right.major || left.minor - right.minor;
