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
type List = (input: InputFor<'listElements'>) => Promise<Answer<AnswerFor<'listElements'>>>;

export type WaitingElement = { readonly storage: Storage; readonly entry: ContentEntry };
export type WaitingElements = {
  readonly elements: readonly WaitingElement[];
  /** Whether there may be more than those. */
  readonly hasMore: boolean;
};

const shownMax = 6;
/** Where nothing waits, each facet is a request. */
const requestsMax = 10;
const waitingFilter = `state -in (${waitingStates.map((state) => `'${state}'`).join(', ')})`;

export const findWaiting = async (list: List, storages: readonly Storage[]): Promise<WaitingElements> => {
  const elements: WaitingElement[] = [];
  const places = storages.flatMap((storage) => storage.facets.map(({ name }) => ({ storage, facetId: name })));
  for (const [at, { storage, facetId }] of places.slice(0, requestsMax).entries()) {
    const { value, head } = await list({
      ...{ collectionId: storage.collection, storageId: storage.id, facetId, viewId: 'detail', apiVersion: '4.0' },
      ...{ $filter: waitingFilter, $pageSize: shownMax - elements.length },
      ...{ $resources: ['attributes'], $select: ['name'] },
    });
    elements.push(...readEntries(value.elements).map((entry) => ({ storage, entry })));
    if (elements.length >= shownMax) return { elements, hasMore: head.hasNext || at < places.length - 1 };
  }
  return { elements, hasMore: places.length > requestsMax };
};

export const waitingQuery = (storages: readonly Storage[]) =>
  queryOptions({
    queryKey: ['listElements', storages.map(({ collection, id }) => [collection, id]), 'waiting'] as const,
    queryFn: ({ signal }) => findWaiting((input) => callWithHead('listElements', input, { signal }), storages),
  });
