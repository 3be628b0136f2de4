/** A new version of a released one: what is kept, what is dropped, what is new. Its content is copied deep. */
import { endOfTime, fillAttributes, neutralCulture, type StoredAttributes } from './attributes.js';
import { copiedContentIdOf } from './element-ids.js';
import type { ContentRow, ElementRows, RelationRow } from './element-rows.js';
import type { StorageModel, TypeModel } from './storage-model.js';
import { findDraftVersion, findReleasedVersion, type VersionHead, formatVersion } from './version-heads.js';

export type StoredRelation = { readonly relation: string; readonly targetId: string };

export type StoredContent = Omit<ContentRow, 'versionId'> & { readonly relations: readonly StoredRelation[] };

/** Everything that a version says, as it is stored. */
export type StoredVersion = {
  readonly attributes: StoredAttributes;
  /** In order within each relation. */
  readonly relations: readonly StoredRelation[];
  readonly content: readonly StoredContent[];
};

/** Why the version cannot be followed by a new one, with the way out; undefined when it can. */
export const checkNewVersion = (
  type: Pick<TypeModel, 'name' | 'versioned' | 'transitions'>,
  heads: readonly VersionHead[],
  source: VersionHead,
): string | undefined => {
  if (!type.versioned) return `Elements of the type "${type.name}" have no versions; change the element itself.`;
  const draft = findDraftVersion(heads);
  if (draft)
    return `Version ${formatVersion(draft)} (${draft.versionId}) is in the state ${draft.state} already; release or delete it first.`;
  if (source.state === 'released') return undefined;
  return `Version ${formatVersion(source)} is in the state ${source.state}; only a released version can be followed by a new one. ${draftHint(type, heads, source)}`;
};

const draftHint = (
  { transitions }: Pick<TypeModel, 'transitions'>,
  heads: readonly VersionHead[],
  source: VersionHead,
): string => {
  const released = findReleasedVersion(heads);
  if (released) return `Use the released version ${formatVersion(released)} (${released.versionId}).`;
  const back = transitions.find(({ from, to }) => from === source.state && to === 'released');
  return back
    ? `The transition ${back.id} makes it released again.`
    : 'No transition leads back from there; create a new element.';
};

type NewVersionFacts = {
  readonly elementId: string;
  readonly versionId: string;
  /** The versions that the element has. */
  readonly heads: readonly VersionHead[];
  readonly now: Date;
  /** The element that stands for the caller, when the storage has such elements. */
  readonly callerId: string | undefined;
};

const droppedAttributes = new Set(['relon', 'validfrom', 'reasonforrevision']);
const resetAttributes = new Set(['createdon', 'changedon']);
const droppedRelations = new Set(['relby', 'author', 'createdby', 'changedby', 'releasehistory']);
export const callerRelations = ['author', 'createdBy', 'changedBy'] as const;

export const createNewVersionRows = (
  storage: StorageModel,
  type: TypeModel,
  source: StoredVersion & VersionHead,
  { elementId, versionId, heads, now, callerId }: NewVersionFacts,
): ElementRows => {
  const facts = {
    elementId,
    versionId,
    major: source.major,
    minor: nextMinor(heads, source),
    state: 'inProcess',
    createdAt: now,
    changedAt: now,
  };
  const attributes = fillAttributes(storage, type, carriedAttributes(source.attributes), facts);
  const kept = source.relations.filter(({ relation }) => !droppedRelations.has(relation.toLowerCase()));
  const made = callerId ? callerRelations.map((relation) => ({ relation, targetId: callerId })) : [];
  const copies = source.content.map((element) => ({
    element,
    contentId: copiedContentIdOf(versionId, element.contentId),
  }));
  return {
    versions: [{ ...facts, attributes }],
    relations: [
      ...toRelationRows(versionId, [...kept, ...made]),
      ...copies.flatMap(({ element, contentId }) => toRelationRows(contentId, element.relations)),
    ],
    content: copies.map(({ element: { relations: _relations, ...element }, contentId }) => ({
      ...element,
      contentId,
      versionId,
      creationId: element.contentId,
    })),
  };
};

/** One up from the source; files may have brought older versions that come behind it. */
const nextMinor = (heads: readonly VersionHead[], source: VersionHead): number =>
  Math.max(source.minor, ...heads.filter(({ major }) => major === source.major).map(({ minor }) => minor)) + 1;

const carriedAttributes = (attributes: StoredAttributes): StoredAttributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, values]) => {
      const lower = name.toLowerCase();
      if (droppedAttributes.has(lower) || resetAttributes.has(lower)) return [];
      return [[name, lower === 'validuntil' ? { [neutralCulture]: endOfTime } : values]];
    }),
  );

/** Positions count within a relation, in the order given. */
export const toRelationRows = (ownerId: string, relations: readonly StoredRelation[]): readonly RelationRow[] =>
  [...Map.groupBy(relations, ({ relation }) => relation)].flatMap(([relation, list]) =>
    list.map(({ targetId }, position) => ({ ownerId, relation, position, targetId })),
  );
