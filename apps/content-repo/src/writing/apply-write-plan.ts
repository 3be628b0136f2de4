/** Writes what was planned, all elements together, and renders it. What nothing changes of is left alone. */
import {
  callerRelations,
  fillAttributes,
  type KnownElements,
  type MergedElement,
  parentsOf,
  placesOf,
  type RelationRow,
  standardVersion,
  type VersionRow,
} from '@tessera/content-model';
import { callerElement } from '../change/caller-element.js';
import type { Change } from '../change/change-storage.js';
import type { ChangeEntry } from '../change/change.repository.js';
import { insertVersions, type OwnedRelation, removeRelations } from '../change/element-rows.repository.js';
import { replaceRenditions, versionsReferringTo } from '../change/rendition.repository.js';
import { updateVersions } from '../change/stored-element.repository.js';
import {
  arrangePaths,
  findLastPositions,
  insertElements,
  placeElements,
  removeContent,
  updateElements,
} from './write.repository.js';

/** Answers what was done, element by element. */
export const applyWritePlan = async (
  change: Change,
  facet: string,
  elements: readonly MergedElement[],
  known: KnownElements,
): Promise<readonly ChangeEntry[]> => {
  const written = elements.filter(({ stored, changed }) => !stored || changed.length > 0);
  if (written.length === 0) return [];
  const made = written.filter(({ stored }) => !stored);
  const updated = written.filter(({ stored }) => stored);
  const places = await computePlaces(change, facet, written, known);
  await insertElements(change, made.map(elementToInsert));
  await updateElements(
    change,
    updated.map(({ elementId, stereotype }) => ({ elementId, stereotype: stereotype ?? null })),
  );
  await placeElements(change, places);
  const isStored = new Set(updated.map(({ elementId }) => elementId));
  await arrangePaths(
    change,
    facet,
    places.filter(({ elementId }) => isStored.has(elementId)),
  );
  await insertVersions(change, { versions: made.map((each) => versionRow(change, each)), content: [], relations: [] });
  await updateVersions(
    change,
    updated.map((each) => versionRow(change, each)),
  );
  // Not before what is new is there: one of these elements may be the caller's own.
  const { callerId, entries } = await callerElement(change);
  await replaceParts(change, written, callerId);
  const restyled = written.filter(isRestyled).map(({ elementId }) => elementId);
  const versions = [...written.flatMap(versionsToRender), ...(await versionsReferringTo(change, restyled))];
  await replaceRenditions(change, [...new Set(versions)]);
  return [...entries, ...written.map(entryOf)];
};

const computePlaces = async (
  change: Change,
  facet: string,
  written: readonly MergedElement[],
  known: KnownElements,
) => {
  const placed = parentsOf(written);
  if (placed.length === 0) return [];
  const parentIds = [...new Set(placed.map(({ parentId }) => parentId))];
  return placesOf(placed, known, await findLastPositions(change, facet, parentIds));
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

const versionRow = (change: Change, element: MergedElement): VersionRow => {
  const { elementId, versionId, type, state, stored, attributes } = element;
  const { major, minor } = stored?.version ?? standardVersion(type, state);
  const times = { createdAt: stored?.version.createdAt ?? change.changedAt, changedAt: change.changedAt };
  const facts = { elementId, versionId, major, minor, state, ...times };
  return { ...facts, attributes: fillAttributes(change.model, type, attributes, facts) };
};

/** Relations and content become what they are now, whole. */
const replaceParts = async (
  change: Change,
  written: readonly MergedElement[],
  callerId: string | undefined,
): Promise<void> => {
  const relations = written.flatMap((element) => [
    ...element.relations.map((relation) => ({ ...relation, ownerId: element.versionId })),
    ...(element.content?.relations ?? []),
    ...changedByRelation(element, callerId),
  ]);
  const gone: readonly OwnedRelation[] = written.flatMap(({ content }) =>
    (content?.goneIds ?? []).map((ownerId) => ({ ownerId })),
  );
  await removeRelations(change, [...gone, ...relations.map(({ ownerId, relation }) => ({ ownerId, relation }))]);
  await removeContent(
    change,
    written.filter(({ stored, content }) => stored && content).map(({ versionId }) => versionId),
  );
  await insertVersions(change, {
    versions: [],
    content: written.flatMap(({ content }) => content?.rows ?? []),
    relations: relations.flatMap(({ ownerId, relation, targetIds }) =>
      targetIds.map((targetId, position): RelationRow => ({ ownerId, relation, position, targetId })),
    ),
  });
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
