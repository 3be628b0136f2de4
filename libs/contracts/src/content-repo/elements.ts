import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  $pageSelectionKey,
  asOf,
  conditional,
  conditionalHeaders,
  DisplayNames,
  Element,
  ElementAttribute,
  elementId,
  elementOptions,
  facetId,
  listNamed,
  memberName,
  paging,
  partBinding,
  partRequest,
  publicPrefix,
  queryOptions,
  reference,
  storagePath,
  versionMember,
  viewId,
} from './parts.js';

export const listElements = operation({
  owner: 'content-repo',
  name: 'content.elements.list',
  summary: 'List the elements of a view',
  description:
    'A page of elements in the order of the view; `count` is what the page holds, the header X-Total-Count the total. Version 1.0 names the list `values`, 4.0 `elements`.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...storagePath,
    facetId,
    viewId,
    ...queryOptions,
    ...paging,
    $pageSelectionKey,
    asOf,
    apiVersion: versionMember(['1.0', '4.0'], '4.0'),
    ...conditional,
  }),
  reply: rendered(
    z.object({
      count: z.int().min(0).max(1000),
      elements: z.array(Element).optional(),
      values: z.array(Element).optional(),
    }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/facets/{facetId}/views/{viewId}/elements`,
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
    ...storagePath,
    facetId,
    viewId,
    elementId,
    ...elementOptions,
    asOf,
    apiVersion: versionMember(['1.0', '4.0'], '4.0'),
    ...conditional,
  }),
  reply: rendered(
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
    path: `${publicPrefix}/facets/{facetId}/views/{viewId}/elements/{elementId}`,
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
    parent: reference.optional().describe('The element above it; of a content element, the version that contains it.'),
    createdOn: z.string().optional(),
    changedOn: z.string().optional(),
    revision: z.string().describe('The change that wrote the version; an ETag of the element begins with it.'),
    transitions: z.url().optional().describe('Address of what can happen next; a content element has none.'),
    reporting: z.url().describe('Address of its report.'),
    expandUri: z.url(),
  })
  .meta({ id: 'ElementDescription' });

export const describeElement = operation({
  owner: 'content-repo',
  name: 'content.elements.describe',
  summary: 'Tell what is known about an element',
  description:
    'A list with one entry: identity, state, name, parent, version, and where it can be changed and reported.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(ElementDescription)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('info'),
});

export const listAttributes = operation({
  owner: 'content-repo',
  name: 'content.attributes.list',
  summary: 'List the attributes of an element',
  description: 'Those that have a value, in the order of the type. A content element has them as well.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(ElementAttribute)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('attributes'),
});

const attributeName = memberName('Name of an attribute of the type; upper and lower case are the same.');

export const readAttribute = operation({
  owner: 'content-repo',
  name: 'content.attributes.read',
  summary: 'Read one attribute of an element',
  description: 'A list with this attribute; an empty one when it has no value.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, attributeName }),
  reply: rendered(listNamed(ElementAttribute)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('attributes/{attributeName}'),
});

const Relation = z
  .object({
    name: z.string(),
    elements: z.array(reference).optional().describe('Version 4.0.'),
    values: z.array(reference).optional().describe('Version 1.0.'),
  })
  .meta({ id: 'ElementRelation' });

export const listRelations = operation({
  owner: 'content-repo',
  name: 'content.relations.list',
  summary: 'List the relations of an element',
  description: 'Those that lead somewhere, each with its references.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(Relation)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('related'),
});

const relationName = memberName('Name of a relation of the type; upper and lower case are the same.');

export const readRelation = operation({
  owner: 'content-repo',
  name: 'content.relations.read',
  summary: 'List what one relation of an element leads to',
  description: 'A page of references; the header X-Total-Count has the total. An empty list when it leads nowhere.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, relationName, ...paging }),
  reply: rendered(listNamed(reference)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('related/{relationName}'),
});

export const listChildren = operation({
  owner: 'content-repo',
  name: 'content.children.list',
  summary: 'List the children of an element',
  description: 'A page of direct children as a list of the view has them; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, ...queryOptions, ...paging, $pageSelectionKey }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: partBinding('children'),
});

export const listContent = operation({
  owner: 'content-repo',
  name: 'content.content.list',
  summary: 'List the content of an element',
  description: 'A page of the content elements of the version, in their order; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, ...paging }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('content'),
});

const { $resources, $select } = queryOptions;

export const listVersions = operation({
  owner: 'content-repo',
  name: 'content.versions.list',
  summary: 'List the versions of an element',
  description: 'All of them, the newest last. An element of a type without versions has one.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, $resources, $select }),
  reply: rendered(listNamed(Element)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('versions'),
});
