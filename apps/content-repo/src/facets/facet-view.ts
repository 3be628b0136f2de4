/** The facet and the view that a request names. */
import {
  detailView,
  type FacetModel,
  findFacet,
  publicUrlPlaceholder,
  reportingView,
  type ViewModel,
  findView,
} from '@tessera/content-model';
import { type Result, succeed } from '@tessera/failures';
import type { TenantReader } from '../database/tenant-reader.js';
import { type ReportRoot, areAncestorsOfTypes } from '../elements/element.repository.js';
import { contentNotFound } from '../replies.js';
import type { Storage } from '../storage/storage-definitions.js';

export type FacetView = { readonly facet: FacetModel; readonly view: ViewModel };

/** `isHierarchical` tells two views of the same name apart. */
export const findFacetView = (
  storage: Storage,
  facetId: string,
  viewId: string,
  isHierarchical?: boolean,
): Result<FacetView> => {
  const facet = findFacet(storage.model, facetId);
  const view = facet && findView(facet, viewId, isHierarchical);
  return facet && view ? succeed({ facet, view }) : contentNotFound;
};

/** Addresses in answers lead to these views whatever the element's type; they never hide one that is asked for by id. */
export const isStandardView = ({ name }: ViewModel): boolean =>
  [reportingView, detailView].includes(name.toLowerCase());

/** The address of the facet's elements up to the id, with the placeholder of the public URL in front. */
export const addressPrefixOf = (storage: Storage, facet: FacetModel): string =>
  `${publicUrlPlaceholder}${storage.path}/facets/${encodeURIComponent(facet.name)}/reporting/`;

export const isShownInView = async (
  reader: TenantReader,
  storageId: string,
  { facet, view }: FacetView,
  root: Pick<ReportRoot, 'type' | 'path'>,
): Promise<boolean> => {
  if (isStandardView(view) || !view.types) return true;
  if (!view.isHierarchical) return view.types.includes(root.type);
  return areAncestorsOfTypes(reader, storageId, facet.name, root.path, view.types);
};
