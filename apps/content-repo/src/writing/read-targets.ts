/**
 * What is stored of the elements that a request is about, by their ids or, when it matches keys, by these, and the
 * identifiers of those that it makes; the same number of statements however many elements there are.
 */
import {
  elementIdOf,
  type ElementIds,
  findTarget,
  firstState,
  requestedVersion,
  standardVersion,
  type StorageModel,
  type StoredVersion,
  type Target,
  typeNamed,
  versionIdOf,
} from '@tessera/content-model';
import type { WrittenElement } from '@tessera/contracts/content-repo';
import type { FaultList } from '@tessera/failures';
import type { Change } from '../change/change-storage.js';
import {
  findStoredElements,
  readStoredVersions,
  type StoredElement,
  type StoredHead,
} from '../change/stored-element.repository.js';
import { makeElementIds } from './write.repository.js';

/** With the revision of the version, when that is stored. */
export type ReadTarget = Target & { readonly revision?: string };

/** In the order of `requested`; undefined where there is no such element, which is a fault in `list`. */
export const readTargets = async (
  change: Change,
  list: FaultList,
  requested: readonly WrittenElement[],
  match?: 'key',
): Promise<readonly (ReadTarget | undefined)[]> => {
  const ids = requested.flatMap(({ id, versionId }) => [id, versionId].flatMap((given) => given?.toLowerCase() ?? []));
  const matched = match ? requested.map((element) => matchedId(change.model, element)) : [];
  const elements = await findStoredElements(change, [...ids, ...matched.flatMap((id) => id ?? [])]);
  const stored = new Map(elements.map((element) => [element.elementId, element]));
  const found = requested.map((element, index) => {
    if (!isNew(element)) return findTarget(list, index, element, elements);
    const matching = stored.get(matched[index] ?? '');
    const version = matching && writableVersion(matching);
    return version && { element: matching, version };
  });
  const partsByVersion = await readVersionsById(
    change,
    found.flatMap((target) => (target ? [target.version.versionId] : [])),
  );
  const isMade = (element: WrittenElement, index: number): boolean => isNew(element) && !found[index];
  const elementIds = await findNewIds(change, requested, isMade);
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
const writableVersion = ({ elementId, heads }: StoredElement): StoredHead | undefined =>
  heads.findLast(({ state }) => state === firstState(true)) ?? requestedVersion(heads, elementId);

const keyMissing = (list: FaultList, index: number): undefined => {
  list.add(['elements', index, 'key'], 'required', 'is missing; with match=key each element has a key, or an id');
};

const readVersionsById = async (
  change: Change,
  versionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredVersion>> =>
  versionIds.length === 0 ? new Map() : readStoredVersions(change, versionIds, 'shown');

/** By the place in `requested`; undefined for what is stored. */
const findNewIds = async (
  change: Change,
  requested: readonly WrittenElement[],
  isMade: (element: WrittenElement, index: number) => boolean,
): Promise<readonly (string | undefined)[]> => {
  const keyless = requested.filter((element, index) => isMade(element, index) && element.key === undefined);
  const made = (keyless.length === 0 ? [] : await makeElementIds(change, keyless.length)).values();
  return requested.map((element, index) => {
    if (!isMade(element, index)) return undefined;
    return element.key === undefined ? made.next().value : elementIdOf(change.model, element.key);
  });
};

/** An unknown type is a fault that is found later; until then the element has the ids of one without versions. */
const elementIdsFor = (model: StorageModel, { type: name }: WrittenElement, elementId: string): ElementIds => {
  const type = name === undefined ? undefined : typeNamed(model, name);
  const { major, minor } = type ? standardVersion(type, firstState(type.versioned)) : { major: 1, minor: 0 };
  return { elementId, versionId: versionIdOf(elementId, major, minor) };
};
