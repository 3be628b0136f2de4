/**
 * Whether a view shows an element that is asked for by its id: a view with types shows these only, in a tree only where
 * their ancestors are shown. The standard views show every element of the facet, because addresses lead there.
 * Refuses: to read the element itself.
 */
import type { TenantReader } from '../database/tenant-reader.js';
import { isStandardView, type FacetView } from '../tree/view-of.js';
import { isChainOfTypes, type ElementRoot } from './element.repository.js';

export const isShown = async (
  reader: TenantReader,
  storageId: string,
  { facet, view }: FacetView,
  root: Pick<ElementRoot, 'type' | 'path'>,
): Promise<boolean> => {
  if (isStandardView(view) || !view.types) return true;
  if (!view.isHierarchical) return view.types.includes(root.type);
  return isChainOfTypes(reader, storageId, facet.name, root.path, view.types);
};
