/** A3: the report tree of a facet. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  asOf,
  conditional,
  conditionalHeaders,
  Element,
  facetId,
  listOf,
  publicPrefix,
  queryOptions,
  storagePath,
  versionMember,
  viewId,
} from './parts.js';

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
