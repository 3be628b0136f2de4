/** One element of a view with its parts. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  asOf,
  conditional,
  conditionalHeaders,
  Element,
  elementId,
  elementOptions,
  facetId,
  publicPrefix,
  storagePath,
  versionMember,
  viewId,
} from './parts.js';

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
