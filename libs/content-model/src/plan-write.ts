/**
 * What a request to write elements becomes: every element merged with what is stored, checked alone and with all
 * others. Faults are what the caller has to correct, conflicts what stands against a request that is right in itself.
 */
import type { WrittenElement } from '@tessera/contracts/content-repo';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import { storagePath } from './addresses.js';
import { cycleFault, type RelatedElement, checkParent, checkRelationTarget } from './element-rules.js';
import {
  type ElementToUpdate,
  type MergedElement,
  mergeElement,
  type MergeFacts,
  type WriteTarget,
} from './merge-element.js';
import { findCycles, type ExistingElementsById, type ElementParent } from './place-elements.js';
import { initialState } from './states.js';
import { type TypeModel, findType } from './storage-model.js';
import {
  findVersionHead,
  findDraftVersion,
  findReleasedVersion,
  type VersionHead,
  formatVersion,
} from './version-heads.js';

export type WriteFacts = MergeFacts & {
  /** In its defined spelling. */
  readonly facet: string;
  /** The types that may be written in the view, and its name; undefined when it shows all. */
  readonly shown: { readonly view: string; readonly types: readonly string[] } | undefined;
  readonly known: ExistingElementsById;
};

type WritePlan = {
  readonly faults: readonly Fault[];
  readonly conflicts: readonly Fault[];
  /** In the order of the request; complete when there are no faults. */
  readonly elements: readonly MergedElement[];
};

/** The element and the version that an element of the request names; a fault where there are none. */
export const findWriteTarget = <Element extends { readonly elementId: string; readonly heads: readonly VersionHead[] }>(
  list: FaultList,
  index: number,
  { id, versionId }: Pick<WrittenElement, 'id' | 'versionId'>,
  stored: readonly Element[],
): { readonly element: Element; readonly version: Element['heads'][number] } | undefined => {
  const has = (element: Element, requested: string): boolean =>
    element.elementId === requested || element.heads.some((head) => head.versionId === requested);
  const path = ['elements', index];
  const [requestedId, askedVersionId] = [id?.toLowerCase(), versionId?.toLowerCase()];
  const element = stored.find((candidate) => has(candidate, requestedId ?? askedVersionId ?? ''));
  if (!element) {
    list.add(
      [...path, requestedId ? 'id' : 'versionId'],
      'unknown',
      `there is no element "${requestedId ?? askedVersionId}"`,
    );
    return undefined;
  }
  const version =
    askedVersionId === undefined
      ? findVersionHead(element.heads, requestedId ?? '')
      : element.heads.find((head) => head.versionId === askedVersionId);
  if (version) return { element, version };
  list.add([...path, 'versionId'], 'unknown', `the element "${element.elementId}" has no version "${askedVersionId}"`);
  return undefined;
};

/** `targets` in the order of `requested`; undefined where that is a fault already, in `list`. */
export function* planWrite(
  list: FaultList,
  facts: WriteFacts,
  requested: readonly WrittenElement[],
  targets: readonly (WriteTarget | undefined)[],
): SlicedWork<WritePlan> {
  const conflicts = createFaultList('body');
  const elements: MergedElement[] = [];
  const seen = new Set<string>();
  for (const [index, element] of requested.entries()) {
    yield;
    const target = targets[index];
    if (list.isFull) break;
    if (!target) continue;
    const path = ['elements', index];
    const { elementId } = target.ids;
    const naming = [...path, identifyingMember(element)];
    if (seen.has(elementId)) list.add(naming, 'twice', `the element "${element.key ?? elementId}" is given twice`);
    seen.add(elementId);
    const type = typeOf(list, path, facts, element, target.stored);
    if (!type) continue;
    const merged = yield* mergeElement(list, path, facts, element, type, target);
    elements.push(merged);
    const conflict = conflictOf(facts, merged);
    if (conflict) conflicts.add(naming, 'conflict', conflict);
  }
  const inRequest = new Map(elements.map((element) => [element.elementId, element]));
  const find: FindElement = (id) => {
    const found = inRequest.get(id);
    return found ? { type: found.type.name, facet: found.type.facet, isDeleted: false } : facts.known.get(id);
  };
  const isFaulty = (id: string): boolean => seen.has(id) && !inRequest.has(id);
  yield* checkReferences(list, facts, elements, { find, isFaulty });
  checkPlaces(list, facts, elements, { find, isFaulty });
  return { faults: list.faults, conflicts: conflicts.faults, elements };
}

export const toElementParents = (elements: readonly MergedElement[]): readonly ElementParent[] =>
  elements.flatMap(({ elementId, parent }) => (parent ? [{ elementId, parentId: parent.parentId }] : []));

