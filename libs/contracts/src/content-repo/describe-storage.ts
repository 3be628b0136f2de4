/** What is known about a storage. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { conditional, conditionalHeaders, listNamed, publicPrefix, storagePath, versionMember } from './parts.js';

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

export const describeStorage = operation({
  owner: 'content-repo',
  name: 'content.storages.describe',
  summary: 'Tell what is known about a storage',
  description: 'A list with one entry: title, cultures, and the address of the facets.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...storagePath, apiVersion: versionMember(['1.0', '4.0'], '4.0'), ...conditional }),
  reply: rendered(listNamed(StorageDescription)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${publicPrefix}/info`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});
