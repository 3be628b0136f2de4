/**
 * Ends what was deleted long enough ago: a bounded number of elements and versions in one change. Never purges elements
 * above others which stay.
 */
import type { ChangeContext, ChangeResult } from '../change/change-storage.js';
import { purgeElements, purgeVersions, findPurgeCandidates } from './purge.repository.js';

/** Few enough that other writers of the storage hardly wait. */
const purgeBatchSize = 200;
const dayMs = 86_400_000;

export type PurgeResult = { readonly done: ChangeResult; readonly more: boolean };

export const purgeDeletedElements = async (change: ChangeContext, olderThanDays: number): Promise<PurgeResult> => {
  const deletedUntil = new Date(change.changedAt.getTime() - olderThanDays * dayMs);
  const found = await findPurgeCandidates(change, { deletedUntil, rowsMax: purgeBatchSize });
  const elements = found.flatMap(({ elementId, versionId }) => (versionId === null ? [elementId] : []));
  const versions = found.flatMap(({ versionId }) => (versionId === null ? [] : [versionId]));
  if (versions.length > 0) await purgeVersions(change, versions);
  if (elements.length > 0) await purgeElements(change, elements);
  const counts = { elements: elements.length, versions: versions.length };
  const more = Math.max(counts.elements, counts.versions) === purgeBatchSize;
  const entries = found.map(({ elementId, versionId, facet, deletedAt }) => ({
    action: 'purged' as const,
    facet,
    elementId,
    ...(versionId !== null && { versionId }),
    detail: { deletedAt: deletedAt.toISOString() },
  }));
  return { done: { entries, body: JSON.stringify({ ...counts, more }) }, more };
};
