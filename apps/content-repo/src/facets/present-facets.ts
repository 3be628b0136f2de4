/** The facets and views of a storage as they are shown. Refuses: to read anything. */
import type { FacetModel, StorageModel, ViewModel } from '@tessera/content-model';
import type { LocalisedText } from '@tessera/contracts';
import { chooseName } from './choose-culture.js';

export type NamesAsked = { readonly apiVersion: '1.0' | '4.0'; readonly acceptLanguage?: string | undefined };

/** `address`: the storage's, with scheme and host: `https://host/collection/storage/_api/rest`. */
export const presentFacets = (model: StorageModel, address: string, asked: NamesAsked) =>
  listOf(
    model.facets.map((facet) => ({
      name: facet.name,
      ...presentNames(facet.displayNames, facet.name, model, asked),
      views: `${facetAddress(address, facet)}/views`,
    })),
  );

export const presentViews = (model: StorageModel, facet: FacetModel, address: string, asked: NamesAsked) =>
  listOf(
    facet.views.map((view: ViewModel) => ({
      name: view.name,
      ...presentNames(view.displayNames, view.name, model, asked),
      elements: `${facetAddress(address, facet)}/views/${encodeURIComponent(view.name)}/elements`,
      isHierarchical: view.isHierarchical,
    })),
  );

const facetAddress = (address: string, facet: FacetModel): string =>
  `${address}/facets/${encodeURIComponent(facet.name)}`;

const presentNames = (names: LocalisedText, name: string, { defaultCulture }: StorageModel, asked: NamesAsked) =>
  asked.apiVersion === '1.0'
    ? { displayName: chooseName(names, asked.acceptLanguage, defaultCulture, name) }
    : { displayNames: names };

const listOf = <Item>(values: readonly Item[]) => ({ count: values.length, values });
