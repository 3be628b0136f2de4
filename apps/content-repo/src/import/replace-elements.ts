/**
 * Replaces elements by what their files say, version by version: a version that says what its file says keeps its rows,
 * its day of change and, as far as it shows nothing else that changed, its rendition. What only the API made goes to
 * the bin.
 */
import {
  type ElementPlan,
  toElementRows,
  type ElementRows,
  findReleasedVersion,
  type VersionHead,
  type VersionPlan,
  formatVersion,
  wasReleased,
} from '@tessera/content-model';
import type { ChangeEntry } from '../change/change.repository.js';
import { insertVersions } from '../change/element-rows.repository.js';
import { moveVersionToBin } from '../deletion/deletion.repository.js';
import type { ImportScope } from './imports.repository.js';
import {
  type PlannedElement,
  deleteRenditions,
  deleteRenditionsOfReferrers,
  deleteVersions,
  findStoredVersions,
  type StoredVersionRow,
  type StoredPlan,
  type StoredElementRow,
  upsertElements,
} from './stored-elements.repository.js';

export type ElementReplacement = {
  readonly file: PlannedElement;
  /** Undefined for a new element. */
  readonly stored: StoredElementRow | undefined;
  readonly storedPlan: StoredPlan | undefined;
};

type ReplacementRows = {
  readonly versions: number;
  /** What went to the bin. */
  readonly deleted: readonly ChangeEntry[];
};

export const replaceElements = async (
  scope: ImportScope,
  replacements: readonly ElementReplacement[],
  now: Date,
): Promise<ReplacementRows> => {
  if (replacements.length === 0) return { versions: 0, deleted: [] };
  const ids = replacements.flatMap(({ stored }) => (stored ? [stored.element_id] : []));
  const versions = ids.length > 0 ? await findStoredVersions(scope, ids) : new Map<string, never>();
  const steps = replacements.map((each) => stepOf(scope, each, versions.get(each.file.plan.elementId) ?? [], now));
  const binned = steps.flatMap(({ binned }) => binned);
  for (const { versionId } of binned) await moveVersionToBin(scope, versionId, now);
  const all = <T>(of: (step: Step) => readonly T[]): readonly T[] => steps.flatMap(of);
  await deleteVersions(
    scope,
    all(({ gone }) => gone),
  );
  await deleteRenditions(
    scope,
    all(({ stale }) => stale),
  );
  await deleteRenditionsOfReferrers(
    scope,
    all(({ renamed }) => renamed),
  );
  await upsertElements(
    scope,
    replacements.map(({ file }) => file),
  );
  const rows = steps.map((step) => step.rows);
  await insertVersions(scope, {
    versions: rows.flatMap((element) => element.versions),
    content: rows.flatMap((element) => element.content),
    relations: rows.flatMap((element) => element.relations),
  });
  return { versions: all((step) => step.rows.versions).length, deleted: binned.map(entryOf) };
};

type BinnedVersion = StoredVersionRow & { readonly elementId: string; readonly facet: string };

type Step = {
  readonly rows: ElementRows;
  readonly gone: readonly string[];
  readonly binned: readonly BinnedVersion[];
  /** Versions that stay and whose renditions do not. */
  readonly stale: readonly string[];
  /** The element when references show something else of it than before. */
  readonly renamed: readonly string[];
};

const stepOf = (
  { model }: ImportScope,
  { file: { plan }, stored, storedPlan }: ElementReplacement,
  existing: readonly StoredVersionRow[],
  now: Date,
): Step => {
  const known = existing.map((version) => ({ ...version, contentIds: contentIdsOf(storedPlan, version.versionId) }));
  const rows = toElementRows(model, plan, known, now);
  if (!stored) return { rows, gone: [], binned: [], stale: [], renamed: [] };
  const kept = keptVersions(plan, storedPlan, rows, existing);
  const written = new Set(rows.versions.map(({ versionId }) => versionId));
  const isOurs = ({ versionId, revision }: StoredVersionRow): boolean =>
    written.has(versionId) || BigInt(revision) <= BigInt(stored.applied_revision);
  const gone = existing.filter(({ versionId }) => !kept.has(versionId));
  const { facet, element_id: elementId } = stored;
  return {
    rows: withoutVersions(rows, kept),
    gone: gone.map(({ versionId }) => versionId),
    binned: gone.filter((version) => !isOurs(version)).map((version) => ({ ...version, elementId, facet })),
    stale: isRenderedAlike(plan, storedPlan, rows, existing) ? [] : [...kept],
    renamed: hasNewIdentity(plan, stored) ? [elementId] : [],
  };
};

