/**
 * What is stored of the elements that a request is about, by their ids or, when it matches keys, by these, and the
 * identifiers of those that it makes; the same number of statements however many elements there are.
 */
import {
  elementIdOf,
  type ElementIds,
  findWriteTarget,
  initialState,
  findVersionHead,
  defaultVersionNumber,
  type StorageModel,
  type StoredVersion,
  type WriteTarget,
  findType,
  versionIdOf,
} from '@tessera/content-model';
import type { RequestOf } from '@tessera/contracts';
import type { writeElements, WrittenElement } from '@tessera/contracts/content-repo';
import type { FaultList } from '@tessera/failures';
import type { ChangeContext } from '../change/change-storage.js';
import type { ChangeScope } from '../change/change.repository.js';
import {
  findStoredElements,
  readStoredVersions,
  type StoredElement,
  type StoredVersionHead,
} from '../change/stored-element.repository.js';
import { generateElementIds } from './write.repository.js';

/** With the revision of the version, when that is stored. */
export type RevisionedTarget = WriteTarget & { readonly revision?: string };

export type RequestedElements = {
  /** Those that the request names. */
  readonly elements: readonly StoredElement[];
  /** Identifiers for those of it that have neither an id nor a key. */
  readonly newIds: readonly string[];
};

/** What can be read before anything is decided. */
export const readRequestedElements = async (
  scope: ChangeScope,
  requested: readonly WrittenElement[],
  match?: 'key',
): Promise<RequestedElements> => {
  const ids = requested.flatMap(({ id, versionId }) => [id, versionId].flatMap((given) => given?.toLowerCase() ?? []));
  const matched = match ? requested.map((element) => matchedId(scope.model, element)) : [];
  const keyless = requested.filter((element) => isNew(element) && element.key === undefined);
  const [elements, newIds] = await Promise.all([
    findStoredElements(scope, [...ids, ...matched.flatMap((id) => id ?? [])]),
    generateElementIds(scope, keyless.length),
  ]);
  return { elements, newIds };
};

/** In the order of `requested`; undefined where there is no such element, which is a fault in `list`. */
export const resolveTargets = async (
  change: ChangeContext,
  list: FaultList,
  { batch: { elements: requested }, match }: Pick<RequestOf<typeof writeElements>, 'batch' | 'match'>,
  { elements, newIds }: RequestedElements,
): Promise<readonly (RevisionedTarget | undefined)[]> => {
  const stored = new Map(elements.map((element) => [element.elementId, element]));
  const found = requested.map((element, index) => {
    if (!isNew(element)) return findWriteTarget(list, index, element, elements);
    const matching = match && stored.get(matchedId(change.model, element) ?? '');
    const version = matching && writableVersion(matching);
    return version && { element: matching, version };
  });
  const partsByVersion = await readVersionsById(
    change,
    found.flatMap((target) => (target ? [target.version.versionId] : [])),
  );
  const isMade = (element: WrittenElement, index: number): boolean => isNew(element) && !found[index];
  const made = newIds.values();
  const elementIds = requested.map((element, index) => {
    if (!isMade(element, index)) return undefined;
    return element.key === undefined ? made.next().value : elementIdOf(change.model, element.key);
  });
  return requested.map((element, index) => {
    if (match && isMade(element, index) && element.key === undefined) return keyMissing(list, index);
    const elementId = elementIds[index];
    if (elementId !== undefined) return { ids: elementIdsFor(change.model, element, elementId) };
    const target = found[index];
    const parts = target && partsByVersion.get(target.version.versionId);
    if (!target || !parts) return undefined;
    const { versionId, revision } = target.version;
    const stored = { ...target.element, version: target.version, parts };
    return { ids: { elementId: stored.elementId, versionId }, stored, revision };
  });
};

const isNew = ({ id, versionId }: WrittenElement): boolean => id === undefined && versionId === undefined;

const matchedId = (model: StorageModel, element: WrittenElement): string | undefined =>
  isNew(element) && element.key !== undefined ? elementIdOf(model, element.key) : undefined;

/** The draft in process, since nothing else of a type with versions can be written; else what the id of the element means. */
const writableVersion = ({ elementId, heads }: StoredElement): StoredVersionHead | undefined =>
  heads.findLast(({ state }) => state === initialState(true)) ?? findVersionHead(heads, elementId);

const keyMissing = (list: FaultList, index: number): undefined => {
  list.add(['elements', index, 'key'], 'required', 'is missing; with match=key each element has a key, or an id');
};

const readVersionsById = async (
  change: ChangeContext,
  versionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredVersion>> =>
  versionIds.length === 0 ? new Map() : readStoredVersions(change, versionIds, 'shown');

/** An unknown type is a fault that is found later; until then the element has the ids of one without versions. */
const elementIdsFor = (model: StorageModel, { type: name }: WrittenElement, elementId: string): ElementIds => {
  const type = name === undefined ? undefined : findType(model, name);
  const { major, minor } = type ? defaultVersionNumber(type, initialState(type.versioned)) : { major: 1, minor: 0 };
  return { elementId, versionId: versionIdOf(elementId, major, minor) };
};
