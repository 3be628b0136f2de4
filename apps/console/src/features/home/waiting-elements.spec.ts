import { expect, it } from '@jest/globals';
import type { InputFor } from '../../api/operations.js';
import { findWaiting, isWaitingState, type Storage } from './waiting-elements.js';

/** A repository with so many waiting elements in each facet. */
const repository = (counts: Readonly<Record<string, number>>) => {
  const asked: InputFor<'listElements'>[] = [];
  return {
    asked,
    list: async (input: InputFor<'listElements'>) => {
      asked.push(input);
      const there = counts[input.facetId] ?? 0;
      const shown = Math.min(there, input.$pageSize ?? 100);
      const elements = Array.from({ length: shown }, (_, at) => ({ id: `${input.facetId}${at}`, state: 'inReview' }));
      return {
        value: { count: shown, elements },
        head: {
          etag: undefined,
          totalCount: there,
          hasNext: there > shown,
          requestId: undefined,
          evidenceId: undefined,
        },
      };
    },
  };
};
const storage = (...facets: readonly string[]): Storage => ({
  ...{ collection: 'meridian', id: 'p2p', title: 'P2P', cultures: [1033], defaultCulture: 1033, info: 'x' },
  facets: facets.map((name) => ({ name, displayNames: {}, views: 'x' })),
});

it.each([
  [{ a: 9 }, ['a', 'b', 'c'], 6, true, 1],
  [{ a: 2, b: 3, c: 4 }, ['a', 'b', 'c'], 6, true, 3],
  [{ a: 2, b: 4 }, ['a', 'b', 'c'], 6, true, 2],
  [{ a: 2, b: 4 }, ['a', 'b'], 6, false, 2],
  [{ b: 1 }, ['a', 'b'], 1, false, 2],
  [{}, [], 0, false, 0],
] as const)('of %j in %j it shows %i, more: %j, by %i requests', async (counts, facets, shown, hasMore, requests) => {
  const { asked, list } = repository(counts);
  const found = await findWaiting(list, [storage(...facets)]);
  expect([found.elements.length, found.hasMore, asked.length]).toEqual([shown, hasMore, requests]);
});

it('looks into one storage after the other, and gives up where nothing waits', async () => {
  const { asked, list } = repository({ b: 2 });
  const found = await findWaiting(list, [storage('a'), { ...storage('b'), id: 'other' }]);
  expect(found.elements.map((each) => each.storage.id)).toEqual(['other', 'other']);
  expect(asked).toHaveLength(2);
  const many = repository({});
  const facets = Array.from({ length: 30 }, (_, at) => `f${at}`);
  expect(await findWaiting(many.list, [storage(...facets)])).toEqual({ elements: [], hasMore: true });
  expect(many.asked).toHaveLength(10);
});

it('asks for the states that wait, in the view that has every element', async () => {
  const { asked, list } = repository({});
  await findWaiting(list, [storage('a')]);
  expect(asked[0]).toMatchObject({
    ...{ collectionId: 'meridian', storageId: 'p2p', facetId: 'a', viewId: 'detail' },
    $filter: "state -in ('inReview', 'readyForQa', 'readyForRelease', 'requestToExpire')",
  });
});

it('knows which states wait', () => {
  expect(['inReview', 'requestToExpire', 'released', 'inProcess', ''].map(isWaitingState)).toEqual([
    ...[true, true, false, false, false],
  ]);
});
