/**
 * The rows that store a planned element: its versions, relations and content, with their identifiers and instants.
 */
import { fillAttributes, type StoredAttributes } from './attributes.js';
import { contentIdOf, chooseFreeVersionId, isUuid, versionIdOf } from './element-ids.js';
import type { ContentPlan, ElementPlan, RelationPlan, VersionPlan } from './plan-element.js';
import { type StorageModel, findType } from './storage-model.js';

export type VersionRow = {
  readonly versionId: string;
  readonly elementId: string;
  readonly major: number;
  readonly minor: number;
  readonly state: string;
  /** Everything that is shown, server-kept values too. */
  readonly attributes: StoredAttributes;
  readonly createdAt: Date;
  readonly changedAt: Date;
};

export type RelationRow = {
  /** A version or a content element. */
  readonly ownerId: string;
  readonly relation: string;
  readonly position: number;
  readonly targetId: string;
};

export type ContentRow = {
  readonly contentId: string;
  readonly versionId: string;
  readonly key: string | undefined;
  readonly position: number;
  readonly creationId: string;
  readonly type: string;
  readonly stereotype: string | undefined;
  readonly state: string;
  readonly attributes: StoredAttributes;
};

export type ElementRows = {
  readonly versions: readonly VersionRow[];
  readonly relations: readonly RelationRow[];
  readonly content: readonly ContentRow[];
};

/** A version that is stored already; it keeps its identifier and its day of creation, its content keeps identifiers. */
export type ExistingVersion = {
  readonly versionId: string;
  readonly major: number;
  readonly minor: number;
  readonly createdAt: Date;
  /** Key -> identifier of its content. */
  readonly contentIds?: ReadonlyMap<string, string>;
};

export const toElementRows = (
  storage: StorageModel,
  plan: ElementPlan,
  existing: readonly ExistingVersion[],
  now: Date,
): ElementRows => {
  const versions: VersionRow[] = [];
  const relations: RelationRow[] = [];
  const content: ContentRow[] = [];
  const originals = new Map<string, string>();
  const stored = matchVersions(plan, existing);
  const taken = new Set(existing.map(({ versionId }) => versionId));
  for (const version of plan.versions) {
    const { major, minor } = version;
    const known = stored.get(version);
    const versionId = known?.versionId ?? chooseFreeVersionId(plan.elementId, major, minor, taken);
    const facts = { elementId: plan.elementId, versionId, createdAt: known?.createdAt ?? now, changedAt: now };
    const row = versionRow(storage, plan, version, facts);
    versions.push(row);
    relations.push(...relationRows(row.versionId, version.relations));
    version.content.forEach((element, position) => {
      const contentId = known?.contentIds?.get(element.id) ?? contentIdOf(versionId, element.id);
      if (!originals.has(element.id)) originals.set(element.id, contentId);
      const creationId = element.creationId ?? originals.get(element.id) ?? contentId;
      content.push(contentRow(element, { contentId, versionId: row.versionId, position, creationId }));
      relations.push(...relationRows(contentId, element.relations));
    });
  }
  return { versions, relations, content };
};

/**
 * The stored version that a planned one means: that of its number, else the one that began with this number and has got
 * another since, by its release.
 */
const matchVersions = (
  plan: ElementPlan,
  existing: readonly ExistingVersion[],
): ReadonlyMap<VersionPlan, ExistingVersion> => {
  const matched = new Map<VersionPlan, ExistingVersion>();
  const left = new Set(existing);
  const match = (fits: (version: VersionPlan, stored: ExistingVersion) => boolean): void => {
    for (const version of plan.versions) {
      const stored = matched.has(version) ? undefined : [...left].find((other) => fits(version, other));
      if (!stored) continue;
      matched.set(version, stored);
      left.delete(stored);
    }
  };
  match((version, stored) => stored.major === version.major && stored.minor === version.minor);
  match(({ major, minor }, stored) => stored.versionId === versionIdOf(plan.elementId, major, minor));
  return matched;
};

const versionRow = (
  storage: StorageModel,
  plan: ElementPlan,
  { major, minor, state, attributes }: VersionPlan,
  known: Pick<VersionRow, 'elementId' | 'versionId' | 'createdAt' | 'changedAt'>,
): VersionRow => {
  const facts = { ...known, major, minor, state };
  const type = findType(storage, plan.type);
  return { ...facts, attributes: type ? fillAttributes(storage, type, attributes, facts) : attributes };
};

const contentRow = (
  element: ContentPlan,
  place: Pick<ContentRow, 'contentId' | 'versionId' | 'position' | 'creationId'>,
): ContentRow => ({
  ...place,
  key: isUuid(element.id) ? undefined : element.id,
  type: element.type,
  stereotype: element.stereotype,
  state: element.state,
  attributes: element.attributes,
});

const relationRows = (ownerId: string, relations: readonly RelationPlan[]): readonly RelationRow[] =>
  relations.flatMap(({ name, targets }) =>
    targets.map((targetId, position) => ({ ownerId, relation: name, position, targetId })),
  );
