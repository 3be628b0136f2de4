/** What proves the reads of the parts of one element. */
import { suite, type OperationProofs, type Proof } from './proof.js';

const file = 'apps/content-repo/src/parts/element-parts.int-spec.ts';
const attributes = suite(file, 'the attributes of an element');
const relations = suite(file, 'the relations of an element');
const children = suite(file, 'the children of an element');
const contentAndVersions = suite(file, 'the content and the versions of an element');
const description = suite(file, 'the description of an element');
const lists = suite(
  'apps/content-repo/src/elements/list-options.int-spec.ts',
  'a list of a view and a list of children',
);
const product = suite('apps/e2e/src/operations.e2e-spec.ts', 'every operation of group A');

/** Of every part, since these tests go over all of them. */
const notThere = suite(file, 'every part')('answers the same failure for what is not there');
const viewId = [product('%s: knows facet and view in any case, and no others'), notThere];
const unknownElement = product('%s: says 404 for an element that is not there');
const failures = { CONTENT_NOTFOUND: [notThere] };

const part = (
  success: readonly Proof[],
  elementId: readonly Proof[],
  members: OperationProofs['members'] = {},
): OperationProofs => ({
  success,
  members: { viewId, elementId: [...elementId, unknownElement], ...members },
  failures,
});

const ofEachVersion = attributes('are those of the version that is asked for, and of a content element');
const oneByOne = attributes('are read one by one, in any case; without a value the list is empty');
const pageByPage = relations('are read one by one, page by page');
const nowhere = relations('are empty where they lead nowhere, and not there where the type has none of that name');
const inPages = children('come in pages by number and by key');
const contentInPages = contentAndVersions('lists content in its order, page by page');
const keptOfVersions = contentAndVersions('keeps the parts and members of versions that are asked for');

const listChildren: OperationProofs = {
  ...part(
    [children('are listed as the view lists elements, with the total')],
    [children('are those of the element for each of its versions; leaves and content elements have none')],
    {
      viewId: [
        ...viewId,
        children('are not there for an element that the view does not show, and only its types where it has some'),
      ],
      $filter: [children('keep what a filter keeps: in a tree also those with matches below them')],
      $expandRelated: [lists('replace the references of expanded relations by the elements, one level')],
      $resources: [lists('hold only the parts asked for')],
      $select: [lists('keep the attributes and relations that are selected')],
      $page: [inPages],
      $pageSize: [inPages],
      $pageSelectionKey: [inPages],
    },
  ),
  failures: {
    ...failures,
    CONTENT_FILTER_SYNTAX: [children('keep what a filter keeps: in a tree also those with matches below them')],
  },
};

export const proofsOfParts: Readonly<Record<string, OperationProofs>> = {
  'content.attributes.list': part(
    [attributes('are those with a value, in the order of the type, each with its type')],
    [product('%s: answers 200 with what its contract describes')],
  ),
  'content.attributes.read': part([oneByOne], [ofEachVersion], { attributeName: [oneByOne] }),
  'content.relations.list': part(
    [relations('are those that lead somewhere, with their references')],
    [relations('are those that lead somewhere, with their references')],
  ),
  'content.relations.read': part([pageByPage], [nowhere], {
    relationName: [pageByPage, nowhere],
    $page: [pageByPage],
    $pageSize: [pageByPage],
  }),
  'content.children.list': listChildren,
  'content.content.list': part([contentInPages], [contentInPages], {
    $page: [contentInPages],
    $pageSize: [contentInPages],
  }),
  'content.versions.list': part(
    [contentAndVersions('lists all versions, the newest last, each with an address')],
    [contentAndVersions('answers itself as the one version of what has none')],
    { $resources: [keptOfVersions], $select: [keptOfVersions] },
  ),
  'content.elements.describe': part(
    [
      description('says who it is, where it stands and what can be done with it'),
      description('leaves out what an element does not have'),
    ],
    [description('names the version that contains a content element in place of a parent')],
  ),
};
