/** What proves the reads of group A: facets, views, reports, elements. */
import { suite, type OperationProofs } from './proof.js';

const reading = 'apps/content-repo/src';
const facets = suite(`${reading}/facets/facets.int-spec.ts`, 'the facets of a storage and their views');
const culture = suite(`${reading}/facets/choose-culture.spec.ts`, 'the name to show');
const facetReport = suite(`${reading}/reports/report-facet.int-spec.ts`, 'the report of a facet');
const elementReport = suite(`${reading}/reports/report-element.int-spec.ts`, 'the report of one element');
const list = suite(`${reading}/elements/list-elements.int-spec.ts`, 'the elements of a view');
const lists = suite(`${reading}/elements/list-options.int-spec.ts`, 'a list of a view and a list of children');
const element = suite(`${reading}/elements/read-element.int-spec.ts`, 'reading one element');
const filter = suite(`${reading}/filter/content-filter.int-spec.ts`, 'a filter on a facet');
const storages = suite(`${reading}/parts/element-parts.int-spec.ts`, 'the description of a storage');
const product = suite('apps/e2e/src/reads.e2e-spec.ts', 'the lists and reports of a storage');
const anyFacet = suite(
  'apps/e2e/src/operations.e2e-spec.ts',
  'every operation of group A',
)('%s: knows facet and view in any case, and no others');

const firstLists = [
  product('answers count and values for facets, views and reports'),
  product('names facets and views as the tables of the specification do'),
];
const preferences = culture('follows the preferences, the first of equals first');
const notInOneOfThem = facets('answers the same failure for an unknown storage or facet and for those of another team');

const listFacets: OperationProofs = {
  called: 'A1',
  success: [...firstLists, facets('lists the facets with one name each in version 1.0')],
  members: {
    apiVersion: [facets('lists them with their names per culture in version 4.0')],
    acceptLanguage: [facets('lists the facets with one name each in version 1.0'), preferences],
  },
  failures: { CONTENT_NOTFOUND: [notInOneOfThem] },
};

const listViews: OperationProofs = {
  called: 'A2',
  success: [...firstLists, facets('lists the views, the two standard ones last, and one name twice')],
  members: { acceptLanguage: [facets('names the views in the language that is asked for'), preferences] },
  failures: { CONTENT_NOTFOUND: [notInOneOfThem] },
};

const reportFacet: OperationProofs = {
  called: 'A3',
  success: [
    firstLists[0],
    facetReport('nests children to any depth under the roots of the standard view'),
    facetReport('shows attributes, references with addresses, and content of every element'),
  ].filter((proof) => proof !== undefined),
  members: {
    viewId: [
      facetReport('shows in a view with types what they are and whose ancestors are shown, and counts it'),
      facetReport('reports the elements of a flat view side by side'),
    ],
    $filter: [
      facetReport('keeps matches of a filter with their ancestors and counts the roots that are kept'),
      filter('finds by %s'),
    ],
    $expandRelated: [facetReport('selects and expands in elements and in their content')],
    $resources: [facetReport('answers only the parts asked for')],
    $select: [facetReport('selects and expands in elements and in their content')],
  },
  failures: {
    CONTENT_NOTFOUND: [facetReport('refuses what is not there')],
    CONTENT_FILTER_SYNTAX: [facetReport('refuses what is not there'), filter('refuses %s at position %i')],
  },
};

const reportElement: OperationProofs = {
  called: 'A4',
  success: [
    elementReport('nests its children and adds its versions, each with its content, oldest first'),
    elementReport('has no versions for a type without versions, and nothing empty'),
    product('gives one element with the same report under its id as in the report of its facet'),
  ],
  members: {
    elementId: [
      elementReport('answers exactly the version of a version id, at its place in the tree'),
      elementReport('answers a content element by its own id'),
    ],
    viewId: [elementReport('shows in a named view with types only what the view shows')],
    $filter: [elementReport('keeps of its tree what matches, with ancestors, and nothing when nothing matches')],
    $expandRelated: [elementReport('selects and expands in the element, its tree and its versions')],
    $resources: [elementReport('adds rootPath when it is asked for, nearest parent first')],
    $select: [elementReport('selects and expands in the element, its tree and its versions')],
  },
  failures: { CONTENT_NOTFOUND: [elementReport('answers the same failure for everything that is not there')] },
};

const listElements: OperationProofs = {
  success: [
    list('are the roots of a tree, with their direct children'),
    list('are all elements of a flat view in the order of the tree, without children unless they are asked for'),
  ],
  members: {
    viewId: [anyFacet, list('are those of its types in a flat view with types, wherever they stand')],
    $filter: [list('come in pages by key with a filter, too'), filter('finds by %s')],
    $expandRelated: [lists('replace the references of expanded relations by the elements, one level')],
    $resources: [lists('hold only the parts asked for')],
    $select: [list('keep what is selected'), lists('keep the attributes and relations that are selected')],
    $page: [list('come in pages by number')],
    $pageSize: [list('come in pages by number')],
    $pageSelectionKey: [
      list('come in pages by key until there is none'),
      list('are refused with a key that no answer carried'),
    ],
    apiVersion: [list('are named after the version of the interface')],
  },
  failures: {
    CONTENT_NOTFOUND: [list('are not there for another team')],
    CONTENT_FILTER_SYNTAX: [filter('refuses %s at position %i')],
  },
};

const readElement: OperationProofs = {
  success: [
    element('answers the released version for an id, in the order of members that is decided'),
    element('names the direct children only, without content and relations'),
  ],
  members: {
    viewId: [anyFacet, element('shows in a view with types only what the view shows')],
    elementId: [
      element('answers exactly the version that a version id names, with an address of its own'),
      element('answers a content element by its own id, in the facet of its type'),
    ],
    $expandRelated: [element('replaces the references of an expanded relation by the elements, one level')],
    $resources: [element('answers only the parts asked for, rootPath nearest first')],
    $select: [
      element(
        'keeps the attributes and relations that are selected, whatever their case; unknown names select nothing',
      ),
    ],
    apiVersion: [element('names the list after the version of the interface')],
  },
  failures: { CONTENT_NOTFOUND: [element('answers the same failure for everything that is not there')] },
};

const describeStorage: OperationProofs = {
  success: [storages('names its title, its cultures and the address of its facets')],
  members: {},
  failures: {},
};

export const proofsOfReads: Readonly<Record<string, OperationProofs>> = {
  'content.facets.list': listFacets,
  'content.views.list': listViews,
  'content.reporting.facet': reportFacet,
  'content.reporting.element': reportElement,
  'content.storages.describe': describeStorage,
  'content.elements.list': listElements,
  'content.elements.read': readElement,
};
