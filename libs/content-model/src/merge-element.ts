/** What one element of a request becomes: a new element, or what is stored with what is asked for in it. */
import type { ElementDocument } from '@tessera/contracts';
import type { WrittenElement } from '@tessera/contracts/content-repo';
import type { FaultList } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import { storagePath } from './addresses.js';
import type { StoredAttributes } from './attributes.js';
import { checkElementSliced } from './check-element.js';
import { elementIdOf } from './element-ids.js';
import { type ContentChange, mergeContent } from './merge-content.js';
import {
  type RequestedReference,
  mergeAttributes,
  mergeRelations,
  type RelationChange,
  targetIdsOf,
} from './merge-values.js';
import type { StoredVersion } from './new-version.js';
import { systemAttributes, systemRelations } from './system-attributes.js';
import { initialState, wasReleased } from './states.js';
import type { StorageModel, TypeModel } from './storage-model.js';
import type { VersionHead } from './version-heads.js';

type Path = readonly (string | number)[];

export type DatedVersionHead = VersionHead & { readonly createdAt: Date };

export type ElementToUpdate = {
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly creationId: string;
  readonly parentId: string | null;
  readonly key: string | null;
  readonly heads: readonly DatedVersionHead[];
  /** The version that is written, with what it says. Relations to what was deleted are not among it. */
  readonly version: DatedVersionHead;
  readonly parts: StoredVersion;
};

export type MergeFacts = {
  readonly storage: StorageModel;
  readonly publicUrl: string;
  /** Text that no other change has. */
  readonly seed: string;
};

export type ElementIds = { readonly elementId: string; readonly versionId: string };

/** What an element of a request is about: what is stored, or a new one with the identifiers made for it. */
export type WriteTarget = { readonly ids: ElementIds; readonly stored?: ElementToUpdate };

export type MergedElement = ElementIds & {
  /** In the request. */
  readonly path: Path;
  readonly type: TypeModel;
  readonly stored: ElementToUpdate | undefined;
  readonly key: string | undefined;
  readonly creationId: string;
  readonly stereotype: string | undefined;
  /** As it is found, and as it is named; undefined: the element stays where it is. */
  readonly parent: { readonly parentId: string | null; readonly given: string } | undefined;
  readonly state: string;
  /** As they are stored, with those that the server keeps and does not compute. */
  readonly attributes: StoredAttributes;
  readonly relations: readonly RelationChange[];
  readonly content: ContentChange | undefined;
  readonly references: readonly RequestedReference[];
  /** What is not as it was, by name; nothing is written when it is empty. */
  readonly changed: readonly string[];
  /** Where the request has another value for what only the server writes. */
  readonly ignored: readonly Path[];
};

/** Faults go to `list`, below `path`. */
export function* mergeElement(
  list: FaultList,
  path: Path,
  facts: MergeFacts,
  requested: WrittenElement,
  type: TypeModel,
  { ids, stored }: WriteTarget,
): SlicedWork<MergedElement> {
  const { storage } = facts;
  const state = stored?.version.state ?? initialState(type.versioned);
  const values = mergeAttributes(list, [...path, 'attributes'], {
    type,
    stored: stored?.parts.attributes ?? {},
    requested: requested.attributes,
    isKept: (name) => systemNames.has(name),
  });
  const relations = yield* mergeRelations(list, [...path, 'related'], storage, {
    stored: stored?.parts.relations ?? [],
    requested: requested.related,
    kept: systemRelationsOf(stored),
  });
  const content =
    requested.content &&
    (yield* mergeContent(list, [...path, 'content'], storage, {
      versionId: ids.versionId,
      stored: stored?.parts.content ?? [],
      requested: requested.content,
      seed: `${facts.seed} ${path.join('.')}`,
    }));
  const parent = parentOf(storage, requested, stored);
  const stereotype = (requested.stereotype === undefined ? stored?.stereotype : requested.stereotype) ?? undefined;
  checkMembers(list, path, facts, { requested, type, state, stored });
  const document: ElementDocument = {
    id: ids.elementId,
    type: type.name,
    // Of versions only drafts are written; what may lack in them is no fault beside the conflict of another state.
    state: type.versioned ? initialState(true) : state,
    ...(parent?.parentId && { parent: parent.parentId }),
    attributes: values.given,
    relations: relations.targets,
    ...(content && { content: [...content.documents] }),
  };
  for (const fault of yield* checkElementSliced(storage, document))
    list.adopt([...path, ...writtenPath(fault.path)], fault);
  return {
    ...ids,
    path,
    type,
    stored,
    key: stored ? (stored.key ?? undefined) : requested.key,
    creationId:
      stored?.creationId ?? (requested.creationId ? elementIdOf(storage, requested.creationId) : ids.elementId),
    stereotype,
    parent,
    state,
    attributes: { ...values.attributes, ...systemValues(stored?.parts.attributes) },
    relations: relations.changes,
    content: content?.change,
    references: [...relations.references, ...(content?.references ?? [])],
    changed: [
      ...values.changed,
      ...relations.changes.map(({ relation }) => relation),
      ...(content?.change ? ['content'] : []),
      ...(stereotype === (stored?.stereotype ?? undefined) ? [] : ['stereotype']),
      ...(parent && (stored || parent.parentId !== null) ? ['parent'] : []),
    ],
    ignored: [...values.ignored, ...relations.ignored, ...(content?.ignored ?? [])],
  };
}