type Path = readonly (string | number)[];
type FindElement = (elementId: string) => RelatedElement;
type OtherElements = {
  readonly find: FindElement;
  /** Whether the request has the element, but not right; that fault is enough. */
  readonly isFaulty: (elementId: string) => boolean;
};

/** What names the element; empty for a new one without a key. */
export const identifyingMember = ({ id, versionId, key }: Pick<WrittenElement, 'id' | 'versionId' | 'key'>): string => {
  if (id !== undefined) return 'id';
  if (versionId !== undefined) return 'versionId';
  return key === undefined ? '' : 'key';
};

/** The type of the element, when it may be written here. */
const typeOf = (
  list: FaultList,
  path: Path,
  { storage, facet, shown }: WriteFacts,
  requested: WrittenElement,
  stored: ElementToUpdate | undefined,
): TypeModel | undefined => {
  const name = stored?.type ?? requested.type;
  if (name === undefined) {
    list.add([...path, 'type'], 'required', 'is missing; a new element needs a type');
    return undefined;
  }
  const type = findType(storage, name);
  const member = [...path, stored ? identifyingMember(requested) : 'type'];
  const here = storage.types.filter((candidate) => candidate.facet === facet).map((candidate) => candidate.name);
  if (!type) list.unknown(member, 'type', name, here);
  else if (type.facet !== facet)
    list.add(
      member,
      'facet',
      `elements of the type "${type.name}" belong to the facet "${type.facet}", not to "${facet}"`,
    );
  else if (shown && !shown.types.includes(type.name))
    list.add(
      member,
      'view',
      `the view "${shown.view}" does not show the type "${type.name}"; write it in the view "detail"`,
    );
  return type;
};

const conflictOf = ({ storage, publicUrl, known }: WriteFacts, element: MergedElement): string | undefined => {
  const { elementId, stored, key, type } = element;
  if (stored) {
    const createAddress = `${publicUrl}${storagePath(storage)}/release/${elementId}/createversion`;
    return refusalOfUpdate(type, stored.heads, stored.version, createAddress);
  }
  const other = known.get(elementId);
  if (!other) return undefined;
  return other.isDeleted
    ? `the key "${key}" belongs to an element that was deleted; choose another key, or have it restored`
    : `the key "${key}" belongs to the element ${elementId} already; update it by this id`;
};

function* checkReferences(
  list: FaultList,
  { storage }: WriteFacts,
  elements: readonly MergedElement[],
  { find, isFaulty }: OtherElements,
): SlicedWork<void> {
  for (const { path, relation, target, targetId } of elements.flatMap(({ references }) => references)) {
    if (list.isFull) return;
    yield;
    if (isFaulty(targetId)) continue;
    const broken = checkRelationTarget(storage, relation, target, find(targetId));
    if (broken) list.add(path, broken.rule, broken.message);
  }
}

const checkPlaces = (
  list: FaultList,
  { storage, known }: WriteFacts,
  elements: readonly MergedElement[],
  { find, isFaulty }: OtherElements,
): void => {
  const circles = findCycles(toElementParents(elements), known);
  for (const { path, elementId, type, parent } of elements) {
    if (!parent || parent.parentId === null || parent.parentId === elementId || isFaulty(parent.parentId)) continue;
    const child = { type: type.name, facet: type.facet };
    const broken =
      checkParent(storage, child, parent.given, find(parent.parentId)) ??
      (circles.has(elementId) ? cycleFault : undefined);
    if (broken) list.add([...path, 'parentId'], broken.rule, broken.message);
  }
};

/** `createAddress`: where a new version is made. Undefined when the version may be written. */
const refusalOfUpdate = (
  type: Pick<TypeModel, 'versioned' | 'transitions'>,
  heads: readonly VersionHead[],
  version: VersionHead,
  createAddress: string,
): string | undefined => {
  if (!type.versioned || version.state === initialState(true)) return undefined;
  const text = `version ${formatVersion(version)} is in the state ${version.state}, and only what is in process can be changed`;
  const back = transitionHint(type, version);
  if (back) return `${text}; bring it back by ${back} first`;
  const draft = findDraftVersion(heads);
  if (draft && draft.versionId !== version.versionId) {
    const first = draft.state === initialState(true) ? undefined : transitionHint(type, draft);
    return `${text}; write to its draft ${formatVersion(draft)} by its own id, ${draft.versionId}${first ? `, when ${first} has brought it back` : ''}`;
  }
  if (findReleasedVersion(heads))
    return `${text}; create a version of what is released first, by POST ${createAddress}`;
  return `${text}; what was released once stays as history`;
};

const transitionHint = ({ transitions }: Pick<TypeModel, 'transitions'>, { state }: VersionHead): string | undefined =>
  transitions.find(({ from, to }) => from === state && to === initialState(true))?.id;
