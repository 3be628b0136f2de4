/** A2: the views of a facet. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  acceptLanguage,
  conditional,
  conditionalHeaders,
  facetId,
  FacetView,
  listOf,
  publicPrefix,
  storagePath,
  versionMember,
} from './parts.js';

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
