/** The facet and the view that a request names. Refuses: to guess; what is not defined is not there. */
import {
  detailView,
  facetNamed,
  publicUrlMark,
  reportingView,
  viewNamed,
  type FacetModel,
  type ViewModel,
} from '@tessera/content-model';
import { succeed, type Result } from '@tessera/failures';
import { contentNotFound } from '../not-found.js';
import type { Storage } from '../storage/storage-definitions.js';

export type FacetView = { readonly facet: FacetModel; readonly view: ViewModel };

/** `isHierarchical` tells two views of the same name apart. */
export const viewOf = (
  storage: Storage,
  facetId: string,
  viewId: string,
  isHierarchical?: boolean,
): Result<FacetView> => {
  const facet = facetNamed(storage.model, facetId);
  const view = facet && viewNamed(facet, viewId, isHierarchical);
  return facet && view ? succeed({ facet, view }) : contentNotFound;
};

/** Addresses in answers lead to these views whatever the element's type; they never hide one that is asked for by id. */
export const isStandardView = ({ name }: ViewModel): boolean =>
  [reportingView, detailView].includes(name.toLowerCase());

/** The address of the facet's elements up to the id, with the mark of the public address in front. */
export const addressPrefixOf = (storage: Storage, facet: FacetModel): string =>
  `${publicUrlMark}${storage.path}/facets/${encodeURIComponent(facet.name)}/reporting/`;
