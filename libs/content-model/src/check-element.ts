/**
 * The faults of one element against its storage's definition: type, versions, states, attributes, relations, content; of
 * many the first ones. What needs other elements (targets, parents, cycles) is a check of the whole.
 */
import {
  type ContentDocument,
  type ElementDocument,
  type RelationTargets,
  type VersionDocument,
} from '@tessera/contracts';
import { runUnsliced, type SlicedWork } from '@tessera/fair-queue';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';
import { checkAttributes } from './check-attributes.js';
import { initialState, wasReleased } from './states.js';
import { findRelation, findType, type StorageModel, type TypeModel } from './storage-model.js';

type Path = readonly (string | number)[];
type Check = { readonly storage: StorageModel; readonly list: FaultList };
type VersionMembers = Omit<VersionDocument, 'version'>;

const topMembers = ['version', 'state', 'attributes', 'relations', 'content'] as const;

export const checkElement = (storage: StorageModel, document: ElementDocument): readonly Fault[] =>
  runUnsliced(checkElementSliced(storage, document));

export function* checkElementSliced(storage: StorageModel, document: ElementDocument): SlicedWork<readonly Fault[]> {
  const list = createFaultList('elements');
  const check = { storage, list };
  const type = findType(storage, document.type);
  if (!type) {
    list.unknown(
      ['type'],
      'type',
      document.type,
      storage.types.map(({ name }) => name),
    );
    return list.faults;
  }
  if (document.parent === document.id) list.add(['parent'], 'cycle', 'an element cannot stand under itself');
  if (!type.versioned) checkUnversioned(list, document);
  if (document.versions) yield* checkVersions(check, type, document, document.versions);
  else yield* checkVersion(check, [], type, document);
  return list.faults;
}

const checkUnversioned = (list: FaultList, document: ElementDocument): void => {
  for (const member of ['version', 'versions'] as const)
    if (document[member] !== undefined)
      list.add([member], 'versioned', `elements of the type "${document.type}" have no versions`);
};

function* checkVersions(
  check: Check,
  type: TypeModel,
  document: ElementDocument,
  versions: readonly VersionDocument[],
): SlicedWork<void> {
  const { list } = check;
  for (const member of topMembers)
    if (document[member] !== undefined)
      list.add([member], 'versions', `"${member}" belongs into the entries of "versions"`);
  for (const [index, version] of versions.entries()) {
    if (list.isFull) return;
    if (versions.findIndex((other) => other.version === version.version) !== index)
      list.add(['versions', index, 'version'], 'twice', `version ${version.version} is given twice`);
    const earlier = versions.findIndex(({ state }) => state === 'released');
    if (version.state === 'released' && earlier < index)
      list.add(
        ['versions', index, 'state'],
        'released',
        `version ${versions[earlier]?.version} is released already; one version can be`,
      );
    yield* checkVersion(check, ['versions', index], type, version);
  }
}

function* checkVersion(check: Check, path: Path, type: TypeModel, version: VersionMembers): SlicedWork<void> {
  const state = version.state ?? initialState(type.versioned);
  if (!type.states.includes(state)) check.list.unknown([...path, 'state'], 'state', state, type.states);
  const complete = !type.versioned || wasReleased(state);
  checkAttributes(check, [...path, 'attributes'], type, version.attributes ?? {}, complete);
  checkRelations(check, [...path, 'relations'], type, version.relations ?? {});
  yield* checkContent(check, [...path, 'content'], type, version.content ?? []);
}

const checkRelations = ({ storage, list }: Check, path: Path, type: TypeModel, relations: RelationTargets): void => {
  for (const [name, targets] of Object.entries(relations)) {
    if (list.isFull) return;
    const relation = findRelation(storage, name);
    const here = [...path, name];
    if (!relation) {
      const known = storage.relations.filter(({ from }) => from?.includes(type.name) ?? true);
      list.unknown(
        here,
        'relation',
        name,
        known.map((candidate) => candidate.name),
      );
      continue;
    }
    if (relation.name === 'releaseHistory') list.add(here, 'kept', '"releaseHistory" is kept by the server');
    if (relation.from && !relation.from.includes(type.name))
      list.add(here, 'from', `elements of the type "${type.name}" do not have the relation "${relation.name}"`);
    if (!relation.many && targets.length > 1)
      list.add([...here, 1], 'many', `"${relation.name}" leads to one element at most`);
    const seen = new Set<string>();
    for (const [index, target] of targets.entries()) {
      if (seen.has(target)) list.add([...here, index], 'twice', `"${target}" is given twice`);
      if (list.isFull) return;
      seen.add(target);
    }
  }
};

function* checkContent(
  check: Check,
  path: Path,
  holder: TypeModel,
  content: readonly ContentDocument[],
): SlicedWork<void> {
  const { storage, list } = check;
  const seen = new Set<string>();
  for (const [index, element] of content.entries()) {
    yield;
    if (list.isFull) return;
    const here = [...path, index];
    if (seen.has(element.id)) list.add([...here, 'id'], 'twice', `"${element.id}" is in this content twice`);
    seen.add(element.id);
    const type = findType(storage, element.type);
    if (!type || !holder.contentTypes.includes(type.name)) {
      list.unknown([...here, 'type'], `content type of "${holder.name}"`, element.type, holder.contentTypes);
      continue;
    }
    const state = element.state ?? initialState(false);
    if (!type.states.includes(state)) list.unknown([...here, 'state'], 'state', state, type.states);
    checkAttributes(check, [...here, 'attributes'], type, element.attributes ?? {}, true);
    checkRelations(check, [...here, 'relations'], type, element.relations ?? {});
  }
}
