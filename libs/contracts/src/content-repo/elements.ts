import { z } from 'zod';
import { conditionalHeaders, conditionalParameters, operation, renderedReply } from '../operation.js';
import {
  pageSelectionKeyParameter,
  acceptLanguageParameter,
  asOfParameter,
  valuesByCulture,
  DisplayNames,
  Element,
  ElementAttribute,
  elementId,
  elementOptions,
  facetId,
  versionedListSchema,
  memberPathSegment,
  nextPageMembers,
  valuesOrElementsSchema,
  pagingParameters,
  partHttpBinding,
  partRequestParameters,
  contentPrefix,
  elementQueryOptions,
  referenceShape,
  storagePathParameters,
  apiVersionParameter,
  viewId,
} from './parts.js';

const { $expandRelated, $filter, $resources, $select } = elementQueryOptions;

export const listElements = operation({
  owner: 'content-repo',
  name: 'content.elements.list',
  summary: 'List the elements of a view',
  description:
    'A page of elements in the order of the view; `count` is what the page holds, the header X-Total-Count the total. Version 1.0 names the list `values`, 2.0 and 4.0 `elements`.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...storagePathParameters,
    facetId,
    viewId,
    ...elementQueryOptions,
    ...pagingParameters,
    $pageSelectionKey: pageSelectionKeyParameter,
    asOf: asOfParameter,
    apiVersion: apiVersionParameter(['1.0', '2.0', '4.0'], '4.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(versionedListSchema(Element).extend(nextPageMembers)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/views/{viewId}/elements`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});

export const readElement = operation({
  owner: 'content-repo',
  name: 'content.elements.read',
  summary: 'Read one element',
  description: 'A list with this one element: its attributes, references, content and direct children.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePathParameters,
    facetId,
    viewId,
    elementId,
    ...elementOptions,
    asOf: asOfParameter,
    apiVersion: apiVersionParameter(['1.0', '2.0', '4.0'], '4.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(
    z.object({
      count: z.literal(1),
      elements: z.array(Element).optional(),
      values: z.array(Element).optional(),
    }),
  ),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/views/{viewId}/elements/{elementId}`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});

const ElementDescription = z
  .object({
    facetName: z.string(),
    id: z.guid(),
    versionId: z.guid().optional().describe('Only of versioned types.'),
    creationId: z.string(),
    type: z.string(),
    state: z.string(),
    stereotype: z.string().optional(),
    version: z.string().optional().describe('Major and minor, e.g. 1.0; only of versioned types.'),
    isReleased: z.boolean().optional().describe('Only of versioned types.'),
    name: DisplayNames.optional().describe('Its own name per culture identifier.'),
    parent: referenceShape
      .optional()
      .describe('The element above it; of a content element, the version that contains it.'),
    createdOn: z.string().optional(),
    changedOn: z.string().optional(),
    revision: z.string().describe('The change that wrote the version; an ETag of the element begins with it.'),
    transitions: z.url().optional().describe('Address of what can happen next; a content element has none.'),
    reporting: z.url().describe('Address of its report.'),
    expandUri: z.url(),
  })
  .meta({ id: 'ElementDescription' });

const permissionNames = ['read', 'write'] as const;

const ElementPermissions = z
  .object({
    id: z.guid(),
    name: z.string().describe('In the culture asked for.'),
    elementTypeName: z.string(),
    entityTypeName: z.string().describe('The type, as elementTypeName.'),
    facetTypeName: z.string(),
    facetViewKey: z.string().describe('The view that was asked.'),
    entityIds: z.array(z.guid()).describe('The version that is described.'),
    shapeId: z.guid().describe('What stands for it in a diagram: itself.'),
    uid: z.guid().describe('The version that is described; the element where its type has no versions.'),
    rootPath: z.array(z.guid()).describe('What it stands under, the nearest first.'),
    permissions: z.array(z.enum(permissionNames)).describe('What the scopes of the caller allow.'),
    hasEditPermission: z.boolean(),
    isCurrentInsertable: z.boolean().describe('Whether the caller can put elements under it.'),
    isCurrentMovable: z.boolean().describe('Whether the caller can put it under another element.'),
    isCurrentRemovable: z.boolean().describe('Whether the caller can delete it, or its draft.'),
    isCurrentCopyable: z.boolean().describe('Whether the caller can make an element with its creationId.'),
    insertableDynamicTypes: z.array(z.string()).describe('Types that the caller can put under it.'),
    isReadOnly: z.boolean().describe('Whether the caller cannot update this version.'),
    isReadOnlyCollection: z.boolean().describe('Whether the caller can put nothing under it.'),
    readOnlyContext: z.enum(['None', 'All']).describe('Where it is read-only.'),
    readOnlyCollectionContext: z.enum(['None', 'All']).describe('Where nothing can be put under it.'),
    hasDiagram: z.boolean().describe('Whether the version has content elements.'),
  })
  .meta({ id: 'ElementPermissions' });

const elementPartBinding = partHttpBinding('info');

export const describeElement = operation({
  owner: 'content-repo',
  name: 'content.elements.describe',
  summary: 'Tell what is known about an element',
  description:
    'A list with one entry. Version 1.0: name, types, place, and what the caller may do with it; 4.0: identity, state, name, parent, version, and where it can be changed and reported.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, acceptLanguage: acceptLanguageParameter }),
  reply: renderedReply(
    z.object({
      count: z.literal(1),
      values: z.array(ElementPermissions).optional().describe('Version 1.0.'),
      elements: z.array(ElementDescription).optional().describe('Version 4.0.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND'],
  http: { ...elementPartBinding, headers: { ...elementPartBinding.headers, acceptLanguage: 'accept-language' } },
});

export const listAttributes = operation({
  owner: 'content-repo',
  name: 'content.attributes.list',
  summary: 'List the attributes of an element',
  description:
    'Those that have a value, in the order of the type: in version 1.0 by name, in 4.0 as a list with their types. A content element has them as well. With a filter, none when the element does not match.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, $select, $filter }),
  reply: renderedReply(valuesOrElementsSchema(valuesByCulture, ElementAttribute)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partHttpBinding('attributes'),
});

const attributeName = memberPathSegment('Name of an attribute of the type; upper and lower case are the same.');

export const readAttribute = operation({
  owner: 'content-repo',
  name: 'content.attributes.read',
  summary: 'Read one attribute of an element',
  description: 'This attribute, in version 1.0 by its name, in 4.0 as a list; nothing when it has no value.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, attributeName }),
  reply: renderedReply(valuesOrElementsSchema(valuesByCulture, ElementAttribute)),
  failures: ['CONTENT_NOTFOUND'],
  http: partHttpBinding('attributes/{attributeName}'),
});

/** With `$expandRelated` elements stand in place of references. */
const referenceOrElement = z.union([referenceShape, Element]);

const Relation = z
  .object({
    name: z.string(),
    elements: z.array(referenceOrElement),
  })
  .meta({ id: 'ElementRelation' });

const referencesByName = z.array(referenceOrElement);

export const listRelations = operation({
  owner: 'content-repo',
  name: 'content.relations.list',
  summary: 'List the relations of an element',
  description:
    'Those that lead somewhere, each with its references: in version 1.0 by name, in 4.0 as a list. A filter chooses among the elements that they lead to.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, $select, $filter, $expandRelated }),
  reply: renderedReply(valuesOrElementsSchema(referencesByName, Relation)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partHttpBinding('related'),
});

const relationName = memberPathSegment('Name of a relation of the type; upper and lower case are the same.');

export const readRelation = operation({
  owner: 'content-repo',
  name: 'content.relations.read',
  summary: 'List what one relation of an element leads to',
  description:
    'A page of references, in version 1.0 under the name of the relation; the header X-Total-Count has the total. Nothing when it leads nowhere.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, relationName, $filter, $expandRelated, ...pagingParameters }),
  reply: renderedReply(valuesOrElementsSchema(referencesByName, referenceOrElement).extend(nextPageMembers)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partHttpBinding('related/{relationName}'),
});

export const listChildren = operation({
  owner: 'content-repo',
  name: 'content.children.list',
  summary: 'List the children of an element',
  description: 'A page of direct children as a list of the view has them; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...partRequestParameters,
    ...elementQueryOptions,
    ...pagingParameters,
    $pageSelectionKey: pageSelectionKeyParameter,
  }),
  reply: renderedReply(versionedListSchema(Element).extend(nextPageMembers)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partHttpBinding('children'),
});

export const listContent = operation({
  owner: 'content-repo',
  name: 'content.content.list',
  summary: 'List the content of an element',
  description:
    'A page of the content elements of the version, in their order; the header X-Total-Count has the total. Version 2.0 is 4.0.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...partRequestParameters,
    ...pagingParameters,
    apiVersion: apiVersionParameter(['1.0', '2.0', '4.0'], '1.0'),
  }),
  reply: renderedReply(versionedListSchema(Element).extend(nextPageMembers)),
  failures: ['CONTENT_NOTFOUND'],
  http: partHttpBinding('content'),
});

export const listVersions = operation({
  owner: 'content-repo',
  name: 'content.versions.list',
  summary: 'List the versions of an element',
  description: 'All of them, the newest last. An element of a type without versions has one.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequestParameters, $resources, $select }),
  reply: renderedReply(versionedListSchema(Element)),
  failures: ['CONTENT_NOTFOUND'],
  http: partHttpBinding('versions'),
});
