/**
 * What an update makes of attributes and relations: what is named is replaced whole, the rest stays. What only the
 * server writes is ignored, so that what was read can be sent back, and named when it is not as it was.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, AttributeValues, RelationTargets } from '@tessera/contracts';
import type { WrittenElement } from '@tessera/contracts/content-repo';
import type { FaultList } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import { publicUrlPlaceholder } from './addresses.js';
import { neutralCulture, toStoredAttributes, type StoredAttributes } from './attributes.js';
import { elementIdOf } from './element-ids.js';
import type { StoredRelation } from './new-version.js';
import { findAttribute, findRelation, type StorageModel, type TypeModel } from './storage-model.js';

type Path = readonly (string | number)[];
type GivenAttributes = NonNullable<WrittenElement['attributes']>;
type GivenRelations = NonNullable<WrittenElement['related']>;

type MergedAttributes = {
  /** What the caller may write, spelled as the caller does: to be checked. */
  readonly given: AttributeValues;
  /** The same as it is stored. */
  readonly attributes: StoredAttributes;
  readonly changed: readonly string[];
  readonly ignored: readonly Path[];
};

type AttributesToMerge = {
  readonly type: TypeModel;
  readonly stored: StoredAttributes;
  readonly requested: GivenAttributes | undefined;
  /** Whether only the server writes the attribute of that name. */
  readonly isKept: (name: string) => boolean;
};

export const mergeAttributes = (
  list: FaultList,
  path: Path,
  { type, stored, requested = {}, isKept }: AttributesToMerge,
): MergedAttributes => {
  const own = Object.fromEntries(Object.entries(stored).filter(([name]) => !isKept(name)));
  const given = new Map<string, AttributeValues[string]>(Object.entries(own));
  const seen = new Set<string>();
  const ignored: Path[] = [];
  for (const [name, value] of Object.entries(requested)) {
    if (list.isFull) break;
    const known = findAttribute(type, name)?.name;
    const defined = known ?? name;
    if (seen.has(defined)) list.add([...path, name], 'twice', `the attribute "${defined}" is given twice`);
    else if (isKept(defined)) {
      if (!isUnchanged(type, defined, stored[defined], value)) ignored.push([...path, name]);
    } else {
      given.delete(defined);
      // What is unknown cannot be removed either; the check names it.
      if (!isRemoval(value) || known === undefined) given.set(name, value ?? '');
    }
    seen.add(defined);
  }
  const attributes = toStoredAttributes(type, Object.fromEntries(given));
  const names = new Set([...Object.keys(own), ...Object.keys(attributes)]);
  return {
    given: Object.fromEntries(given),
    attributes,
    changed: [...names].filter((name) => !isDeepStrictEqual(own[name], attributes[name])),
    ignored,
  };
};

const isRemoval = (value: GivenAttributes[string]): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

const isUnchanged = (
  type: TypeModel,
  name: string,
  stored: StoredAttributes[string] | undefined,
  value: GivenAttributes[string],
): boolean => {
  const requested = value === null ? undefined : toStoredAttributes(type, { [name]: value })[name];
  return isDeepStrictEqual(requested, stored) || isSameAddress(requested?.[neutralCulture], stored?.[neutralCulture]);
};

/** A stored address has a placeholder where a reader sees the public URL. */
const isSameAddress = (requested: AttributeValue | undefined, stored: AttributeValue | undefined): boolean =>
  typeof requested === 'string' &&
  typeof stored === 'string' &&
  stored.startsWith(publicUrlPlaceholder) &&
  requested.endsWith(stored.slice(publicUrlPlaceholder.length));

/** One reference that was asked for. */
export type RequestedReference = {
  readonly path: Path;
  readonly relation: string;
  /** As the caller names it. */
  readonly target: string;
  readonly targetId: string;
};

export type RelationChange = { readonly relation: string; readonly targetIds: readonly string[] };

type MergedRelations = {
  /** To be checked. */
  readonly targets: RelationTargets;
  readonly references: readonly RequestedReference[];
  /** The relations that become something else. */
  readonly changes: readonly RelationChange[];
  readonly ignored: readonly Path[];
};

/** An id is the hash of a key. */
const hashesOfStep = 200;

type RelationsToMerge = {
  readonly stored: readonly StoredRelation[];
  readonly requested: GivenRelations | undefined;
  /** Relations that only the server writes, with what they lead to. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
};

export function* mergeRelations(
  list: FaultList,
  path: Path,
  storage: StorageModel,
  { stored, requested = {}, kept }: RelationsToMerge,
): SlicedWork<MergedRelations> {
  const targets = new Map<string, string[]>();
  const references: RequestedReference[] = [];
  const changes: RelationChange[] = [];
  const ignored: Path[] = [];
  const seen = new Set<string>();
  for (const [name, items] of Object.entries(requested)) {
    const relation = findRelation(storage, name)?.name ?? name;
    const named = items.map((item) => (typeof item === 'string' ? item : item.id));
    const targetIds: string[] = [];
    for (const target of named) {
      if (targetIds.length % hashesOfStep === 0) yield;
      targetIds.push(elementIdOf(storage, target));
    }
    const here = [...path, name];
    const keptIds = kept.get(relation);
    if (seen.has(relation)) list.add(here, 'twice', `the relation "${relation}" is given twice`);
    else if (keptIds) {
      if (!isDeepStrictEqual(targetIds, keptIds)) ignored.push(here);
    } else {
      targets.set(name, targetIds);
      references.push(
        ...named.map((target, index) => ({
          path: [...here, index],
          relation,
          target,
          targetId: targetIds[index] ?? '',
        })),
      );
      if (!isDeepStrictEqual(targetIds, targetIdsOf(stored, relation))) changes.push({ relation, targetIds });
    }
    seen.add(relation);
  }
  return { targets: Object.fromEntries(targets), references, changes, ignored };
}

export const targetIdsOf = (stored: readonly StoredRelation[], relation: string): readonly string[] =>
  stored.filter((reference) => reference.relation === relation).map(({ targetId }) => targetId);
