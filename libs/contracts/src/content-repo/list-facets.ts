/** A1: the facets of a storage. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  acceptLanguage,
  conditional,
  conditionalHeaders,
  Facet,
  listOf,
  publicPrefix,
  storagePath,
  versionMember,
} from './parts.js';

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
