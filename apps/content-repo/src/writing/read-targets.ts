/**
 * What is stored of the elements that a request is about, and the identifiers of those that it makes; the same number
 * of statements however many elements there are.
 */
import {
  elementIdOf,
  type ElementIds,
  findTarget,
  firstState,
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
import { findStoredElements, readStoredVersions } from '../change/stored-element.repository.js';
import { makeElementIds } from './write.repository.js';

/** With the revision of the version, when that is stored. */
export type ReadTarget = Target & { readonly revision?: string };

/** In the order of `requested`; undefined where there is no such element, which is a fault in `list`. */
export const readTargets = async (
  change: Change,
  list: FaultList,
  requested: readonly WrittenElement[],
): Promise<readonly (ReadTarget | undefined)[]> => {
  const elements = await findStoredElements(
    change,
    requested.flatMap(({ id, versionId }) => [id, versionId].flatMap((given) => (given ? [given.toLowerCase()] : []))),
  );
  const found = requested.map((element, index) =>
    isNew(element) ? undefined : findTarget(list, index, element, elements),
  );
  const partsByVersion = await readVersionsById(
    change,
    found.flatMap((target) => (target ? [target.version.versionId] : [])),
  );
  const elementIds = await findNewIds(change, requested);
  return requested.map((element, index) => {
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

const readVersionsById = async (
  change: Change,
  versionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredVersion>> =>
  versionIds.length === 0 ? new Map() : readStoredVersions(change, versionIds, 'shown');

/** By the place in `requested`; undefined for what is stored. */
const findNewIds = async (
  change: Change,
  requested: readonly WrittenElement[],
): Promise<readonly (string | undefined)[]> => {
  const keyless = requested.filter((element) => isNew(element) && element.key === undefined);
  const made = (keyless.length === 0 ? [] : await makeElementIds(change, keyless.length)).values();
  return requested.map((element) => {
    if (!isNew(element)) return undefined;
    return element.key === undefined ? made.next().value : elementIdOf(change.model, element.key);
  });
};

/** An unknown type is a fault that is found later; until then the element has the ids of one without versions. */
const elementIdsFor = (model: StorageModel, { type: name }: WrittenElement, elementId: string): ElementIds => {
  const type = name === undefined ? undefined : typeNamed(model, name);
  const { major, minor } = type ? standardVersion(type, firstState(type.versioned)) : { major: 1, minor: 0 };
  return { elementId, versionId: versionIdOf(elementId, major, minor) };
};
