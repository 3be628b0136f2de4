import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  acceptLanguage,
  asOf,
  conditional,
  conditionalHeaders,
  Element,
  elementId,
  Facet,
  facetId,
  FacetView,
  listOf,
  publicPrefix,
  queryOptions,
  storagePath,
  versionMember,
  viewId,
} from './parts.js';

const StorageDescription = z
  .object({
    title: z.string(),
    collection: z.string(),
    id: z.string(),
    cultures: z.array(z.int()).describe('Culture identifiers (LCID).'),
    defaultCulture: z.int(),
    facets: z.url().describe('Address of the facet list.'),
  })
  .meta({ id: 'StorageDescription' });

/** Version 1.0. */
const storageContext = z
  .object({
    type: z.literal('IStorageContext'),
    tenant: z.string().describe('The storage, as its path names it.'),
    title: z.string(),
    apiUrl: z.url().describe('Address of the interface of the storage.'),
    dataCultures: z.array(z.int()).describe('Culture identifiers (LCID).'),
    defaultDataCulture: z.int(),
    mandatoryCultures: z.array(z.int()).describe('Those in which some mandatory attribute needs a value.'),
    optionalCultures: z.array(z.int()).describe('The others.'),
    isValid: z.boolean(),
    timeZone: z.string().describe('Of date-times without a zone.'),
  })
  .partial();

export const describeStorage = operation({
  owner: 'content-repo',
  name: 'content.storages.describe',
  summary: 'Tell what is known about a storage',
  description: 'Title, cultures and addresses: in version 1.0 one flat object, in 4.0 a list with one entry.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...storagePath, apiVersion: versionMember(['1.0', '4.0'], '1.0'), ...conditional }),
  reply: rendered(
    storageContext.extend({
      count: z.literal(1).optional().describe('Version 4.0.'),
      elements: z.array(StorageDescription).optional().describe('Version 4.0.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/info`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});

export const listFacets = operation({
  owner: 'content-repo',
  name: 'content.facets.list',
  summary: 'List the facets of a storage',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePath,
    apiVersion: versionMember(['1.0', '4.0'], '1.0'),
    acceptLanguage,
    ...conditional,
  }),
  reply: rendered(listOf(Facet)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/facets`,
    headers: { apiVersion: 'api-version', acceptLanguage: 'accept-language', ...conditionalHeaders },
  },
});

export const listViews = operation({
  owner: 'content-repo',
  name: 'content.views.list',
  summary: 'List the views of a facet',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePath,
    facetId,
    apiVersion: versionMember(['1.0', '4.0'], '1.0'),
    acceptLanguage,
    ...conditional,
  }),
  reply: rendered(listOf(FacetView)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/facets/{facetId}/views`,
    headers: { apiVersion: 'api-version', acceptLanguage: 'accept-language', ...conditionalHeaders },
  },
});

export const reportFacet = operation({
  owner: 'content-repo',
  name: 'content.reporting.facet',
  summary: 'Report the element tree of a facet',
  description: 'The roots of a hierarchical view with their children nested to any depth, streamed.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...storagePath,
    facetId,
    viewId: viewId.optional().describe('Hierarchical view whose roots are reported; `reporting` when absent.'),
    ...queryOptions,
    asOf,
    apiVersion: versionMember(['4.0'], '4.0'),
    ...conditional,
  }),
  reply: rendered(listOf(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/facets/{facetId}/reporting`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});

export const reportElement = operation({
  owner: 'content-repo',
  name: 'content.reporting.element',
  summary: 'Report the tree of one element',
  description: 'The element with its children nested to any depth, its content and its versions, streamed.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...storagePath,
    facetId,
    elementId,
    viewId: viewId.optional().describe('Hierarchical view that is reported; `reporting` when absent.'),
    ...queryOptions,
    asOf,
    apiVersion: versionMember(['4.0'], '4.0'),
    ...conditional,
  }),
  reply: rendered(listOf(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/facets/{facetId}/reporting/{elementId}`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});
