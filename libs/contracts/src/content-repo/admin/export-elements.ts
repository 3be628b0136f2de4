/** The elements of a storage, as files say them: one JSON document a line, facet by facet in tree order. */
import { z } from 'zod';
import { operation, rendered } from '../../operation.js';
import { ElementDocument } from '../definitions.js';
import { adminStoragePath, storagePrefix } from './admin-parts.js';

export const exportElements = operation({
  owner: 'content-repo',
  name: 'content.elements.export',
  summary: 'Export the elements of a storage',
  description: 'JSON Lines: facets in the order of the definition, in each the elements in tree order. Streamed.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 29_000,
  request: z.strictObject(adminStoragePath),
  reply: rendered(ElementDocument, ['application/x-ndjson']),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${storagePrefix}/elements` },
});
