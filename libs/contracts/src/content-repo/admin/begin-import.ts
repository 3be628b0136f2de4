/** The first step of an import: the definition that the storage shall have. Nothing changes until the commit. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { StorageDefinition } from '../definitions.js';
import { adminStoragePath, importsPrefix } from './admin-parts.js';

export const beginImport = operation({
  owner: 'content-repo',
  name: 'content.imports.begin',
  summary: 'Begin an import into a storage',
  description:
    'Elements are staged under the import and take effect together at its commit. An import is kept for 24 hours.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...adminStoragePath,
    ...idempotent,
    begin: z.strictObject({ definition: StorageDefinition }).meta({ id: 'BeginImport' }),
  }),
  reply: z.object({ importId: z.guid() }),
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: { group: 'admin', method: 'post', path: importsPrefix, body: 'begin', headers: idempotencyHeaders },
});