/** `authorNote` is the caller's, though every type has it. */
const systemNames: ReadonlySet<string> = new Set(
  systemAttributes.map(({ name }) => name).filter((name) => name !== 'authorNote'),
);

/** The day of creation stays; that of the change does not. */
const systemValues = (stored: StoredAttributes = {}): StoredAttributes =>
  stored['createdOn'] ? { createdOn: stored['createdOn'] } : {};

const systemRelationsOf = (stored: ElementToUpdate | undefined): ReadonlyMap<string, readonly string[]> => {
  const history = stored?.heads.filter(({ state }) => wasReleased(state)).map(() => stored.elementId) ?? [];
  return new Map(
    systemRelations.map((name) => [
      name,
      name === 'releaseHistory' ? history : targetIdsOf(stored?.parts.relations ?? [], name),
    ]),
  );
};

const parentOf = (
  storage: StorageModel,
  { parentId }: WrittenElement,
  stored: ElementToUpdate | undefined,
): MergedElement['parent'] => {
  if (parentId === undefined) return stored ? undefined : { parentId: null, given: '' };
  const resolved = parentId === null ? null : elementIdOf(storage, parentId);
  return stored?.parentId === resolved ? undefined : { parentId: resolved, given: parentId ?? '' };
};

type Members = {
  readonly requested: WrittenElement;
  readonly type: TypeModel;
  readonly state: string;
  readonly stored: ElementToUpdate | undefined;
};

/** Members that only say again what is there already. */
const checkMembers = (list: FaultList, path: Path, facts: MergeFacts, members: Members): void => {
  const { requested, type, state, stored } = members;
  if (requested.children !== undefined)
    list.add([...path, 'children'], 'children', 'children are written as elements with parentId');
  if (requested.facetName !== undefined && requested.facetName.toLowerCase() !== type.facet.toLowerCase())
    list.add(
      [...path, 'facetName'],
      'facet',
      `elements of the type "${type.name}" belong to the facet "${type.facet}"`,
    );
  if (requested.state !== undefined && requested.state !== state)
    list.add([...path, 'state'], 'state', stateMessage(facts, type, state, stored));
  if (!stored) return;
  if (requested.type !== undefined && requested.type.toLowerCase() !== type.name.toLowerCase())
    list.add([...path, 'type'], 'kept', `an element keeps its type, "${type.name}"`);
  if (requested.key !== undefined && requested.key !== stored.key)
    list.add([...path, 'key'], 'kept', 'an element keeps the key that it was made with');
  if (requested.creationId !== undefined && elementIdOf(facts.storage, requested.creationId) !== stored.creationId)
    list.add([...path, 'creationId'], 'kept', `an element keeps its creationId, "${stored.creationId}"`);
};

const stateMessage = (
  { storage, publicUrl }: MergeFacts,
  type: TypeModel,
  state: string,
  stored: ElementToUpdate | undefined,
): string => {
  if (!stored) return `what is new is in the state "${state}"; transitions change it when it is there`;
  const id = type.versioned ? stored.version.versionId : stored.elementId;
  return `it is in the state "${state}", which transitions change: ${publicUrl}${storagePath(storage)}/release/${id}/transitions`;
};

/** The path of a fault in a document, as a request spells it. */
const writtenPath = (path: string): readonly string[] => {
  const segments = path.split('.');
  const isIn = (place: number, name: string): boolean => segments[place] === name;
  return segments.map((segment, place) => {
    if (place === 0 && isIn(0, 'parent')) return 'parentId';
    if (segment !== 'relations') return segment;
    return place === 0 || (place === 2 && isIn(0, 'content')) ? 'related' : segment;
  });
};
