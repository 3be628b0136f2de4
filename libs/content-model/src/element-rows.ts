/**
 * The rows that store a planned element: its versions, relations and content, with their identifiers and instants.
 * Refuses: to write them; the import does, many elements at once.
 */
import { fillAttributes } from './attributes.js';
import { contentIdOf, isUuid, versionIdOf } from './element-ids.js';
import type { ContentPlan, ElementPlan, RelationPlan, VersionPlan } from './plan-element.js';
import { typeNamed, type StorageModel } from './storage-model.js';
import type { StoredAttributes } from './stored-attributes.js';

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

/** A version that is stored already; a version keeps its identifier and its day of creation. */
export type ExistingVersion = {
  readonly versionId: string;
  readonly major: number;
  readonly minor: number;
  readonly createdAt: Date;
};

export const elementRows = (
  storage: StorageModel,
  plan: ElementPlan,
  existing: readonly ExistingVersion[],
  now: Date,
): ElementRows => {
  const versions: VersionRow[] = [];
  const relations: RelationRow[] = [];
  const content: ContentRow[] = [];
  const originals = new Map<string, string>();
  for (const version of plan.versions) {
    const row = versionRow(storage, plan, version, existing, now);
    versions.push(row);
    relations.push(...relationRows(row.versionId, version.relations));
    version.content.forEach((element, position) => {
      const contentId = contentIdOf(row.versionId, element.id);
      if (!originals.has(element.id)) originals.set(element.id, contentId);
      const creationId = element.creationId ?? originals.get(element.id) ?? contentId;
      content.push(contentRow(element, { contentId, versionId: row.versionId, position, creationId }));
      relations.push(...relationRows(contentId, element.relations));
    });
  }
  return { versions, relations, content };
};

const versionRow = (
  storage: StorageModel,
  plan: ElementPlan,
  version: VersionPlan,
  existing: readonly ExistingVersion[],
  now: Date,
): VersionRow => {
  const { major, minor, state } = version;
  const stored = existing.find((other) => other.major === major && other.minor === minor);
  const facts = {
    elementId: plan.elementId,
    versionId: stored?.versionId ?? versionIdOf(plan.elementId, major, minor),
    major,
    minor,
    state,
    createdAt: stored?.createdAt ?? now,
    changedAt: now,
  };
  const type = typeNamed(storage, plan.type);
  return { ...facts, attributes: type ? fillAttributes(storage, type, version.attributes, facts) : version.attributes };
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
