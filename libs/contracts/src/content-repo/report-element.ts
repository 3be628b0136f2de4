/** A4: the report tree of one element. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  asOf,
  conditional,
  conditionalHeaders,
  Element,
  elementId,
  facetId,
  listOf,
  publicPrefix,
  queryOptions,
  storagePath,
  versionMember,
  viewId,
} from './parts.js';

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
