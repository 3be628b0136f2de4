/** The last step of an import: everything that was staged takes effect, or nothing does. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { importPath, ImportStatus, importsPrefix } from './admin-parts.js';

export const commitImport = operation({
  owner: 'content-repo',
  name: 'content.imports.commit',
  summary: 'Commit an import',
  description:
    'Answers what was done. A large import may answer `committing` and goes on: read it, or commit again, until it is done; a second commit does nothing twice.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 29_000,
  request: z.strictObject({
    ...importPath,
    ...idempotent,
    commit: z
      .strictObject({
        overwrite: z
          .boolean()
          .optional()
          .describe(
            'What was changed over the API after the files were applied becomes as the files say it; else the import is refused. Versions that only the API made can be restored.',
          ),
      })
      .optional()
      .meta({ id: 'CommitImport' }),
  }),
  reply: ImportStatus,
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${importsPrefix}/{importId}/commit`,
    body: 'commit',
    headers: idempotencyHeaders,
  },
});
