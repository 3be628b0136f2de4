/** Writes what was planned, all elements together, and renders it. What nothing changes of is left alone. */
import {
  callerRelations,
  fillAttributes,
  type ExistingElementsById,
  type MergedElement,
  toElementParents,
  computeElementTreePositions,
  type RelationRow,
  defaultVersionNumber,
  type VersionRow,
} from '@tessera/content-model';
import { ensureCallerElement, findStoredCallerElement } from '../change/caller-element.js';
import type { ChangeContext } from '../change/change-storage.js';
import type { ChangeEntry } from '../change/change.repository.js';
import { insertVersions, type RelationSelector, removeRelations } from '../change/element-rows.repository.js';
import { beginRenditionReplacement, findReferringVersionIds } from '../change/rendition.repository.js';
import { updateVersions } from '../change/stored-element.repository.js';
import {
  updateDescendantPaths,
  findLastPositions,
  insertElements,
  updateElementTreePositions,
  removeContent,
  updateElements,
} from './write.repository.js';

type AppliedPlan = {
  /** What was done, element by element. */
  readonly entries: readonly ChangeEntry[];
  /** The last statement, sent when it is called. */
  readonly insertRenditions: () => Promise<void>;
};

export const applyWritePlan = async (
  change: ChangeContext,
  facet: string,
  elements: readonly MergedElement[],
  known: ExistingElementsById,
): Promise<AppliedPlan> => {
  const written = elements.filter(({ stored, changed }) => !stored || changed.length > 0);
  if (written.length === 0) return { entries: [], insertRenditions: () => Promise.resolve() };
  const made = written.filter(({ stored }) => !stored);
  const updated = written.filter(({ stored }) => stored);
  const places = await computePlaces(change, facet, written, known);
  const isStored = new Set(updated.map(({ elementId }) => elementId));
  const moved = places.filter(({ elementId }) => isStored.has(elementId));
  const restyled = written.filter(isRestyled).map(({ elementId }) => elementId);
  const updates = updated.map(({ elementId, stereotype }) => ({ elementId, stereotype: stereotype ?? null }));
  const versionsOf = (each: readonly MergedElement[]) => each.map((element) => versionRow(change, element));
  // In the order in which they are sent.
  const [referring, , , , , , , stored] = await Promise.all([
    findReferringVersionIds(change, restyled),
    insertElements(change, made.map(elementToInsert)),
    updateElements(change, updates),
    updateElementTreePositions(change, places),
    updateDescendantPaths(change, facet, moved),
    insertVersions(change, { versions: versionsOf(made), content: [], relations: [] }),
    updateVersions(change, versionsOf(updated)),
    // Not before what is new: one of these elements may be the caller's own.
    findStoredCallerElement(change),
  ]);
  const { callerId, entries } = await ensureCallerElement(change, stored);
  const versions = new Set([...written.flatMap(versionsToRender), ...referring]);
  const [, insertRenditions] = await Promise.all([
    replaceParts(change, written, callerId),
    beginRenditionReplacement(change, [...versions]),
  ]);
  return { entries: [...entries, ...written.map(entryOf)], insertRenditions };
};

const computePlaces = async (
  change: ChangeContext,
  facet: string,
  written: readonly MergedElement[],
  known: ExistingElementsById,
) => {
  const placed = toElementParents(written);
  if (placed.length === 0) return [];
  const parentIds = [...new Set(placed.map(({ parentId }) => parentId))];
  return computeElementTreePositions(placed, known, await findLastPositions(change, facet, parentIds));
};

const elementToInsert = ({ elementId, key, type, stereotype, creationId, parent }: MergedElement) => ({
  elementId,
  key,
  facet: type.facet,
  type: type.name,
  stereotype,
  creationId,
  parentId: parent?.parentId ?? undefined,
});

const versionRow = (change: ChangeContext, element: MergedElement): VersionRow => {
  const { elementId, versionId, type, state, stored, attributes } = element;
  const { major, minor } = stored?.version ?? defaultVersionNumber(type, state);
  const times = { createdAt: stored?.version.createdAt ?? change.changedAt, changedAt: change.changedAt };
  const facts = { elementId, versionId, major, minor, state, ...times };
  return { ...facts, attributes: fillAttributes(change.model, type, attributes, facts) };
};

/** Relations and content become what they are now, whole. */
const replaceParts = async (
  change: ChangeContext,
  written: readonly MergedElement[],
  callerId: string | undefined,
): Promise<void> => {
  const relations = written.flatMap((element) => [
    ...element.relations.map((relation) => ({ ...relation, ownerId: element.versionId })),
    ...(element.content?.relations ?? []),
    ...changedByRelation(element, callerId),
  ]);
  const gone: readonly RelationSelector[] = written.flatMap(({ content }) =>
    (content?.goneIds ?? []).map((ownerId) => ({ ownerId })),
  );
  const replaced = written.filter(({ stored, content }) => stored && content);
  await Promise.all([
    removeRelations(change, [...gone, ...relations.map(({ ownerId, relation }) => ({ ownerId, relation }))]),
    removeContent(
      change,
      replaced.map(({ versionId }) => versionId),
    ),
    insertVersions(change, {
      versions: [],
      content: written.flatMap(({ content }) => content?.rows ?? []),
      relations: relations.flatMap(({ ownerId, relation, targetIds }) =>
        targetIds.map((targetId, position): RelationRow => ({ ownerId, relation, position, targetId })),
      ),
    }),
  ]);
};

const changedByRelation = ({ versionId, stored }: MergedElement, callerId: string | undefined) =>
  callerId === undefined
    ? []
    : (stored ? (['changedBy'] as const) : callerRelations).map((relation) => ({
        ownerId: versionId,
        relation,
        targetIds: [callerId],
      }));

/** Every version shows the stereotype of its element, and so does every reference to it. */
const versionsToRender = (element: MergedElement): readonly string[] =>
  isRestyled(element) ? (element.stored?.heads ?? []).map((head) => head.versionId) : [element.versionId];

const isRestyled = ({ stored, changed }: MergedElement): boolean =>
  stored !== undefined && changed.includes('stereotype');

const entryOf = ({ elementId, versionId, type, stored, key, changed }: MergedElement): ChangeEntry => ({
  action: stored ? 'updated' : 'created',
  facet: type.facet,
  elementId,
  ...(type.versioned && { versionId }),
  detail: { changed, ...(!stored && key !== undefined && { key }) },
});