/** The versions that say in every respect what their files say. */
const keptVersions = (
  plan: ElementPlan,
  storedPlan: StoredPlan | undefined,
  rows: ElementRows,
  existing: readonly StoredVersionRow[],
): ReadonlySet<string> => {
  if (!storedPlan || storedPlan.plan.type !== plan.type || storedPlan.plan.facet !== plan.facet) return new Set();
  const before = new Map(storedPlan.plan.versions.map((version) => [formatVersion(version), JSON.stringify(version)]));
  const isAsSaid = (version: VersionPlan, versionId: string): boolean =>
    before.get(formatVersion(version)) === JSON.stringify(version) &&
    existing.some((other) => other.versionId === versionId && formatVersion(other) === formatVersion(version)) &&
    originalsIn(rows, versionId).join() ===
      (storedPlan.content.get(versionId) ?? []).map((row) => row.creation_id).join();
  return new Set(
    rows.versions.flatMap(({ versionId }, index) => {
      const version = plan.versions[index];
      return version && isAsSaid(version, versionId) ? [versionId] : [];
    }),
  );
};

const contentIdsOf = (storedPlan: StoredPlan | undefined, versionId: string): ReadonlyMap<string, string> =>
  new Map((storedPlan?.content.get(versionId) ?? []).map(({ id, content_id }) => [id, content_id]));

const originalsIn = ({ content }: ElementRows, versionId: string): readonly string[] =>
  content.flatMap((row) => (row.versionId === versionId ? [row.creationId] : []));

const withoutVersions = ({ versions, content, relations }: ElementRows, kept: ReadonlySet<string>): ElementRows => {
  const left = content.filter(({ versionId }) => !kept.has(versionId));
  const owners = new Set([...versions, ...left].map((row) => ('contentId' in row ? row.contentId : row.versionId)));
  return {
    versions: versions.filter(({ versionId }) => !kept.has(versionId)),
    content: left,
    relations: relations.filter(({ ownerId }) => owners.has(ownerId) && !kept.has(ownerId)),
  };
};

/** What every version of an element shows beside its own: the element itself, which version is the one, the releases. */
const isRenderedAlike = (
  plan: ElementPlan,
  storedPlan: StoredPlan | undefined,
  { versions }: ElementRows,
  existing: readonly StoredVersionRow[],
): boolean =>
  storedPlan !== undefined &&
  storedPlan.plan.stereotype === plan.stereotype &&
  storedPlan.plan.creationId === plan.creationId &&
  storedPlan.plan.parentId === plan.parentId &&
  versionsSummary(versions) === versionsSummary(existing);

const versionsSummary = (heads: readonly VersionHead[]): string => {
  const sorted = heads.toSorted((left, right) => left.major - right.major || left.minor - right.minor);
  const shown = findReleasedVersion(sorted) ?? sorted.at(-1);
  const releases = sorted.filter(({ state }) => wasReleased(state));
  return JSON.stringify([shown?.versionId, releases.map(({ versionId, state }) => [versionId, state])]);
};

/** What references to the element show of it. */
const hasNewIdentity = (plan: ElementPlan, stored: StoredElementRow): boolean =>
  stored.deleted ||
  stored.facet !== plan.facet ||
  stored.type !== plan.type ||
  (stored.stereotype ?? undefined) !== plan.stereotype ||
  stored.creation_id !== plan.creationId;

const entryOf = ({ elementId, facet, versionId, state, ...number }: BinnedVersion): ChangeEntry => ({
  action: 'deleted',
  facet,
  elementId,
  versionId,
  detail: { version: formatVersion(number), state },
});
