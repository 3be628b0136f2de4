/** `$filter` on the parts of one element: as in lists, it says which elements are answered. */
import type { FacetModel } from '@tessera/content-model';
import { type Result, succeed } from '@tessera/failures';
import type { Snapshot } from '../database/snapshot.js';
import type { ElementJson } from '../elements/element-json.js';
import { referenceKey, type ReferenceTarget } from '../elements/element.repository.js';
import { toReferenceTarget } from '../elements/reshape.js';
import { compileContentFilter } from '../filter/compile-content-filter.js';
import type { Storage } from '../storage/storage-definitions.js';
import { findMatchingTargets } from '../tree/tree.repository.js';

/** The element without its attributes when it does not match. Content elements match nothing, as in lists. */
export const filterAttributes = async (
  snapshot: Snapshot,
  storage: Storage,
  element: ElementJson,
  $filter: string,
  facet: FacetModel | undefined,
): Promise<Result<ElementJson>> => {
  const keep = await keepMatching(snapshot, storage, [element], $filter, facet);
  return keep.ok ? succeed(keep.value(element) ? element : { ...element, attributes: {} }) : keep;
};

/** The element with those of its references that lead to elements that match, of whatever facet. */
export const filterRelated = async (
  snapshot: Snapshot,
  storage: Storage,
  element: ElementJson,
  $filter: string,
): Promise<Result<ElementJson>> => {
  const { related = {} } = element;
  const keep = await keepMatching(snapshot, storage, Object.values(related).flat(), $filter);
  if (!keep.ok) return keep;
  const kept = Object.entries(related).map(([name, references]) => [name, references.filter(keep.value)] as const);
  return succeed({ ...element, related: Object.fromEntries(kept.filter(([, references]) => references.length > 0)) });
};

const keepMatching = async (
  snapshot: Snapshot,
  { storageId, model }: Storage,
  elements: readonly ElementJson[],
  $filter: string,
  facet?: FacetModel,
): Promise<Result<(element: ElementJson) => boolean>> => {
  const condition = compileContentFilter($filter, model, facet);
  if (!condition.ok) return condition;
  const targets = new Map<string, ReferenceTarget>();
  for (const element of elements) {
    const target = toReferenceTarget(element);
    if (target) targets.set(referenceKey(target), target);
  }
  const matched = await findMatchingTargets(snapshot, storageId, condition.value, [...targets.values()]);
  return succeed((element) => {
    const target = toReferenceTarget(element);
    return target !== undefined && matched.has(referenceKey(target));
  });
};
