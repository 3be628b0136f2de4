import { z } from 'zod';
import { conditionalHeaders, conditionalParameters, operation, renderedReply } from '../operation.js';
import {
  acceptLanguageParameter,
  asOfParameter,
  Element,
  elementId,
  Facet,
  facetId,
  FacetView,
  listSchemaOf,
  nextPageMembers,
  pagingParameters,
  contentPrefix,
  elementQueryOptions,
  storagePathParameters,
  apiVersionParameter,
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
    description: z.string().describe('Empty: storages have none.'),
    apiUrl: z.url().describe('Address of the interface of the storage.'),
    appUrl: z.url().describe('Address of the console.'),
    dataCultures: z.array(z.int()).describe('Culture identifiers (LCID).'),
    defaultDataCulture: z.int(),
    mandatoryCultures: z.array(z.int()).describe('Those in which some mandatory attribute needs a value.'),
    optionalCultures: z.array(z.int()).describe('The others.'),
    isValid: z.boolean(),
    timeZone: z
      .object({
        Id: z.literal('UTC'),
        DisplayName: z.string(),
        StandardName: z.string(),
        DaylightName: z.string(),
        BaseUtcOffset: z.literal('00:00:00'),
        SupportsDaylightSavingTime: z.literal(false),
      })
      .describe('Of date-times without a zone.'),
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
  request: z.strictObject({
    ...storagePathParameters,
    apiVersion: apiVersionParameter(['1.0', '4.0'], '1.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(
    storageContext.extend({
      count: z.literal(1).optional().describe('Version 4.0.'),
      elements: z.array(StorageDescription).optional().describe('Version 4.0.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/info`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});

const ReadableStorage = z
  .object({
    collection: z.string(),
    id: z.string(),
    title: z.string(),
    cultures: z.array(z.int()).describe('Culture identifiers (LCID).'),
    defaultCulture: z.int(),
    info: z.url().describe('Address of its description.'),
    facets: z.array(Facet.omit({ displayName: true }).required()).describe('With their names per culture.'),
  })
  .meta({ id: 'ReadableStorage' });

export const listReadableStorages = operation({
  owner: 'content-repo',
  name: 'content.storages.listReadable',
  summary: 'List the storages that the caller may read',
  description: 'A page by collection and id, each with its facets; the header X-Total-Count has the total.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...pagingParameters, apiVersion: apiVersionParameter(['4.0'], '4.0') }),
  reply: renderedReply(listSchemaOf(ReadableStorage).extend(nextPageMembers)),
  failures: [],
  http: { group: 'A', method: 'get', path: '/_api/rest/storages', headers: { apiVersion: 'api-version' } },
});

export const listFacets = operation({
  owner: 'content-repo',
  name: 'content.facets.list',
  summary: 'List the facets of a storage',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePathParameters,
    apiVersion: apiVersionParameter(['1.0', '4.0'], '1.0'),
    acceptLanguage: acceptLanguageParameter,
    ...conditionalParameters,
  }),
  reply: renderedReply(listSchemaOf(Facet)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets`,
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
    ...storagePathParameters,
    facetId,
    apiVersion: apiVersionParameter(['1.0', '4.0'], '1.0'),
    acceptLanguage: acceptLanguageParameter,
    ...conditionalParameters,
  }),
  reply: renderedReply(listSchemaOf(FacetView)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/views`,
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
    ...storagePathParameters,
    facetId,
    viewId: viewId.optional().describe('Hierarchical view whose roots are reported; `reporting` when absent.'),
    ...elementQueryOptions,
    asOf: asOfParameter,
    apiVersion: apiVersionParameter(['4.0'], '4.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(listSchemaOf(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/reporting`,
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
    ...storagePathParameters,
    facetId,
    elementId,
    viewId: viewId.optional().describe('Hierarchical view that is reported; `reporting` when absent.'),
    ...elementQueryOptions,
    asOf: asOfParameter,
    apiVersion: apiVersionParameter(['4.0'], '4.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(listSchemaOf(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_FILTER_SYNTAX'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/reporting/{elementId}`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});
