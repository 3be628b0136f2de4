/** How far an import is, and with what result or faults it ended. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { importPath, ImportStatus, importsPrefix } from './admin-parts.js';

export const readImport = operation({
  owner: 'content-repo',
  name: 'content.imports.read',
  summary: 'Read the state of an import',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(importPath),
  reply: ImportStatus,
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${importsPrefix}/{importId}` },
});
