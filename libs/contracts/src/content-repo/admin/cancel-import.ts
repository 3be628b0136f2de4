/** Gives an import up before its commit; what was staged is forgotten. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { importPath, importsPrefix } from './admin-parts.js';

export const cancelImport = operation({
  owner: 'content-repo',
  name: 'content.imports.cancel',
  summary: 'Cancel an import',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject(importPath),
  reply: z.object({ cancelled: z.boolean().describe('False when it was committed already.') }),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${importsPrefix}/{importId}` },
});
