/** Operations as queries and changes of TanStack Query. The key of each is `[name, input]`. */
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type UseMutationResult,
} from '@tanstack/react-query';
import { call, callWithHead } from './call.js';
import type { AnswerFor, InputFor, OperationName } from './operations.js';

/** `useQuery(operationQuery('listFacets', { collectionId, storageId }))` */
export const operationQuery = <Name extends OperationName>(name: Name, input: InputFor<Name>) =>
  queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => call(name, input, { signal }),
  });

/** As `operationQuery`, for what is changed afterwards: the data is `{ value, head }`, and `head.etag` goes into `ifMatch`. */
export const headQuery = <Name extends OperationName>(name: Name, input: InputFor<Name>) =>
  queryOptions({
    queryKey: [name, input, 'head'] as const,
    queryFn: ({ signal }) => callWithHead(name, input, { signal }),
  });

/** A list in pages, for `useInfiniteQuery`. `nextOf` makes the input of the next page of a page's answer; undefined after the last. */
export const pagedQuery = <Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  nextOf: (answer: AnswerFor<Name>, asked: InputFor<Name>) => InputFor<Name> | undefined,
) =>
  infiniteQueryOptions<
    AnswerFor<Name>,
    Error,
    InfiniteData<AnswerFor<Name>, InputFor<Name>>,
    readonly [Name, InputFor<Name>, 'pages'],
    InputFor<Name>
  >({
    queryKey: [name, input, 'pages'],
    queryFn: ({ signal, pageParam }) => call(name, pageParam as InputFor<Name>, { signal }),
    initialPageParam: input,
    getNextPageParam: (answer, _pages, asked) => nextOf(answer, asked),
  });

/**
 * A change: `mutate(input)`. When it has succeeded, all that `invalidates` names is asked for again where it is shown.
 */
export const useChange = <Name extends OperationName>(
  name: Name,
  { invalidates = [] }: { readonly invalidates?: readonly OperationName[] } = {},
): UseMutationResult<AnswerFor<Name>, Error, InputFor<Name>> => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputFor<Name>) => call(name, input),
    onSuccess: async () => {
      await Promise.all(invalidates.map((stale) => client.invalidateQueries({ queryKey: [stale] })));
    },
  });
};
