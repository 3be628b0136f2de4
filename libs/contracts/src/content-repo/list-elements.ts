/** The elements of a view: the roots of a hierarchical view, or the flat list of another. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  $pageSelectionKey,
  asOf,
  conditional,
  conditionalHeaders,
  Element,
  facetId,
  paging,
  publicPrefix,
  queryOptions,
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
