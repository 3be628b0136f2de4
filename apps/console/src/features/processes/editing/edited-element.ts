/** What a form is about: a version with its ETag, and the names of what its relations lead to. */
import type { QueryClient } from '@tanstack/react-query';
import { headQuery } from '../../../api/queries.js';
import { readOnlyElement, type ContentElement } from '../content-element.js';
import { wholeTreeView, type FacetPlace } from '../place.js';
import type { TypeDescription } from './editor-fields.js';

export type EditedElement = { readonly element: ContentElement; readonly etag: string | undefined };

/** As many as an operation takes. */
const relationsMax = 200;

export const editedQuery = (
  { collectionId, storageId, facetId }: FacetPlace,
  elementId: string,
  types: readonly TypeDescription[],
) => {
  // Who changed it last is said when somebody else did.
  const relations = new Set(['changedBy', ...types.flatMap((type) => type.relations.map(({ name }) => name))]);
  return headQuery('readElement', {
    ...{ collectionId, storageId, facetId, elementId, viewId: wholeTreeView },
    $resources: ['attributes', 'related', 'displayNames'],
    $expandRelated: [...relations].slice(0, relationsMax),
  });
};

/** As it is now, whatever was read before. */
export const readAgain = async (
  client: QueryClient,
  query: ReturnType<typeof editedQuery>,
): Promise<EditedElement | undefined> => {
  const { value, head } = await client.fetchQuery({ ...query, staleTime: 0 });
  const element = readOnlyElement(value);
  return element && { element, etag: head.etag };
};
