/** What the pages ask the content repository for. */
import { queryOptions } from '@tanstack/react-query';
import { callWithHead, type Answer } from '../../api/call.js';
import { operationQuery, pagedQuery } from '../../api/queries.js';
import { readElements, type ContentElement } from './content-element.js';
import { facetPlaceOf, wholeTreeView, type ElementPlace, type FacetPlace } from './place.js';

const apiVersion = '4.0' as const;
const pageSize = 1_000;

export const storagesQuery = operationQuery('listReadableStorages', { $pageSize: pageSize });

export const typesQuery = (place: FacetPlace) => operationQuery('listTypes', { ...facetPlaceOf(place) });

export const viewsQuery = (place: FacetPlace) => operationQuery('listViews', { ...facetPlaceOf(place), apiVersion });

const elementResources = ['attributes', 'related', 'displayNames', 'rootPath', 'children'] as const;

/** With what `relations` lead to, and its path to the root. */
export const elementQuery = (place: ElementPlace, asOf: string | undefined, relations: readonly string[]) =>
  operationQuery('readElement', {
    ...{ ...place, viewId: wholeTreeView, apiVersion, asOf },
    $resources: [...elementResources],
    ...(relations.length > 0 && { $expandRelated: [...relations] }),
  });

/** Exactly one version, with its content and with what `relations` lead to: what two versions are compared by. */
export const versionQuery = (place: ElementPlace, asOf: string | undefined, relations: readonly string[]) =>
  operationQuery('readElement', {
    ...{ ...place, viewId: wholeTreeView, apiVersion, asOf },
    $resources: ['attributes', 'related', 'displayNames', 'content'],
    ...(relations.length > 0 && { $expandRelated: [...relations] }),
  });

const namesOfVersions = ['name', 'version', 'createdOn', 'changedOn', 'isReleased'];

export const versionsQuery = (place: ElementPlace, asOf: string | undefined) =>
  operationQuery('listVersions', {
    ...{ ...place, viewId: wholeTreeView, apiVersion, asOf },
    $resources: ['attributes'],
    $select: namesOfVersions,
  });

export type ViewPlace = FacetPlace & { readonly viewId: string; readonly asOf?: string };

/** What a tree shows: names, and the names of children, which say that there are some. */
const treeInput = (place: ViewPlace) => ({
  ...place,
  ...{ apiVersion, $pageSize: pageSize, $select: ['name'] },
  $resources: ['attributes' as const, 'children' as const],
});

type ElementList = { readonly elements?: unknown };

const readAllPages = async (
  readPage: (page: number) => Promise<Answer<ElementList>>,
): Promise<readonly ContentElement[]> => {
  const found: ContentElement[] = [];
  for (let page = 1; ; page += 1) {
    const { value, head } = await readPage(page);
    found.push(...readElements(value.elements));
    if (!head.hasNext) return found;
  }
};

/** All roots of a tree. */
export const rootsQuery = (place: ViewPlace) => {
  const input = treeInput(place);
  return queryOptions({
    queryKey: ['listElements', input, 'all'],
    queryFn: ({ signal }) => readAllPages(($page) => callWithHead('listElements', { ...input, $page }, { signal })),
  });
};

/** All children of a node. */
export const childrenQuery = (place: ViewPlace, elementId: string) => {
  const input = { ...treeInput(place), elementId };
  return queryOptions({
    queryKey: ['listChildren', input, 'all'],
    queryFn: ({ signal }) => readAllPages(($page) => callWithHead('listChildren', { ...input, $page }, { signal })),
  });
};

const listPageSize = 200;

/** The elements of a view that is a list, page by page. */
export const listQuery = (place: ViewPlace) =>
  pagedQuery(
    'listElements',
    {
      ...place,
      ...{ apiVersion, $pageSize: listPageSize, $select: ['name', 'version', 'changedOn'] },
      $resources: ['attributes', 'displayNames'],
    },
    ({ nextUri }, { $page = 1, ...asked }) => (nextUri === undefined ? undefined : { ...asked, $page: $page + 1 }),
  );
