/** Elements that wait for somebody to approve them: found facet by facet until there are enough, so that few requests tell. */
import { queryOptions } from '@tanstack/react-query';
import { callWithHead, type Answer } from '../../api/call.js';
import type { AnswerFor, InputFor } from '../../api/operations.js';
import { readEntries, type ContentEntry } from './content-entries.js';

/** Of the states that storages have by themselves; a team may define others, of which nothing says what they mean. */
export const waitingStates = ['inReview', 'readyForQa', 'readyForRelease', 'requestToExpire'] as const;
export type WaitingState = (typeof waitingStates)[number];

export const isWaitingState = (state: string): state is WaitingState =>
  waitingStates.some((waiting) => waiting === state);

export type Storage = AnswerFor<'listReadableStorages'>['values'][number];
type StoragePlace = { readonly collectionId: string; readonly storageId: string; readonly facets: readonly string[] };
type List = (input: InputFor<'listElements'>) => Promise<Answer<AnswerFor<'listElements'>>>;

export type WaitingElements = {
  readonly elements: readonly ContentEntry[];
  /** Whether there are more than those. */
  readonly hasMore: boolean;
};

const shownMax = 6;
const waitingFilter = `state -in (${waitingStates.map((state) => `'${state}'`).join(', ')})`;

export const findWaiting = async (
  list: List,
  { collectionId, storageId, facets }: StoragePlace,
): Promise<WaitingElements> => {
  const elements: ContentEntry[] = [];
  for (const [at, facetId] of facets.entries()) {
    const { value, head } = await list({
      ...{ collectionId, storageId, facetId, viewId: 'detail', apiVersion: '4.0', $filter: waitingFilter },
      ...{ $pageSize: shownMax - elements.length, $resources: ['attributes'], $select: ['name'] },
    });
    elements.push(...readEntries(value.elements));
    if (elements.length >= shownMax) return { elements, hasMore: head.hasNext || at < facets.length - 1 };
  }
  return { elements, hasMore: false };
};

export const waitingQuery = ({ collection, id, facets }: Storage) => {
  const place = { collectionId: collection, storageId: id, facets: facets.map(({ name }) => name) };
  return queryOptions({
    queryKey: ['listElements', place, 'waiting'] as const,
    queryFn: ({ signal }) => findWaiting((input) => callWithHead('listElements', input, { signal }), place),
  });
};
