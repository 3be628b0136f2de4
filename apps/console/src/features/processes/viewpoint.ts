/** The storage that a page shows, in which language and of which moment: what everything on it needs. */
import { createContext, use } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import type { Language } from '../../language/languages.js';
import { chooseCulture } from './cultures.js';
import type { StoragePlace, ViewpointSearch } from './place.js';

export type ReadableStorage = AnswerFor<'listReadableStorages'>['values'][number];

export type Viewpoint = {
  readonly place: StoragePlace;
  readonly storage: ReadableStorage;
  /** The language of names, as a culture identifier. */
  readonly culture: string;
  readonly cultures: readonly string[];
  /** The moment that is shown, ISO 8601; now when left out. */
  readonly asOf?: string;
  /** What addresses of other pages take along. */
  readonly search: ViewpointSearch;
};

export const ViewpointContext = createContext<Viewpoint | undefined>(undefined);

/** Only below a page of a storage. */
export const useViewpoint = (): Viewpoint => {
  const viewpoint = use(ViewpointContext);
  if (viewpoint === undefined) throw new Error('There is no storage here: useViewpoint is for pages of one.');
  return viewpoint;
};

export const viewpointOf = (
  storage: ReadableStorage,
  { culture, at }: ViewpointSearch,
  language: Language,
): Viewpoint => ({
  place: { collectionId: storage.collection, storageId: storage.id },
  storage,
  culture: chooseCulture(storage, language, culture === undefined ? undefined : String(culture)),
  cultures: storage.cultures.map(String),
  asOf: at,
  search: { culture, at },
});

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Upper and lower case are the same. */
export const findStorage = (
  storages: readonly ReadableStorage[],
  { collectionId, storageId }: StoragePlace,
): ReadableStorage | undefined =>
  storages.find(({ collection, id }) => isSameName(collection, collectionId) && isSameName(id, storageId));

export const findFacet = ({ facets }: ReadableStorage, name: string | undefined) =>
  facets.find((facet) => name !== undefined && isSameName(facet.name, name)) ?? facets[0];
