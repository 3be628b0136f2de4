/** Where content is: a storage of a collection, a facet of it, an element there; and what an address says of how it is shown. */
export type StoragePlace = { readonly collectionId: string; readonly storageId: string };
export type FacetPlace = StoragePlace & { readonly facetId: string };
/** `elementId` is that of an element (its released version, else its newest) or of exactly one version. */
export type ElementPlace = FacetPlace & { readonly elementId: string };

/** An operation refuses what it does not know, so a place has no member too many. */
export const facetPlaceOf = ({ collectionId, storageId, facetId }: FacetPlace): FacetPlace => ({
  ...{ collectionId, storageId, facetId },
});

/** What goes along from page to page. */
export type ViewpointSearch = {
  /** The language of names; that of the page when left out. */
  readonly culture?: number;
  /** The moment that is shown, ISO 8601; now when left out. */
  readonly at?: string;
};

export type StorageSearch = ViewpointSearch & {
  /** The first one when left out. */
  readonly facet?: string;
  readonly view?: string;
  /** Ids of opened nodes, with dots between them. */
  readonly open?: string;
  /** What is looked for in all facets. */
  readonly find?: string;
};

export const elementTabs = ['overview', 'diagram', 'versions', 'edit'] as const;
export type ElementTab = (typeof elementTabs)[number];

export type ElementSearch = ViewpointSearch & {
  readonly tab?: ElementTab;
  /** Exactly this version; the valid one when left out. */
  readonly version?: string;
  /** The versions that are compared, by their ids. */
  readonly from?: string;
  readonly to?: string;
  /** The knowledge model that computes key figures. */
  readonly model?: string;
};

/** How a page changes its own address; what is undefined goes. `replace` leaves no step to go back to. */
export type ChangeSearch<Search> = (changed: Partial<Search>, how?: { readonly replace?: boolean }) => void;

/** The view that every facet has: all of it, as a tree. */
export const wholeTreeView = 'reporting';

const openMax = 150;

export const openIds = (open: string | undefined): ReadonlySet<string> => new Set(open?.split('.').filter(Boolean));

/** The last ones when there are too many for an address; undefined for none. */
export const openText = (ids: ReadonlySet<string>): string | undefined =>
  ids.size === 0 ? undefined : [...ids].slice(-openMax).join('.');
