/** The definition of a storage, as its file said it. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { StorageDefinition } from '../definitions.js';
import { adminStoragePath, storagePrefix } from './admin-parts.js';

export const exportDefinition = operation({
  owner: 'content-repo',
  name: 'content.storages.definition',
  summary: 'Export the definition of a storage',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(adminStoragePath),
  reply: StorageDefinition,
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: storagePrefix },
});
